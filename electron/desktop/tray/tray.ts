import { isDeepStrictEqual } from 'node:util';
import type { MenuItemConstructorOptions } from 'electron/main';
import type { DeskState } from './health-poll.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
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

/** The icon in the tray, made by the system. */
export interface TrayIcon {
  show(glyph: TrayGlyph, line: string, menu: readonly MenuItemConstructorOptions[]): void;
  destroy(): void;
}

/** The menu of the tray: state first, then what it asks for. */
export function trayMenu(state: TrayState, commands: TrayCommands): readonly MenuItemConstructorOptions[] {
  const { line, isPaused, failed } = state;
  const pauseItem: MenuItemConstructorOptions = isPaused
    ? { label: 'Resume all uploads', click: commands.resume }
    : { label: 'Pause all uploads', click: commands.pause, enabled: isPaused !== undefined };
  return [
    // On Windows an ampersand marks the next letter as a key
    { label: line.replaceAll('&', '&&'), enabled: false },
    { type: 'separator' },
    pauseItem,
    { label: `Failed (${failed})`, click: commands.showFailed, enabled: failed > 0 },
    { type: 'separator' },
    { label: 'Open', click: commands.open },
    { label: 'Add folder…', click: commands.addFolder },
    { type: 'separator' },
    { label: 'Quit', click: commands.quit },
  ];
}

/** Keeps the tray in step with the desk; the icon is touched only when something it shows has changed. */
export function createTray(
  icon: TrayIcon,
  commands: TrayCommands,
): { readonly update: (state: DeskState) => void } {
  let shown: TrayState | undefined;
  return {
    update(desk) {
      const state = trayStateOf(desk);
      if (isDeepStrictEqual(state, shown)) return;
      shown = state;
      icon.show(state.glyph, state.line, trayMenu(state, commands));
    },
  };
}

/** What the tray shows without words. */
export const trayGlyphs = ['idle', 'working', 'paused', 'failed'] as const;

/** One of `trayGlyphs`. */
export type TrayGlyph = (typeof trayGlyphs)[number];

/** What the tray shows. */
interface TrayState {
  readonly glyph: TrayGlyph;
  /** One line of facts, safe to show; tooltip and first item of the menu. */
  readonly line: string;
  /** A person paused all; undefined: not known, so neither pause nor resume is offered. */
  readonly isPaused: boolean | undefined;
  readonly failed: number;
}

/** Longest reason that is shown, characters: Windows cuts tooltips at 127. */
const LONGEST_REASON = 80;

/** What the tray shows of the desk. What waits for a person comes before all: without it nothing looks all-clear. */
export function trayStateOf({ health, progress, lacking }: DeskState): TrayState {
  if (health === undefined)
    return { glyph: 'idle', line: 'The agent is starting', isPaused: undefined, failed: 0 };
  const { isPaused, queue, pausedCircuits, roots, exports } = health;
  const { failed, waiting, refused } = queue;
  const held = exports.held + exports.missing + exports.unrecognised;
  const [paused] = pausedCircuits;
  const offline = roots.filter(({ isOnline }) => !isOnline).length;
  const asking = roots.filter(({ isOnline, failure }) => isOnline && failure !== undefined).length;
  const left = leftText(waiting, progress.bytesTotal - progress.bytesUploaded - progress.bytesInFlight);
  const isGoing = !isPaused && lacking === undefined;
  const parts = [
    failed > 0 ? `${clips(failed)} failed` : undefined,
    offline > 0 ? `${offline === 1 ? '1 folder is' : `${offline} folders are`} not reachable` : undefined,
    asking > 0 ? `${asking === 1 ? '1 folder needs' : `${asking} folders need`} attention` : undefined,
    held > 0 ? `${held === 1 ? '1 export needs' : `${held} exports need`} attention` : undefined,
    refused > 0 ? `${refused === 1 ? '1 incident was' : `${refused} incidents were`} refused` : undefined,
    isPaused ? `Paused${left === undefined ? '' : `, ${left}`}` : undefined,
    lacking === undefined ? undefined : cut(visibleName(lacking)),
    lacking !== undefined && !isPaused ? left : undefined,
    isGoing && paused !== undefined ? `Waiting: ${cut(visibleName(paused.failure.message))}` : undefined,
    isGoing && paused === undefined && left !== undefined ? `Sending: ${left}` : undefined,
  ].filter((part) => part !== undefined);
  const line = parts.length === 0 ? 'Everything is sent' : parts.join(' · ');
  return {
    glyph: glyphOf(health, failed + offline + asking + held + refused, lacking !== undefined),
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

function leftText(waiting: number, bytes: number): string | undefined {
  if (waiting === 0) return undefined;
  return bytes > 0 ? `${clips(waiting)} left, ${formatBytes(bytes)}` : `${clips(waiting)} left`;
}

const clips = (count: number): string => (count === 1 ? '1 clip' : `${count} clips`);

const cut = (text: string): string =>
  text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
