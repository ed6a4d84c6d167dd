import { isDeepStrictEqual, promisify } from 'node:util';
import { execFile } from 'node:child_process';
import type { MenuItemConstructorOptions } from 'electron/main';
import type { DeskState } from './health-poll.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** What can be done from the tray. */
export interface TrayCommands {
  readonly open: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly showFailed: () => void;
  readonly addFolder: () => void;
  readonly quit: () => void;
}

/** The icon in the system's tray. */
export interface TrayIcon {
  show(glyph: TrayGlyph, line: string, menu: readonly MenuItemConstructorOptions[]): void;
  destroy(): void;
}

/** The tray menu: the state first, then the commands. */
export function trayMenu(
  state: TrayState,
  commands: TrayCommands,
  say: Say,
): readonly MenuItemConstructorOptions[] {
  const { line, isPaused, failed } = state;
  const pauseItem: MenuItemConstructorOptions = isPaused
    ? { label: say('tray.resumeAll'), click: commands.resume }
    : { label: say('tray.pauseAll'), click: commands.pause, enabled: isPaused !== undefined };
  return [
    // On Windows an ampersand marks the next letter as a key
    { label: line.replaceAll('&', '&&'), enabled: false },
    { type: 'separator' },
    pauseItem,
    { label: say('tray.showFailed', { count: failed }), click: commands.showFailed, enabled: failed > 0 },
    { type: 'separator' },
    { label: say('tray.open'), click: commands.open },
    { label: say('tray.addFolder'), click: commands.addFolder },
    { type: 'separator' },
    { label: say('tray.quit'), click: commands.quit },
  ];
}

/** Keeps the tray in sync with the desk; updates the icon only when something it shows has changed. */
export function createTray(
  icon: TrayIcon,
  commands: TrayCommands,
  say: Say,
): { readonly update: (state: DeskState) => void } {
  let shown: TrayState | undefined;
  return {
    update(desk) {
      const state = trayStateOf(desk, say);
      if (isDeepStrictEqual(state, shown)) return;
      shown = state;
      icon.show(state.glyph, state.line, trayMenu(state, commands, say));
    },
  };
}

/** The tray's icons. */
export const trayGlyphs = ['idle', 'working', 'paused', 'failed'] as const;

/** One of `trayGlyphs`. */
export type TrayGlyph = (typeof trayGlyphs)[number];

/** What the tray shows. */
interface TrayState {
  readonly glyph: TrayGlyph;
  /** One line of facts, safe to show; tooltip and first item of the menu. */
  readonly line: string;
  /** A person paused all; undefined: not known, so neither pausing nor resuming is offered. */
  readonly isPaused: boolean | undefined;
  readonly failed: number;
}

/** Longest reason that is shown, characters: Windows cuts tooltips at 127. */
const LONGEST_REASON = 80;

/**
 * What the tray shows of the desk. Whatever needs a person comes first, so that the tray never looks all-clear
 * meanwhile.
 */
export function trayStateOf({ health, progress, missingSetup }: DeskState, say: Say): TrayState {
  if (health === undefined)
    return { glyph: 'idle', line: say('tray.starting'), isPaused: undefined, failed: 0 };
  const { isPaused, queue, pausedCircuits, roots, exports } = health;
  const { failed, waiting, refused } = queue;
  const held = exports.held + exports.missing + exports.unrecognised;
  const [paused] = pausedCircuits;
  const offline = roots.filter(({ isOnline }) => !isOnline).length;
  const asking = roots.filter(({ isOnline, failure }) => isOnline && failure !== undefined).length;
  const left = leftText(say, waiting, progress.bytesTotal - progress.bytesUploaded - progress.bytesInFlight);
  const isGoing = !isPaused && missingSetup === undefined;
  const parts = [
    failed > 0 ? say('tray.failed', { count: failed }) : undefined,
    offline > 0 ? say('tray.away', { count: offline }) : undefined,
    asking > 0 ? say('tray.folders', { count: asking }) : undefined,
    held > 0 ? say('tray.exports', { count: held }) : undefined,
    refused > 0 ? say('tray.refused', { count: refused }) : undefined,
    isPaused && left === undefined ? say('tray.paused') : undefined,
    isPaused && left !== undefined ? say('tray.pausedLeft', { left }) : undefined,
    missingSetup === undefined ? undefined : cut(visibleName(missingSetup)),
    missingSetup !== undefined && !isPaused ? left : undefined,
    isGoing && paused !== undefined
      ? say('tray.waiting', { reason: cut(visibleName(paused.failure.message)) })
      : undefined,
    isGoing && paused === undefined && left !== undefined ? say('tray.sending', { left }) : undefined,
  ].filter((part) => part !== undefined);
  const line = parts.length === 0 ? say('tray.allSent') : parts.join(' · ');
  return {
    glyph: glyphOf(health, failed + offline + asking + held + refused, missingSetup !== undefined),
    line,
    isPaused,
    failed,
  };
}

function glyphOf(
  { isPaused, queue, pausedCircuits }: NonNullable<DeskState['health']>,
  failed: number,
  isLacking: boolean,
): TrayGlyph {
  if (failed > 0) return 'failed';
  if (isPaused || pausedCircuits.length > 0) return 'paused';
  if (queue.waiting === 0) return 'idle';
  return isLacking ? 'paused' : 'working';
}

function leftText(say: Say, count: number, bytes: number): string | undefined {
  if (count === 0) return undefined;
  return bytes > 0 ? say('tray.leftBytes', { count, size: formatBytes(bytes) }) : say('tray.left', { count });
}

const cut = (text: string): string =>
  text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;

/** D-Bus name of the service that shows tray icons on Linux desktops. GNOME has it only with an extension. */
const WATCHER = 'org.kde.StatusNotifierWatcher';
/**
 * How long to wait for the bus, milliseconds. It responds within milliseconds; a hung one must not delay the window.
 */
const ANSWER_MS = 2_000;

/** Programs that ask the session bus whether a name has an owner; a desktop has at least one of them. */
const asks: readonly (readonly [string, ...string[]])[] = [
  [
    '/usr/bin/gdbus',
    'call',
    '--session',
    '--dest=org.freedesktop.DBus',
    '--object-path=/org/freedesktop/DBus',
    '--method=org.freedesktop.DBus.NameHasOwner',
    WATCHER,
  ],
  [
    '/usr/bin/dbus-send',
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/org/freedesktop/DBus',
    'org.freedesktop.DBus.NameHasOwner',
    `string:${WATCHER}`,
  ],
];

/** Runs a program and returns what it printed; rejects when it is missing, fails or takes too long. */
type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

const runProgram: RunProgram = async (program, args) =>
  (await promisify(execFile)(program, [...args], { timeout: ANSWER_MS })).stdout;

/**
 * Whether a tray icon would be visible. On Linux, Electron creates one whether or not the desktop shows it. If this
 * cannot be found out, the answer is no: a closed window must not be out of reach. Never rejects.
 */
export async function hasTrayPlace(
  platform: NodeJS.Platform,
  run: RunProgram = runProgram,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, ...args] of asks) {
    const answer = await run(program, args).catch(() => undefined);
    if (answer !== undefined) return /\btrue\b/.test(answer);
  }
  return false;
}
