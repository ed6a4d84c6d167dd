import Database from 'better-sqlite3';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstSchema } from '../../electron/agent/store/migrations/0001-to-0003.ts';
import { APPLICATION_ID, DATABASE_FILE } from '../../electron/agent/store/open-db.ts';
import { startAgent, workPlace, type WorkPlace } from './agent-process.ts';
import type { Dice } from './dice.ts';
import type { Findings } from './findings.ts';
import { writeConfig } from './write-config.ts';

/** Number of kills before and after the new version was in place. */
export interface MigrationKills {
  readonly kills: number;
  readonly before: number;
  readonly after: number;
}

/** One life with migrations for this many others. */
const LIVES_PER_MIGRATION = 10;
/** Enough that a migration takes a noticeable part of a start. */
const CLIPS = 60_000;
const CLIPS_PER_INCIDENT = 100;
const LAST_LIFE_LIMIT_MS = 120_000;
/** Latest kill after a start, milliseconds: later than any kill needs to be. */
const LATEST_KILL_MS = 4_000;

/** Kills the agent again and again while it migrates a database from its first version. */
export async function tortureMigrations(
  {
    kills,
    folder: above,
    program,
  }: { readonly kills: number; readonly folder: string; readonly program: string },
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  dice: Dice,
  findings: Findings,
): Promise<MigrationKills> {
  const lives = Math.max(2, Math.floor(kills / LIVES_PER_MIGRATION));
  const folder = join(above, 'old-desk');
  mkdirSync(folder);
  const old = join(folder, 'first-version.db');
  makeOldQueue(old);
  // A separate desk that has nothing to send
  const own = workPlace(folder, program);
  for (const path of [own.watchDir, own.logDir]) mkdirSync(path, { recursive: true });
  writeConfig(own, baseUrl, key);
  let after = 0;
  for (let life = 0; life < lives; life += 1) {
    rmSync(own.dataDir, { recursive: true, force: true });
    mkdirSync(own.dataDir);
    copyFileSync(old, join(own.dataDir, DATABASE_FILE));
    const agent = startAgent(own);
    // Spread over the whole time: kills that come too late or too early find nothing to interrupt
    const share = (life + dice.share()) / lives;
    await sleep(share * LATEST_KILL_MS);
    await agent.kill();
    if (checkQueue(own, folder, findings) > 1) after += 1;
  }
  const last = startAgent(own, ['--once']);
  const end = await Promise.race([last.ended, sleep(LAST_LIFE_LIMIT_MS, undefined, { ref: false })]);
  await last.kill();
  if (end?.code !== 0)
    findings.add('I12', `the life after the kills ended with ${end?.code ?? 'nothing in time'}`);
  if (checkQueue(own, folder, findings) <= 1) findings.add('I12', 'the database was not brought up to date');
  return { kills: lives, before: lives - after, after };
}

function makeOldQueue(file: string): void {
  rmSync(file, { force: true });
  const db = new Database(file);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.exec(firstSchema);
  db.pragma('user_version = 1');
  db.exec("INSERT INTO desk VALUES (1, '5a1c0f0e-6f0b-4c6e-9d6e-0d8a34a3b7aa')");
  const incident =
    db.prepare(`INSERT INTO incidents (id, root_id, root_path, export_path, birth_ms, title, sources,
    created_at, updated_at, version, synced_version) VALUES (?, 'r', '/r', ?, 1, 'Old', '{}', 1, 1, 1, 1)`);
  const clip =
    db.prepare(`INSERT INTO clips (id, incident_id, path, state, size_bytes, mtime_ns, inode, device,
    service_name, sources, created_at, storage_key, sha256, uploaded_at)
    VALUES (?, ?, ?, 'uploaded', 7, '1', '1', '1', 's', '{}', 1, ?, 'ab', 1)`);
  db.transaction(() => {
    for (let index = 0; index < CLIPS; index += 1) {
      const owner = `incident-${Math.floor(index / CLIPS_PER_INCIDENT)}`;
      if (index % CLIPS_PER_INCIDENT === 0) incident.run(owner, owner);
      clip.run(`clip-${index}`, owner, `${index}.mp4`, `key-${index}`);
    }
  })();
  db.close();
}

/** Returns the version of the database after a kill; whichever it is, all rows must be there. */
function checkQueue({ dataDir }: WorkPlace, folder: string, findings: Findings): number {
  const copy = join(folder, 'migrated-copy.db');
  for (const suffix of ['', '-wal']) {
    rmSync(copy + suffix, { force: true });
    try {
      copyFileSync(join(dataDir, DATABASE_FILE + suffix), copy + suffix);
    } catch {
      // Killed before the file existed
    }
  }
  const db = new Database(copy);
  try {
    const integrity = String(db.pragma('integrity_check(1)', { simple: true }));
    if (integrity !== 'ok') findings.add('I12', `integrity_check after a kill: ${integrity}`);
    const clips = Number(db.prepare('SELECT count(*) FROM clips').pluck().get());
    if (clips !== CLIPS) findings.add('I12', `${clips} of ${CLIPS} clips are left`);
    return Number(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
}
