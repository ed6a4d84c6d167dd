import { createGateInHand, type GateInHand } from '../../../helpers/gate-in-hand.ts';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileSeen, ExportSnapshot } from '../../../../electron/agent/core/settle/file-seen.ts';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createThumbnailJobs, createIncidentQueue } from '../../../../electron/agent/queue/incident-jobs.ts';
import type { SeenExports } from '../../../../electron/agent/queue/seen-exports.ts';
import { createIntake, type Intake } from '../../../../electron/agent/intake/intake.ts';
import type { IntakeRules } from '../../../../electron/agent/core/naming/described-export.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { deskId } from '../../../../shared/domain/ids.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { sha256Of } from '../../../helpers/bench-files.ts';
import { createKeptLog, openQueue, type KeptLog, type QueueFixture } from '../../../helpers/queue-fixture.ts';

const DESK = deskId('0d5f0a54-6d0e-4a3c-9a6f-1f2d7c110a3b');
const RULES: IntakeRules = { watch: { profile: 'auto', clockOffsetSeconds: 0, timeZone: 'Europe/London' } };
const going = new AbortController().signal;

let queue: QueueFixture;
let tables: QueueFixture['tables'];
let root = '';
let gate: GateInHand;
let told: AgentEvent[];
let log: KeptLog;
let wakes = 0;
let probed: string[];

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
  root = await mkdtemp(join(tmpdir(), 'intake-'));
  gate = createGateInHand(root);
  told = [];
  log = createKeptLog();
  wakes = 0;
  probed = [];
});
afterEach(async () => {
  gate.close();
  await queue.close();
  await rm(root, { recursive: true, force: true });
});
function intake(deskTables = tables, seen?: Pick<SeenExports, 'reads' | 'judged' | 'needs'>): Intake {
  const clock = createSystemClock();
  const events = new AgentEvents();
  events.on((event) => told.push(event));
  return createIntake({
    tables: deskTables,
    queue: createIncidentQueue(deskTables, clock, 'progressive'),
    clock,
    thumbnailJobs: createThumbnailJobs(deskTables, clock, false),
    multipartThresholdBytes: 100_000_000,
    deskId: DESK,
    gates: { of: () => gate },
    roots: [],
    hashAtIntake: 'auto',
    fileSum: async ({ rootPath, folder, path }) => ok(await sha256Of(join(rootPath, folder, path))),
    listSums: async () => ok({ sha256: '', md5: '', crc32: '' }),
    probe: {
      probe: async (path) => {
        probed.push(path);
        return ok({ durationMs: 5_000 });
      },
      stop: async () => undefined,
    },
    events,
    logger: log,
    wake: () => void (wakes += 1),
    ...(seen && { seen }),
  });
}
async function write(path: string, content = 'content'): Promise<void> {
  await mkdir(join(root, 'Gate 4'), { recursive: true });
  await writeFile(join(root, 'Gate 4', path), content);
}

async function snapshot(more: Partial<ExportSnapshot> = {}, birthMs = 1_000): Promise<ExportSnapshot> {
  const folder = join(root, 'Gate 4');
  const settled = await Promise.all(
    (await readdir(folder)).map(async (path): Promise<FileSeen> => {
      const { size, mtimeNs, ino, dev } = await stat(join(folder, path), { bigint: true });
      const version = { sizeBytes: Number(size), mtimeNs: String(mtimeNs) };
      return { path, kind: 'file', ...version, inode: String(ino), device: String(dev), links: 1 };
    }),
  );
  const ref = { rootId: 'root-1', rootPath: root, exportPath: 'Gate 4', birthMs, mtimeMs: 1_000 };
  return { ref, settled, unsettledCount: 0, heldCount: 0, all: settled, ...more };
}
const take = async (made = intake(), more = {}, birthMs = 1_000) =>
  made.take(await snapshot(more, birthMs), RULES, going);
const incidentIds = () => queue.db.prepare('SELECT id FROM incidents ORDER BY rowid').pluck().all();

