/**
 * Every command of the app: one list behind palette, shortcuts, help and menus. A command is there when the frame or a
 * screen has given it something to do; `keys` are chords of `parseChord`, the first one is shown.
 */
export const catalogue = [
  { id: 'go.uploads', group: 'go', keys: ['Mod+1'] },
  { id: 'go.periods', group: 'go', keys: ['Mod+2'] },
  { id: 'go.compose', group: 'go', keys: ['Mod+3'] },
  { id: 'go.users', group: 'go', keys: ['Mod+4'] },
  { id: 'go.settings', group: 'go', keys: ['Mod+5'] },
  { id: 'go.health', group: 'go', keys: ['Mod+6'] },
  { id: 'go.handover', group: 'go', keys: ['Mod+7', 'Mod+Shift+H'] },
  { id: 'app.palette', group: 'app', keys: ['Mod+K'] },
  { id: 'app.shortcuts', group: 'app', keys: ['?'] },
  { id: 'app.search', group: 'app', keys: ['/'] },
  { id: 'app.undo', group: 'app', keys: ['Mod+Z'] },
  { id: 'app.refresh', group: 'app', keys: ['F5'] },
  { id: 'view.times', group: 'view', keys: ['T'] },
  { id: 'view.freeze', group: 'view', keys: ['Alt+L'] },
  { id: 'view.theme', group: 'view', keys: [] },
  { id: 'view.density', group: 'view', keys: [] },
  { id: 'view.closeDetails', group: 'view', keys: ['Escape'] },
  { id: 'uploads.add', group: 'uploads', keys: ['Mod+O'] },
  { id: 'uploads.retry', group: 'uploads', keys: ['R'] },
  { id: 'uploads.retryAll', group: 'uploads', keys: ['Shift+R'] },
  { id: 'uploads.pause', group: 'uploads', keys: ['P'] },
  { id: 'uploads.pauseAll', group: 'uploads', keys: ['Shift+P'] },
  { id: 'uploads.cancel', group: 'uploads', keys: [] },
  { id: 'uploads.front', group: 'uploads', keys: ['F'] },
  { id: 'uploads.edit', group: 'uploads', keys: ['E'] },
  { id: 'uploads.reveal', group: 'uploads', keys: ['O'] },
  { id: 'uploads.copyError', group: 'uploads', keys: ['C'] },
  { id: 'periods.export', group: 'periods', keys: [] },
  { id: 'compose.text', group: 'compose', keys: [] },
  { id: 'compose.send', group: 'compose', keys: ['Mod+Enter'] },
  { id: 'users.create', group: 'users', keys: ['N'] },
  { id: 'users.import', group: 'users', keys: [] },
  { id: 'users.export', group: 'users', keys: [] },
  { id: 'users.deactivate', group: 'users', keys: [] },
  { id: 'health.bundle', group: 'health', keys: [] },
  { id: 'handover.print', group: 'handover', keys: ['Mod+P'] },
] as const satisfies readonly CatalogueEntry[];

interface CatalogueEntry {
  readonly id: string;
  readonly group: string;
  readonly keys: readonly string[];
}

/** Name of a command; its words are the string `command.<id>`. */
export type CommandId = (typeof catalogue)[number]['id'];

/** The chords of a command; the first one is shown. */
export function keysOf(id: CommandId): readonly string[] {
  return catalogue.find((command) => command.id === id)?.keys ?? [];
}
