import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { createAgent, type Agent, type AgentEvent } from '../../../electron/agent/index.ts';
import type { SeenExport } from '../../../shared/domain/seen-export.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { createCaller } from '../../../shared/ipc/caller.ts';
import { createBenchClock } from '../../helpers/bench-clock.ts';
import { PART_BYTES } from '../../helpers/agent-bench.ts';
import { writeSpec, type FileSpec } from '../../helpers/bench-files.ts';
import { eventually } from '../../helpers/eventually.ts';
import { memoryTransport } from '../../helpers/memory-transport.ts';
import { makeDataDir } from '../../helpers/queue-fixture.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';
import { makeUnsyncedFolder } from '../../helpers/unsynced-folder.ts';
import { startSimulator } from '../../simulator/index.ts';

/** Time limit for a desk to settle everything, milliseconds; a test that reaches it fails. */
const SETTLE_TIMEOUT_MS = 55_000;

/** Options of a desk to start. */
interface DeskOptions {
  /** Watched folders inside the bench's own; default: `exports`. */
  readonly roots?: readonly string[];
  /** Its data directory; the same name means the same desk. */
  readonly dataDir?: string;
  readonly siteId?: string;
}

/** A running desk. */
export type EqualDesk = Awaited<ReturnType<EqualBench['start']>>;
/** See `startEqualBench`. */
export type EqualBench = Awaited<ReturnType<typeof startEqualBench>>;

/** A simulated service, a folder that the test may change freely, and desks that it starts and stops. */
export async function startEqualBench(
  context: Pick<TestContext, 'onTestFinished'>,
  files: Readonly<Record<string, FileSpec>> = {},
) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'vms-equal-')));
  const kept = await makeUnsyncedFolder('vms-equal-');
  const simulator = await startSimulator();
  const running = new Set<Agent>();
  context.onTestFinished(async () => {
    await Promise.all([...running].map((agent) => agent.stop()));
    await simulator.stop();
    for (const folder of [home, kept]) await rm(folder, { recursive: true, force: true });
  });
  const at = (path: string): string => join(home, path);
  const dataAt = (name: string): string => join(kept, name);
  const write = (path: string, spec: FileSpec) => writeSpec(at('staging'), at(path), spec);
  await mkdir(at('exports'));
  for (const [path, spec] of Object.entries(files)) await write(`exports/${path}`, spec);

  async function start({ roots = ['exports'], dataDir = 'data', siteId = '' }: DeskOptions = {}) {
    if (!existsSync(dataAt(dataDir))) await makeDataDir(dataAt(dataDir));
    const events: AgentEvent[] = [];
    const errors: unknown[] = [];
    const quiet = (): void => undefined;
    const logger = {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (...line: unknown[]) => void errors.push(line),
    };
    const clock = createBenchClock();
    const settings = settingsSchema.parse({
      baseUrl: simulator.baseUrl,
      siteId,
      watch: roots.map((path) => ({ path: at(path), settleSeconds: 0.1 })),
      upload: { multipartThresholdBytes: PART_BYTES, partSizeBytes: PART_BYTES },
    });
    const agent = createAgent(
      { settings, dataDir: dataAt(dataDir), version: '0.0.0' },
      { clock, logger, secrets: { apiKey: async () => simulator.apiKey }, threads: sharedThreads },
    );
    agent.events.on((event) => void events.push(event));
    await agent.start();
    running.add(agent);
    return {
      agent,
      events,
      errors,
      call: createCaller(memoryTransport(agent)).call,
      of: <K extends AgentEvent['event']>(kind: K) =>
        events.filter((event): event is Extract<AgentEvent, { event: K }> => event.event === kind),
      async settle() {
        expect(await agent.untilIdle(AbortSignal.timeout(SETTLE_TIMEOUT_MS))).toBeUndefined();
      },
      async stop() {
        running.delete(agent);
        await agent.stop();
        expect(errors).toEqual([]);
      },
    };
  }

  /** Starts a desk, waits until it has settled everything, and stops it. Returns its events. */
  async function runOnce(options: DeskOptions = {}): Promise<readonly AgentEvent[]> {
    const desk = await start(options);
    await desk.settle();
    await desk.stop();
    return desk.events;
  }

  /** Incidents as the service has them: IDs and storage keys of their clips, and the number of failed ones. */
  function listed() {
    return [...simulator.incidents().values()].map((incident) => ({
      id: incident.id,
      title: incident.title,
      ids: incident.uploaded_videos.map(({ id }) => id).toSorted(),
      keys: incident.uploaded_videos.map(({ storage_key: key }) => key ?? '').toSorted(),
      failed: incident.failed_videos.length,
    }));
  }

  return {
    simulator,
    at,
    dataAt,
    write,
    start,
    runOnce,
    listed,
    until: eventually,
    /** The number of objects in storage: each was sent in full. */
    objects: async () => (await simulator.objects()).length,
    /** State that must not change: incidents with their clips and keys, and the objects. */
    async standing() {
      return { listed: listed(), objects: await this.objects() };
    },
  };
}

/** Copies a folder as a backup does: new inodes and birth times; keeps file times if `keepsTimes`. */
export async function copyFolder(from: string, to: string, keepsTimes = true): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
    if (keepsTimes) await setTime(target, (await timeOf(source)) / 1000);
  }
}

/** Modification time, milliseconds since 1970. */
export async function timeOf(path: string): Promise<number> {
  return (await stat(path)).mtimeMs;
}

/** Sets the modification time, seconds since 1970. */
export const setTime = (path: string, seconds: number): Promise<void> => utimes(path, seconds, seconds);

/** Writes the same bytes into a new file at the same path. */
export async function replaceByEqual(path: string): Promise<void> {
  const bytes = await readFile(path);
  await rm(path);
  await writeFile(path, bytes);
}

/** Events about copies. */
export const copiesIn = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.event === 'warning' && event.code === 'EXPORT_COPY' ? [event.message] : [],
  );

/** The exports that are not in the queue, with their state. */
export async function exportsOf(desk: EqualDesk): Promise<readonly SeenExport[]> {
  const answer = await desk.call('uploads.listExports', { offset: 0, limit: 100 });
  return answer.ok ? answer.value.rows : [];
}
