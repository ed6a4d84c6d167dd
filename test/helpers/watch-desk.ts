import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentEvents, type AgentEvent } from '../../electron/agent/events.ts';
import type { Clock, Logger } from '../../electron/agent/ports.ts';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { createRootGate, type RootGate } from '../../electron/agent/files/root-gate.ts';
import { createRootWatcher, type RootWatcherOptions } from '../../electron/agent/watch/root-watcher.ts';
import type { ClipCheck } from '../../electron/agent/files/containers/check-clip.ts';
import type { Watcher } from '../../electron/agent/watch/watcher.ts';
import type { ExportSnapshot } from '../../electron/agent/core/settle/file-seen.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** A real folder that is watched, with the watcher's results. */
export interface WatchDesk<C extends Clock = Clock> {
  readonly base: string;
  readonly root: string;
  readonly clock: C;
  readonly gate: RootGate;
  readonly events: AgentEvent[];
  readonly snapshots: ExportSnapshot[];
  readonly errors: string[];
  /** Paths that were checked for completeness. */
  readonly checked: string[];
  /** Answers of the completeness check, by file name; default: complete. */
  readonly completeness: Map<string, ClipCheck>;
  /** Clips whose container proves them complete; none by default. */
  readonly closed: Set<string>;
  /** Paths whose container was read for that. */
  readonly lookedInto: string[];
  write(path: string, content?: string): Promise<void>;
  /** Creates another watcher of the same root, as after a restart. */
  watcher(overrides?: Partial<RootWatcherOptions>): Watcher;
  last(exportPath: string): ExportSnapshot | undefined;
  settledNames(exportPath: string): readonly string[];
  close(): Promise<void>;
}

interface DeskOptions<C extends Clock> {
  readonly clock: C;
  readonly settleSeconds: number;
}

/** Real time that a watcher gets for one pass before the clock moves on without it, milliseconds. */
const REAL_WORK_MS = 15_000;

/** A desk whose clock is moved by hand; the gate's deadlines use real time. */
export function fakeClockDesk(settleSeconds = 30): Promise<WatchDesk<FakeClock>> {
  return openDesk({ clock: createFakeClock(Date.now(), REAL_WORK_MS), settleSeconds });
}

/** A desk on real time. */
export function realClockDesk(settleSeconds = 0.3): Promise<WatchDesk> {
  return openDesk<Clock>({ clock: createSystemClock(), settleSeconds });
}

async function openDesk<C extends Clock>({ clock, settleSeconds }: DeskOptions<C>): Promise<WatchDesk<C>> {
  const base = await mkdtemp(join(tmpdir(), 'watch-desk-'));
  const root = join(base, 'exports');
  await mkdir(root);
  const gate = createRootGate({ clock: createSystemClock(), rootPath: root });
  const agentEvents = new AgentEvents();
  const events: AgentEvent[] = [];
  agentEvents.on((event) => events.push(event));
  const snapshots: ExportSnapshot[] = [];
  const errors: string[] = [];
  const checked: string[] = [];
  const completeness = new Map<string, ClipCheck>();
  const closed = new Set<string>();
  const lookedInto: string[] = [];
  const watchers: Watcher[] = [];
  const last = (exportPath: string): ExportSnapshot | undefined =>
    snapshots.findLast((snapshot) => snapshot.ref.exportPath === exportPath);

  function watcher(overrides: Partial<RootWatcherOptions> = {}): Watcher {
    const made = createRootWatcher({
      root: { id: 'root-1', path: root, settings: { settleSeconds } },
      clock,
      logger: errorsOnly(errors),
      events: agentEvents,
      gate,
      isComplete: async (_path, seen) => {
        checked.push(seen.path);
        return completeness.get(seen.path) ?? { kind: 'complete' };
      },
      isClosed: async (_path, seen) => {
        lookedInto.push(seen.path);
        return closed.has(seen.path);
      },
      onExport: async (snapshot) => void snapshots.push(snapshot),
      ...overrides,
    });
    watchers.push(made);
    return made;
  }

  return {
    base,
    root,
    clock,
    gate,
    events,
    snapshots,
    errors,
    checked,
    completeness,
    closed,
    lookedInto,
    async write(path, content = 'content') {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    watcher,
    last,
    settledNames: (exportPath) => (last(exportPath)?.settled ?? []).map((file) => file.path).toSorted(),
    async close() {
      for (const one of watchers) await one.stop();
      gate.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

function errorsOnly(errors: string[]): Logger {
  const silent = (): void => undefined;
  return {
    debug: silent,
    info: silent,
    warn: silent,
    error: (message, fields) => errors.push(`${message} ${String(fields?.['error'])}`),
  };
}
