import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../electron/agent/db/database-file.ts';

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

/** What the agent's database says while no agent runs. */
export interface QueueSnapshot {
  readonly integrity: string;
  readonly clips: readonly ClipFact[];
  readonly incidents: readonly IncidentFact[];
  readonly storedParts: readonly PartFact[];
  /** Clips whose multipart upload is open, by id. */
  readonly openUploads: readonly string[];
  readonly thumbnails: readonly {
    readonly clipId: string;
    readonly state: string;
    readonly storageKey: string | null;
  }[];
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly subject: string }[];
  readonly orphansNotEnded: number;
  readonly orphans: number;
}

/** Reads a copy: the agent's own files are never opened, so that looking changes nothing for its next life. */
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
    thumbnails: all('SELECT clip_id AS clipId, state, storage_key AS storageKey FROM thumbnails'),
    jobs: all('SELECT kind, state, subject FROM jobs'),
    orphansNotEnded: one('SELECT count(*) FROM orphans WHERE ended_at IS NULL'),
    orphans: one('SELECT count(*) FROM orphans'),
  };
}
