/**
 * Measures how an agent starts with a year of finished work in its queue: `npm run bench:million [-- CLIPS]`. Makes the
 * database in a folder of its own, starts an agent on it in a process of its own, and prints the milliseconds until it
 * had started and its peak memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAgent, createSystemClock } from '../../electron/agent/index.ts';
import { DATABASE_FILE } from '../../electron/agent/store/open-db.ts';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { createCaller } from '../../shared/ipc/caller.ts';
import { memoryTransport } from '../helpers/memory-transport.ts';
import { openQueue } from './queue-rows.ts';

const CLIPS = 1_000_000;
const CLIPS_EACH = 20;
const STARTS = 3;
/** The limits that docs/performance.md promises. */
const MOST = { startMs: 3_000, rssBytes: 350_000_000 };

/** Adds finished incidents with all their rows: clips, thumbnails, history. */
function fillFinished(dataDir: string, clips: number): void {
  const { db, close } = openQueue(dataDir);
  const incidents = Math.ceil(clips / CLIPS_EACH);
  const series = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const id = (kind: string, number: string) =>
    `printf('${kind}%07d-0000-4000-8000-%012d', ${number}, ${number})`;
  const now = Date.now();
  const at = (number: string) => `(${now} - 80 * 86400000 + ${number})`;
  const source = `'{"title":{"source":"folder-name","confidence":"medium"},"incidentAt":{"source":"folder-name","confidence":"high"}}'`;
  db.pragma('synchronous = OFF');
  db.exec(`BEGIN;
    INSERT INTO incidents (id, root_id, root_path, export_path, birth_ms, title, description, sources, created_at,
      updated_at, checked_at, version, synced_version, sent_details, last_put_at, number)
    ${series(incidents)} SELECT ${id('1', 'i')}, 'root', '/exports', 'Gate ' || i, i, 'Gate ' || i,
      'Exported from the recorder at the north gate.', ${source}, ${at('i')}, ${at('i')}, ${at('i')}, 20, 20,
      '{"title":"Gate"}', ${at('i')}, i FROM n;
    INSERT INTO clips (id, incident_id, path, state, size_bytes, mtime_ns, inode, device, service_name, camera_name,
      started_at, ended_at, sources, facts, created_at, uploaded_at, storage_key, sha256, number, incident_number)
    ${series(clips)} SELECT ${id('2', 'i')}, ${id('1', `((i - 1) / ${CLIPS_EACH} + 1)`)},
      'Camera ' || (i % ${CLIPS_EACH}) || ' 2026-05-01 12.30.00.mp4', 'uploaded', 50000000 + i, '1700000000123456789', i, '22',
      printf('camera-%08d.mp4', i), 'Camera ' || (i % ${CLIPS_EACH}), ${at('i')}, ${at('i')} + 60000, ${source},
      '{"container":"mp4","durationMs":60000,"width":1920,"height":1080,"codec":"h264"}', ${at('i')}, ${at('i')},
      printf('team/incidents/%040d.mp4', i), printf('%064x', i), i, (i - 1) / ${CLIPS_EACH} + 1 FROM n;
    INSERT INTO history (subject, number, sequence, at, kind, detail)
      SELECT 'clip', number, 1, created_at, 'queued', '{"settledAt":"2026-05-01T12:34:00.000Z"}' FROM clips;
    INSERT INTO history (subject, number, sequence, at, kind, detail)
      SELECT 'clip', number, 2, uploaded_at, 'uploaded', json_object('storageKey', storage_key) FROM clips;
    COMMIT;`);
  close();
}

/** Starts once in this process; returns the time and memory that it took. */
async function startOnce(dataDir: string): Promise<{ readonly startMs: number; readonly rssBytes: number }> {
  const quiet = () => undefined;
  const startedMs = performance.now();
  const agent = createAgent(
    { settings: settingsSchema.parse({ baseUrl: 'http://127.0.0.1:9/v1' }), dataDir, version: '0.0.0' },
    {
      clock: createSystemClock(),
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      secrets: { apiKey: async () => 'key-of-the-bench' },
    },
  );
  await agent.start();
  // The first calls of a window
  agent.progress();
  const health = await createCaller(memoryTransport(agent)).call('health.get', {});
  if (!health.ok) throw new Error(health.error.message);
  const startMs = performance.now() - startedMs;
  await agent.stop();
  return { startMs, rssBytes: process.resourceUsage().maxRSS * 1024 };
}

async function startInChild(
  dataDir: string,
): Promise<{ readonly startMs: number; readonly rssBytes: number }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--start', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error(`Not a measurement: ${text}`);
  return { startMs: 0, rssBytes: 0, ...parsed };
}

async function main([first, dir]: readonly string[]): Promise<void> {
  if (first === '--start' && dir !== undefined) {
    process.stdout.write(JSON.stringify(await startOnce(dir)));
    return;
  }
  const clips = Number(first ?? CLIPS);
  const dataDir = await mkdtemp(join(tmpdir(), 'million-clips-'));
  try {
    fillFinished(dataDir, clips);
    const { size } = await stat(join(dataDir, DATABASE_FILE));
    process.stdout.write(`${clips} finished clips, ${Math.round(size / 1e6)} MB\n`);
    for (let run = 1; run <= STARTS; run += 1) {
      const { startMs, rssBytes } = await startInChild(dataDir);
      const isIn = startMs <= MOST.startMs && rssBytes <= MOST.rssBytes;
      process.stdout.write(
        `start ${run}: ${Math.round(startMs)} ms, RSS ${Math.round(rssBytes / 1e6)} MB${isIn ? '' : ' (over)'}\n`,
      );
      if (!isIn) process.exitCode = 1;
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
