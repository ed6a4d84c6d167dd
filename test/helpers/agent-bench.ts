import { mkdtemp, mkdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import {
  createAgent,
  type Agent,
  type AgentEvent,
  type Logger,
  type Policy,
  type Secrets,
  type ThumbnailMaker,
} from '../../electron/agent/index.ts';
import { fileKindOf } from '../../electron/agent/core/naming/file-kinds.ts';
import { FailureError } from '../../shared/domain/failure.ts';
import { settingsSchema, type WatchSettings } from '../../shared/domain/settings.ts';
import { createCaller } from '../../shared/ipc/caller.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/ipc/contract.ts';
import {
  startSimulator,
  type FaultMatch,
  type Hold,
  type Simulator,
  type SimulatorOptions,
} from '../simulator/index.ts';
import type { WorkerThreads } from '../../electron/agent/ports.ts';
import { createBenchClock, type BenchClock } from './bench-clock.ts';
import { idsOf, sourceOf, writeSpec, type FileSpec } from './bench-files.ts';
import { memoryTransport } from './memory-transport.ts';
import { checkInvariants, type InvariantInput, type Source } from './invariants.ts';
import { eventually } from './eventually.ts';
import { makeDataDir } from './queue-fixture.ts';
import { sharedThreads } from './shared-threads.ts';
import { makeUnsyncedFolder } from './unsynced-folder.ts';

/** Part size and multipart threshold, bytes: a clip of 12 MiB is sent in three parts. */
export const PART_BYTES = 5 * 1024 * 1024;

interface BenchOptions {
  /** The data directory, unless it should be one in a temporary folder. */
  readonly dataDir?: string;
  /** Files by `folder/path` inside the watched root. */
  readonly files?: Readonly<Record<string, FileSpec>>;
  /** Overrides the bench's own settings, one level deep. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly simulator?: SimulatorOptions;
  readonly secrets?: Secrets | ((simulator: Simulator) => Secrets);
  /** A host that makes thumbnails; default: none, like the headless host. */
  readonly thumbnails?: ThumbnailMaker;
  /** Names of more watched folders beside `exports`; their files are `../NAME/folder/path` in `files`. */
  readonly moreRoots?: readonly string[];
  /** Used instead of the bench's own clock, and of threads that outlive the test. */
  readonly clock?: BenchClock;
  readonly threads?: WorkerThreads;
  readonly policy?: Policy;
  /** Sets fault rules before the agent starts. */
  readonly before?: (simulator: Simulator) => unknown;
  /** Requests that are held from the start until `bench.hold` is released. */
  readonly hold?: FaultMatch & { readonly when?: 'before' | 'after' };
  /** The service's address as the agent sees it, if something is placed in between. */
  readonly baseUrl?: (simulator: Simulator) => string | Promise<string>;
}

/** Options that another start may change. */
interface StartOptions extends Pick<BenchOptions, 'thumbnails'> {
  /** Settings of every watched folder that differ from before. */
  readonly watch?: Partial<WatchSettings>;
  /** Settings of uploads that differ from before. */
  readonly upload?: Readonly<Record<string, unknown>>;
}

/** A line that the agent logged. */
export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: unknown;
}

/** Time that the agent has to settle everything, milliseconds; a test that needs longer fails. */
const SETTLE_TIMEOUT_MS = 55_000;
/**
 * Longest that a test may take on a machine that others use too, milliseconds; most take one or two seconds. Longer
 * than all its waits together, so that a wait in vain can report what it waited for.
 */
export const BENCH_TIMEOUT_MS = 180_000;

/**
 * A watched folder, a simulated service and an agent between them, in this process; they are stopped after the test.
 */
export type Bench = Awaited<ReturnType<typeof startBench>>;

