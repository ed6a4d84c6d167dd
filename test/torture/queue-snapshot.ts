import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../electron/agent/store/open-db.ts';
import { historyFactsSchema } from '../../shared/domain/upload-history.ts';
import type { HistoryFact } from '../helpers/check-history.ts';

export interface ClipFact {
  readonly id: string;
  readonly incidentId: string;
  readonly folder: string;
  readonly name: string;
  readonly generation: number;
  readonly state: 'queued' | 'uploaded' | 'failed';
  readonly sizeBytes: number;
  readonly storageKey: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
}

export interface IncidentFact {
  readonly id: string;
  readonly folder: string;
  readonly version: number;
  readonly syncedVersion: number;
}

export interface PartFact {
  readonly uploadId: string;
  readonly number: number;
}

/** The contents of the agent's database while no agent runs. */
export interface QueueSnapshot {
  readonly integrity: string;
  readonly clips: readonly ClipFact[];
  readonly incidents: readonly IncidentFact[];
  readonly storedParts: readonly PartFact[];
  /** Clips whose multipart upload is open, by id. */
  readonly openUploads: readonly string[];
  /** The upload's id and the number of acknowledged parts, by clip id. */
  readonly multiparts: ReadonlyMap<string, { readonly uploadId: string; readonly parts: number }>;
  readonly thumbnails: readonly {
    readonly clipId: string;
    readonly state: string;
    readonly storageKey: string | null;
  }[];
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly subject: string }[];
  /** For clips and incidents, by id. */
  readonly history: ReadonlyMap<string, readonly HistoryFact[]>;
  readonly orphansNotEnded: number;
  readonly orphans: number;
}

/** Reads a copy: the agent's own files are never opened, so that reading changes nothing for its next life. */
export function readQueue(dataDir: string, scratchDir: string): QueueSnapshot | undefined {
  if (!existsSync(join(dataDir, DATABASE_FILE))) return undefined;
  rmSync(scratchDir, { recursive: true, force: true });
  mkdirSync(scratchDir, { recursive: true });
  for (const suffix of ['', '-wal']) {
    const from = join(dataDir, DATABASE_FILE + suffix);
    if (existsSync(from)) copyFileSync(from, join(scratchDir, DATABASE_FILE + suffix));
  }
  const db = new Database(join(scratchDir, DATABASE_FILE));
  try {
    // Killed before its first migration was committed: there is nothing to read yet.
    if (db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'jobs'").pluck().get() === 0)
      return undefined;
    return readAll(db);
  } finally {
    db.close();
  }
}

function readAll(db: Database.Database): QueueSnapshot {
  const all = <T>(sql: string) => db.prepare<[], T>(sql).all();
  const one = (sql: string) => Number(db.prepare(sql).pluck().get());
  return {
    integrity: String(db.pragma('integrity_check(1)', { simple: true })),
    clips:
      all(`SELECT c.id, c.incident_id AS incidentId, i.export_path AS folder, c.path AS name, c.generation,
      c.state, c.size_bytes AS sizeBytes, c.storage_key AS storageKey, c.sha256, c.failure
      FROM clips c JOIN incidents i ON i.id = c.incident_id`),
    incidents: all(
      'SELECT id, export_path AS folder, version, synced_version AS syncedVersion FROM incidents',
    ),
    storedParts: all(
      'SELECT m.upload_id AS uploadId, p.number FROM parts p JOIN multiparts m ON m.clip_id = p.clip_id',
    ),
    openUploads: db.prepare<[], string>('SELECT clip_id FROM multiparts').pluck().all(),
    multiparts: multipartsOf(db),
    history: historyOf(db),
    thumbnails: all('SELECT clip_id AS clipId, state, storage_key AS storageKey FROM thumbnails'),
    jobs: all('SELECT kind, state, subject FROM jobs'),
    orphansNotEnded: one('SELECT count(*) FROM orphans WHERE ended_at IS NULL'),
    orphans: one('SELECT count(*) FROM orphans'),
  };
}

function multipartsOf(db: Database.Database): QueueSnapshot['multiparts'] {
  const rows = db
    .prepare<[], { clipId: string; uploadId: string; parts: number }>(
      `SELECT clip_id AS clipId, upload_id AS uploadId,
        (SELECT count(*) FROM parts WHERE parts.clip_id = multiparts.clip_id) AS parts FROM multiparts`,
    )
    .all();
  return new Map(rows.map(({ clipId, ...upload }) => [clipId, upload]));
}

function historyOf(db: Database.Database): QueueSnapshot['history'] {
  const rows = db
    .prepare<[], { id: string; sequence: number; kind: string; detail: string | null }>(
      `SELECT coalesce(c.id, i.id) AS id, sequence, kind, detail FROM history
       LEFT JOIN clips c ON history.subject = 'clip' AND c.number = history.number
       LEFT JOIN incidents i ON history.subject = 'incident' AND i.number = history.number
       WHERE history.subject <> 'desk' ORDER BY history.subject, history.number, sequence`,
    )
    .all();
  const histories = new Map<string, HistoryFact[]>();
  for (const { id, sequence, kind, detail } of rows) {
    const facts = historyFactsSchema.parse({ ...JSON.parse(detail ?? '{}'), kind });
    histories.set(id, [...(histories.get(id) ?? []), { sequence, facts }]);
  }
  return histories;
}
