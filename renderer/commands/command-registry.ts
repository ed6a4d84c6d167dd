import { createStore, type StoreApi } from 'zustand/vanilla';

/** A key with the modifiers that must be held: "Mod" is Ctrl, or Command on a Mac. */
interface Chord {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** The parts of a keyboard event that a chord is compared with. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Reads "Mod+Shift+K". The last part is the key. */
export function parseChord(text: string): Chord {
  const parts = text.split('+');
  const key = parts.at(-1) ?? '';
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { key, mod: has('Mod'), alt: has('Alt'), shift: has('Shift') };
}

/**
 * Whether the key press is that chord. Letters are compared by character, so that each keyboard layout keeps its own.
 */
export function matchesChord(chord: Chord, press: KeyPress, isMac: boolean): boolean {
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (mod !== chord.mod || other || press.altKey !== chord.alt) return false;
  const isLetter = /^[A-Z]$/.test(chord.key);
  // "?" and "/" may or may not need Shift, depending on the layout
  if ((isLetter || chord.key.length > 1) && press.shiftKey !== chord.shift) return false;
  if (isLetter) return press.key.toUpperCase() === chord.key || press.code === `Key${chord.key}`;
  return press.key === chord.key;
}

/** The chord as labelled on this system's keyboards. */
export function showChord(text: string, isMac: boolean): string {
  if (!isMac) return text.replace('Mod', 'Ctrl');
  return text
    .replace('Mod', '⌘')
    .replace('Alt', '⌥')
    .replace('Shift', '⇧')
    .replaceAll(/(?<=.)\+/g, '');
}

/**
 * A chord in the notation of native menus. Undefined for keys that are also typed: a native menu gets its keys before
 * any text field.
 */
export function acceleratorOf(text: string): string | undefined {
  const { key, mod, alt, shift } = parseChord(text);
  if (!mod && !alt && !/^F\d+$/.test(key)) return undefined;
  return [mod && 'CommandOrControl', alt && 'Alt', shift && 'Shift', key]
    .filter((part) => part !== false)
    .join('+');
}

/**
 * Every command of the app: the one list behind palette, shortcuts, help and menus. A command is available once the
 * frame or a screen has registered a handler; `keys` are chords of `parseChord`, the first one is shown.
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
  { id: 'uploads.liftLimits', group: 'uploads', keys: [] },
  { id: 'uploads.cancel', group: 'uploads', keys: [] },
  { id: 'uploads.leaveOut', group: 'uploads', keys: [] },
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

/** ID of a command; its label is the string `command.<id>`. */
export type CommandId = (typeof catalogue)[number]['id'];

/** The chords of a command; the first one is shown. */
export function keysOf(id: CommandId): readonly string[] {
  return catalogue.find((command) => command.id === id)?.keys ?? [];
}

/** The current action of a command; the last one registered takes precedence. */
export interface CommandHandler {
  readonly id: CommandId;
  readonly isEnabled: boolean;
  readonly run: () => void;
}

/** The registered handlers. */
export interface CommandState {
  readonly handlers: readonly CommandHandler[];
}
export type CommandRegistry = StoreApi<CommandState> & {
  /** Returns the function that removes the handler. */
  readonly register: (handler: CommandHandler) => () => void;
  /** False when the command is not available now. */
  readonly run: (id: CommandId) => boolean;
  /** Runs the command of a key press; false when there is none. */
  readonly press: (press: KeyPress, isTyping: boolean) => boolean;
};

const chords = catalogue.flatMap(({ id, keys }) =>
  keys.map((key: string) => ({ id, chord: parseChord(key) })),
);

/** Makes the registry. `isMac` decides which key is "Mod". */
export function createCommandRegistry(isMac: boolean): CommandRegistry {
  const store = createStore<CommandState>()(() => ({ handlers: [] }));
  // A disabled handler gives way to the one registered before it
  const handlerOf = (id: CommandId) =>
    store.getState().handlers.find((handler) => handler.id === id && handler.isEnabled);
  function run(id: CommandId): boolean {
    const handler = handlerOf(id);
    if (handler === undefined) return false;
    handler.run();
    return true;
  }
  return {
    ...store,
    register(handler) {
      store.setState(({ handlers }) => ({ handlers: [handler, ...handlers] }));
      return () =>
        store.setState(({ handlers }) => ({ handlers: handlers.filter((each) => each !== handler) }));
    },
    run,
    press(press, isTyping) {
      // While typing, only chords with a modifier are commands
      const found = chords.find(
        ({ id, chord }) =>
          matchesChord(chord, press, isMac) &&
          // A field undoes its own typing
          (!isTyping || (chord.mod && id !== 'app.undo') || chord.alt || chord.key.startsWith('F5')),
      );
      return found !== undefined && run(found.id);
    },
  };
}

/** How long a screen may take to appear, milliseconds; a command that runs much later would surprise. */
export const PATIENCE_MS = 5000;

/**
 * Runs a command from any screen: opens the screen that has it, and waits for a page that is still loading. Returns the
 * function that cancels.
 */
export function runAnywhere(commands: CommandRegistry, id: CommandId): () => void {
  if (commands.run(id)) return () => undefined;
  const screen = screenOf(id);
  let hasGone = screen === undefined || commands.run(screen);
  const stopWatching = commands.subscribe(() => {
    if (commands.run(id)) stop();
    else if (!hasGone && screen !== undefined) hasGone = commands.run(screen);
  });
  const timer = setTimeout(stop, PATIENCE_MS);
  function stop(): void {
    clearTimeout(timer);
    stopWatching();
  }
  return stop;
}

/** The command that opens another command's screen; groups are named after their screens. */
function screenOf(id: CommandId): CommandId | undefined {
  const group = catalogue.find((command) => command.id === id)?.group;
  return catalogue.find((command) => command.id === `go.${group}`)?.id;
}
