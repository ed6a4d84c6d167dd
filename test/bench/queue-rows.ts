import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileVersion } from '../../electron/agent/core/settle/file-seen.ts';
import { DATABASE_FILE, openDb, type WriteDb } from '../../electron/agent/store/open-db.ts';
import { createTables, type Tables } from '../../electron/agent/store/tables.ts';
import { identifyDesk } from '../../electron/agent/store/desk-id.ts';
import { clipIdOf, incidentIdOf, rootIdOf } from '../../electron/agent/core/records/derived-ids.ts';
import { digestOf } from '../../electron/agent/intake/apply-cameras.ts';
import { PRIORITY } from '../../electron/agent/queue/incident-jobs.ts';
import { clipName, folderName } from './make-files.ts';

/** The number of rows, and which of them have real files in the root. */
export interface QueueShape {
  readonly dataDir: string;
  readonly root: string;
  readonly incidents: number;
  readonly clipsEach: number;
  readonly sizeBytes: number;
  /** Number of incidents, from the first on, whose files exist. */
  readonly realIncidents: number;
}

/** Fills a queue as an agent leaves it when the service became unreachable after everything was taken in. */
export async function fillQueue(shape: QueueShape): Promise<void> {
  mkdirSync(shape.dataDir, { recursive: true });
  const opened = openQueue(shape.dataDir);
  const desk = await identifyDesk(shape.dataDir, opened.tables.desk, () => undefined);
  const rootId = rootIdOf(desk, shape.root);
  opened.tables.write(() => {
    opened.tables.desk.setCamerasApplied(digestOf([]));
    for (let number = 1; number <= shape.incidents; number += 1) {
      const exportPath = folderName(number);
      const birthMs = number > shape.realIncidents ? number : bornAt(join(shape.root, exportPath));
      const id = incidentIdOf(desk, rootId, exportPath, birthMs);
      const place = { id, rootId, rootPath: shape.root, exportPath, birthMs };
      insertIncident(opened.tables, place);
      for (let file = 1; file <= shape.clipsEach; file += 1)
        insertClip(opened.tables, shape, place, clipName(file));
    }
  });
  opened.close();
}

/** Opens the queue of a data directory. */
export function openQueue(dataDir: string): { readonly db: WriteDb; readonly tables: Tables; close(): void } {
  const opened = openDb(join(dataDir, DATABASE_FILE));
  if (!opened.ok) throw new Error(opened.error.message);
  const db = opened.value;
  return { db, tables: createTables(db), close: () => void db.close() };
}

interface Place {
  readonly id: string;
  readonly rootId: string;
  readonly rootPath: string;
  readonly exportPath: string;
  readonly birthMs: number;
}

const sources = (field: string): string =>
  JSON.stringify({ [field]: { source: 'folder-name', confidence: 'medium' } });

/** The service has been asked about the incident and has its record; only clips are missing. */
function insertIncident(tables: Tables, place: Place): void {
  const at = Date.now();
  const details = {
    title: place.exportPath,
    description: null,
    latitude: null,
    longitude: null,
    extra: null,
  };
  tables.incidents.insert({ ...place, ...details, incidentAt: at, sources: sources('title'), createdAt: at });
  tables.incidents.checked(place.id, at, null, null);
  tables.incidents.synced(place.id, at, 1, JSON.stringify({ title: place.exportPath }));
}

function insertClip(tables: Tables, shape: QueueShape, place: Place, name: string): void {
  const at = Date.now();
  const id = clipIdOf(place.id, name, 1);
  const isReal = Number(place.exportPath.slice(-4)) <= shape.realIncidents;
  const version = isReal ? versionOf(join(place.rootPath, place.exportPath, name)) : missing(shape.sizeBytes);
  const camera = {
    cameraId: null,
    cameraName: name,
    cameraDescription: null,
    cameraLatitude: null,
    cameraLongitude: null,
  };
  const times = {
    startedAt: at,
    endedAt: null,
    facts: '{}',
    reading: 1,
    flags: '[]',
    expectedSha256: null,
    createdAt: at,
  };
  const names = {
    id,
    incidentId: place.id,
    path: name,
    generation: 1,
    serviceName: `camera-${id.slice(0, 8)}.ts`,
  };
  tables.clips.insert({ ...names, ...version, ...camera, ...times, sources: sources('cameraName') });
  // No two are equal, and each was compared with those that came after it
  tables.clips.setEnds({ ...names, ...version, state: 'queued' }, id);
  tables.jobs.put({
    kind: 'send-clip',
    subject: id,
    pool: 'small',
    incidentId: place.id,
    state: 'ready',
    priority: PRIORITY.clip,
    dueAt: at,
    createdAt: at,
  });
}

const bornAt = (path: string): number => Number(statSync(path, { bigint: true }).birthtimeMs);

function versionOf(path: string): FileVersion {
  const { size, mtimeNs, ino, dev } = statSync(path, { bigint: true });
  return { sizeBytes: Number(size), mtimeNs: String(mtimeNs), inode: String(ino), device: String(dev) };
}

const missing = (sizeBytes: number): FileVersion => ({ sizeBytes, mtimeNs: '0', inode: '0', device: '0' });