describe('createIntake', () => {
  it('makes a settled export an incident, says so once, and wakes the queue', async () => {
    await write('a.avi');
    const made = intake();
    await take(made);
    await take(made);
    expect(told).toMatchObject([{ event: 'incident.found', title: 'Gate 4', folder: 'Gate 4', clips: 1 }]);
    expect(incidentIds()).toHaveLength(1);
    expect(wakes).toBeGreaterThan(0);
  });

  it('takes a large export in batches: what was read first is in the queue while the rest is read', async () => {
    for (let index = 0; index < 1_100; index += 1) await write(`cam${1_000 + index}.avi`, `${index}`);
    const clips = () => Number(queue.db.prepare('SELECT count(*) FROM clips').pluck().get());
    const whole = await snapshot();
    const inQueue: number[] = [];
    const reads = (_: unknown, { done, total }: { done: number; total: number }) => {
      expect([done, total]).toEqual([clips(), 1_100]);
      inQueue.push(done);
    };
    const made = intake(tables, { reads, judged: () => undefined, needs: () => undefined });
    expect(await made.take(whole, RULES, going)).toBe('more');
    expect(inQueue.slice(0, 3)).toEqual([50, 150, 350]);
    // A slow machine needs several turns for the batches, and one more for the whole
    for (let answer: 'more' | undefined = 'more'; answer === 'more';)
      answer = await made.take(whole, RULES, going);
    expect(clips()).toBe(1_100);
    expect(probed).toHaveLength(1_100);
    expect(told.filter(({ event }) => event === 'incident.found')).toMatchObject([{ clips: 1_100 }]);
  });

  it('finds the same ids after the database was lost', async () => {
    await write('a.avi');
    await take();
    const other = await openQueue();
    try {
      await take(intake(other.tables));
      const [before] = tables.clips.ofIncident(String(incidentIds()[0]));
      expect(other.tables.clips.byId(before?.id ?? '')).toMatchObject({ path: 'a.avi' });
      expect(other.tables.incidents.byId(before?.incidentId ?? '')).toBeDefined();
    } finally {
      await other.close();
    }
  });

  it('takes a folder of the same name for a new incident when it was recreated', async () => {
    await write('a.avi');
    await take();
    await take(intake(), {}, 2_000);
    expect(new Set(incidentIds()).size).toBe(2);
  });

  it('leaves nothing behind when it is killed between the hash and the row, and goes on from there', async () => {
    await write('a.avi');
    await take();
    const [clip] = tables.clips.ofIncident(String(incidentIds()[0]));
    const sum = await sha256Of(join(root, 'Gate 4', 'a.avi'));
    tables.clips.uploaded(clip?.id ?? '', 'key', sum, 1);
    await utimes(join(root, 'Gate 4', 'a.avi'), 1_000, 1_000);
    const rows = () => queue.db.prepare('SELECT * FROM clips').all();
    const before = rows();
    const killed = {
      ...tables,
      history: {
        ...tables.history,
        clip: () => {
          throw new Error('killed');
        },
      },
    };
    await expect(take(intake(killed))).rejects.toThrow('killed');
    expect(rows()).toEqual(before);
    await take();
    expect(tables.clips.ofIncident(clip?.incidentId ?? '')).toMatchObject([
      { id: clip?.id, state: 'uploaded', mtimeNs: '1000000000000' },
    ]);
    expect(tables.history.ofClip(clip?.id ?? '').at(-1)?.facts).toEqual({ kind: 'followed' });
  });

  // After a lost database only the service knows the clip: there is no checksum to compare with
  it('sends a touched clip again when only the service knew it', async () => {
    await write('a.avi');
    await take();
    const [clip] = tables.clips.ofIncident(String(incidentIds()[0]));
    tables.clips.uploaded(clip?.id ?? '', 'key', null, 1);
    await utimes(join(root, 'Gate 4', 'a.avi'), 1_000, 1_000);
    await take();
    expect(tables.clips.ofIncident(clip?.incidentId ?? '')).toMatchObject([
      { generation: 1, state: 'uploaded' },
      { generation: 2, state: 'queued' },
    ]);
  });

  it('sends nothing of an incident that has left the database', async () => {
    await write('a.avi');
    await take();
    const [clip] = tables.clips.ofIncident(String(incidentIds()[0]));
    tables.clips.uploaded(clip?.id ?? '', 'key', await sha256Of(join(root, 'Gate 4', 'a.avi')), 1);
    queue.db.pragma('foreign_keys = OFF');
    for (const table of ['jobs', 'clips', 'incidents']) queue.db.exec(`DELETE FROM ${table}`);
    await take();
    expect(incidentIds()).toEqual([]);
    expect(tables.sent.copies('root-1', 'Gate 4')).toMatchObject([{ path: 'a.avi' }]);
  });

  it('lets a sidecar choose the id, once', async () => {
    await write('a.avi');
    await write('incident.json', '{"id": "CASE-17"}');
    const made = intake();
    await take(made);
    await take(made, {}, 2_000);
    const [first, second] = incidentIds();
    expect(first).toBe('CASE-17');
    expect(second).not.toBe('CASE-17');
    expect(told.some((event) => event.event === 'warning' && event.message.includes('CASE-17'))).toBe(true);
  });

  it('keeps the id of an incident whose sidecar names one later', async () => {
    await write('a.avi');
    await take();
    const [before] = incidentIds();
    await write('incident.json', '{"id": "CASE-17", "title": "A fight"}');
    await take();
    expect(incidentIds()).toEqual([before]);
    expect(tables.incidents.byId(String(before))?.title).toBe('A fight');
  });

  it('wakes the queue for a title or thumbnail that comes later', async () => {
    await write('a.avi');
    const made = intake();
    await take(made);
    for (const path of ['a.jpg', 'incident.json']) {
      wakes = 0;
      await write(path, '{"title": "A fight"}');
      await take(made);
      expect(wakes).toBe(1);
    }
  });

  it('takes the clips of a folder whose sidecar is broken, and says so once', async () => {
    await write('a.avi');
    await write('incident.json', '{"title": ');
    const made = intake();
    await take(made);
    await take(made);
    expect(incidentIds()).toHaveLength(1);
    expect(told.filter((event) => event.event === 'warning')).toHaveLength(1);
  });

  it('makes no incident of a folder without a clip', async () => {
    await write('notes.txt');
    await write('a.jpg');
    await take();
    expect(incidentIds()).toEqual([]);
    expect(wakes).toBe(0);
  });

  it('looks into each version of a clip once', async () => {
    await write('a.avi');
    const made = intake();
    await take(made);
    await take(made);
    expect(probed).toHaveLength(1);
    await write('a.avi', 'longer content');
    await take(made);
    expect(probed).toHaveLength(2);
  });

  it('notes that a folder is gone and how old it got', async () => {
    await write('a.avi');
    const made = intake();
    await take(made);
    await take(made, { removedExport: true, settled: [] });
    expect(tables.incidents.byId(String(incidentIds()[0]))?.folderGone).toBe(1);
    expect(queue.db.prepare('SELECT age_ms FROM removed_exports').all()).toHaveLength(1);
  });

  it('has nothing to note about a folder that it never took', async () => {
    await write('a.avi');
    await take(intake(), { removedExport: true, settled: [] });
    expect(incidentIds()).toEqual([]);
  });
});

describe('a share that hangs', () => {
  it('is told to whoever handed the export over, so that it is handed over again, and nothing is stored', async () => {
    await write('a.avi');
    const release = await gate.hang();
    await expect(take()).rejects.toMatchObject({ failure: { code: 'ROOT_HUNG' } });
    expect(incidentIds()).toEqual([]);
    release();
    await take();
    expect(incidentIds()).toHaveLength(1);
  });

  it('is no trouble when the agent stops meanwhile', async () => {
    await write('a.avi');
    const stopping = new AbortController();
    const made = intake();
    stopping.abort(new Error('stopping'));
    await made.take(await snapshot(), RULES, stopping.signal);
    expect(incidentIds()).toEqual([]);
    expect(log.lines).toEqual([]);
  });
});