/** Builds and starts all three. Retries come after 1 s; clips of 5 MiB or more are sent in parts of 5 MiB. */
export async function startBench(context: Pick<TestContext, 'onTestFinished'>, options: BenchOptions = {}) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'vms-bench-')));
  const root = join(home, 'exports');
  const kept = await makeUnsyncedFolder('vms-bench-');
  const dataDir = options.dataDir ?? join(kept, 'data');
  await mkdir(root);
  if (options.dataDir === undefined) await makeDataDir(dataDir);
  const simulator = await startSimulator(options.simulator);
  const clock = options.clock ?? createBenchClock();
  const moreRoots = (options.moreRoots ?? []).map((name) => join(home, name));
  for (const path of moreRoots) await mkdir(path);
  const events: AgentEvent[] = [];
  const logs: LogLine[] = [];
  const settings = settingsFor(
    [root, ...moreRoots],
    (await options.baseUrl?.(simulator)) ?? simulator.baseUrl,
    options.settings,
  );
  const given = typeof options.secrets === 'function' ? options.secrets(simulator) : options.secrets;
  const secrets = given ?? { apiKey: async () => simulator.apiKey };
  let agent: Agent | undefined;

  async function start({ thumbnails, watch = {}, upload = {} }: StartOptions = options): Promise<void> {
    const ports = {
      clock,
      logger: collect(logs),
      secrets,
      threads: options.threads ?? sharedThreads,
      ...(thumbnails === undefined ? {} : { thumbnails }),
    };
    const watched = settings.watch.map((folder) => ({ ...folder, ...watch }));
    const now = { ...settings, watch: watched, upload: { ...settings.upload, ...upload } };
    const config = { settings: now, dataDir, version: '0.0.0' };
    agent = createAgent({ ...config, ...(options.policy && { policy: options.policy }) }, ports);
    agent.events.on((event) => void events.push(event));
    await agent.start();
  }

  async function stopAgent(): Promise<void> {
    const ending = agent;
    agent = undefined;
    await ending?.stop();
  }

  async function end(): Promise<void> {
    simulator.faults.clear();
    await stopAgent();
    await simulator.stop();
    for (const folder of [home, kept]) await rm(folder, { recursive: true, force: true });
  }
  context.onTestFinished(end);

  const write = (path: string, spec: FileSpec) => writeSpec(join(home, 'staging'), join(root, path), spec);
  for (const [path, spec] of Object.entries(options.files ?? {})) await write(path, spec);
  const hold = options.hold === undefined ? noHold : holdFor(simulator, options.hold);
  await options.before?.(simulator);
  await start();

  const place = (path: string, generation = 1) => {
    const [folder = '', ...rest] = path.split('/');
    return { dataDir, root, folder, path: rest.join('/'), generation };
  };

  const bench = {
    simulator,
    hold,
    clock,
    root,
    dataDir,
    events,
    logs,
    write,
    stopAgent,
    startAgent: start,
    progress: () => agent?.progress(),
    /** The running agent, for calls that only its host makes. */
    agent(): Agent {
      if (agent === undefined) throw new Error('No agent runs');
      return agent;
    },
    /** Calls the agent as a window does. */
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      if (agent === undefined) throw new Error('No agent runs');
      const answer = await createCaller(memoryTransport(agent)).call(name, input);
      if (!answer.ok) throw new FailureError(answer.error);
      return answer.value;
    },
    /** Ids by `folder/path`. */
    ids: (path: string, generation?: number) => idsOf(place(path, generation)),
    /** The events of one kind so far. */
    of: <K extends AgentEvent['event']>(kind: K) =>
      events.filter((event): event is Extract<AgentEvent, { event: K }> => event.event === kind),
    until: (fact: () => unknown, what?: string) => eventually(fact, what),
    /** Advances time for agent and service alike. */
    skip(ms: number) {
      clock.skip(ms);
      simulator.configure({ clockOffsetMs: simulator.settings().clockOffsetMs + ms });
    },
    /** Waits until everything is settled, through circuit pauses too. */
    async untilIdle(timeoutMs = SETTLE_TIMEOUT_MS): Promise<void> {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        while ((await agent?.untilIdle(signal)) !== undefined) await clock.sleep(50, signal);
      } catch (error) {
        throw new Error(`Not settled after ${timeoutMs} ms: ${JSON.stringify(events.slice(-5))}`, {
          cause: error,
        });
      }
    },
    /**
     * Expects every clip of the folders to be with the service exactly once and complete, and exactly those in `failed`
     * to have failed.
     */
    async expectWhole({
      failed = [],
      files = options.files ?? {},
      also = [],
      mayLogErrors = false,
      ...more
    }: WholeOptions = {}): Promise<void> {
      const paths = Object.keys(files).filter((path) => fileKindOf(path).kind === 'clip');
      const sources = await Promise.all(
        paths.map((path) => sourceOf(place(path), failed.includes(path) ? 'failed' : 'uploaded')),
      );
      expect(await checkInvariants({ simulator, sources: [...sources, ...also], ...more })).toEqual([]);
      if (!mayLogErrors) expect(logs.filter((line) => line.level === 'error')).toEqual([]);
    },
  };
  return bench;
}

interface WholeOptions extends Omit<InvariantInput, 'simulator' | 'sources'> {
  /** Clips that must be in `failed_videos`, by `folder/path`. */
  readonly failed?: readonly string[];
  readonly files?: Readonly<Record<string, FileSpec>>;
  /** The desk itself had a fault, which is in the log. */
  readonly mayLogErrors?: boolean;
  /** Sources whose file no longer exists. */
  readonly also?: readonly Source[];
}

function settingsFor(roots: readonly string[], baseUrl: string, more: BenchOptions['settings'] = {}) {
  const upload = {
    multipartThresholdBytes: PART_BYTES,
    partSizeBytes: PART_BYTES,
    ...section(more['upload']),
  };
  return settingsSchema.parse({
    watch: roots.map((path) => ({ path, settleSeconds: 0.1 })),
    baseUrl,
    ...more,
    upload,
  });
}

const section = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});

const noHold: Hold = { arrived: new Promise(() => undefined), release: () => undefined };

function holdFor({ faults }: Simulator, { when, ...match }: NonNullable<BenchOptions['hold']>): Hold {
  return faults.hold(match, when);
}

function collect(logs: LogLine[]): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: unknown) =>
    void logs.push({ level, message, fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
