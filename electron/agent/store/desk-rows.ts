import type { WriteDb, ReadDb } from './open-db.ts';

/** What tells one queue from another: its desk's ID, a random ID of its own, and how often an agent has opened it. */
export interface QueueIdentity {
  readonly deskId: string;
  readonly queueId: string;
  readonly starts: number;
}

/**
 * The statements on `desk`: whose queue this is, so that a lost desk.json is not recreated with another ID, and whether
 * it is paused.
 */
export function createDeskRows(db: WriteDb) {
  const get = db.prepare<[], { deskId: string; queueId: string | null; starts: number }>(
    'SELECT desk_id AS deskId, queue_id AS queueId, starts FROM desk',
  );
  const set = db.prepare<QueueIdentity>(`INSERT INTO desk (id, desk_id, queue_id, starts)
    VALUES (1, @deskId, @queueId, @starts)
    ON CONFLICT (id) DO UPDATE SET desk_id = @deskId, queue_id = @queueId, starts = @starts`);
  const isPaused = db.prepare<[], number>('SELECT paused FROM desk').pluck();
  const setPaused = db.prepare<[number]>('UPDATE desk SET paused = ?');
  const camerasApplied = db.prepare<[], string | null>('SELECT cameras FROM desk').pluck();
  const setCamerasApplied = db.prepare<[string]>('UPDATE desk SET cameras = ?');
  const probe = db.prepare('UPDATE desk SET starts = starts');
  return {
    /** `queueId` is null in a queue of an earlier version. */
    identity: () => get.get(),
    identify: (identity: QueueIdentity) => set.run(identity),
    /** Whether a person has paused all uploads. */
    isPaused: () => isPaused.get() === 1,
    setPaused: (paused: boolean) => setPaused.run(paused ? 1 : 0),
    /** SHA-256 of the list of cameras that the queue was last brought up to date with. */
    camerasApplied: () => camerasApplied.get() ?? undefined,
    setCamerasApplied: (digest: string) => setCamerasApplied.run(digest),
    /** Rewrites the row unchanged: throws while nothing can be stored. */
    probe: () => probe.run(),
  };
}

/** A key that the desk signs, or signed, with. One that replaced another may carry a signature by its predecessor. */
export interface DeskKeyRow {
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), lower-case hexadecimal. */
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** What the previous key signed about this one: canonical JSON; null for the first key and after a loss. */
  readonly statement: string | null;
  /** Base64. */
  readonly signature: string | null;
}

const columns = 'fingerprint, public_key AS publicKey, since, statement, signature';

/** The statements on `desk_keys`. */
export function createDeskKeyRows(db: WriteDb) {
  const add = db.prepare<DeskKeyRow>(`INSERT INTO desk_keys
    (fingerprint, public_key, since, statement, signature)
    VALUES (@fingerprint, @publicKey, @since, @statement, @signature)`);
  return { add: (row: DeskKeyRow) => add.run(row), ...createDeskKeyReads(db) };
}

/** The reads of `desk_keys`. */
function createDeskKeyReads(db: ReadDb) {
  const all = db.prepare<[], DeskKeyRow>(`SELECT ${columns} FROM desk_keys ORDER BY number`);
  return { all: (): readonly DeskKeyRow[] => all.all() };
}

/** A person's answer about a folder that holds files which were sent before. */
export type RootAnswer = 'adopt' | 'send';

/** A row of `roots`: the folder last seen at a root's path, and the question about it. */
interface RootRow {
  readonly rootId: string;
  readonly rootPath: string;
  readonly device: string;
  readonly inode: string;
  /** When a person was asked, milliseconds since 1970; null when there is no question. */
  readonly askedAt: number | null;
  readonly answer: RootAnswer | null;
}

/** The folder found at a root's path. */
export type SeenRoot = Pick<RootRow, 'rootId' | 'rootPath' | 'device' | 'inode'>;

/** The statements on `roots`. */
export function createRootRows(db: WriteDb) {
  const byId = db.prepare<[string], RootRow>(`SELECT root_id AS rootId, root_path AS rootPath, device, inode,
    asked_at AS askedAt, answer FROM roots WHERE root_id = ?`);
  const put = db.prepare<SeenRoot & { askedAt: number | null }>(`INSERT OR REPLACE INTO roots
    (root_id, root_path, device, inode, asked_at) VALUES (@rootId, @rootPath, @device, @inode, @askedAt)`);
  const answer = db.prepare<[RootAnswer, string]>(
    'UPDATE roots SET answer = ? WHERE root_path = ? AND asked_at IS NOT NULL AND answer IS NULL',
  );
  const waiting = db
    .prepare<[], string>('SELECT root_path FROM roots WHERE asked_at IS NOT NULL AND answer IS NULL')
    .pluck();
  return {
    byId: (rootId: string) => byId.get(rootId),
    /** Exports are read from this folder from now on. */
    accept: ({ rootId, rootPath, device, inode }: SeenRoot) =>
      put.run({ rootId, rootPath, device, inode, askedAt: null }),
    /** Nothing is read from the folder until a person has answered. */
    ask: ({ rootId, rootPath, device, inode }: SeenRoot, now: number) =>
      put.run({ rootId, rootPath, device, inode, askedAt: now }),
    /** Answers the question about the folder; false when there is none. */
    answer: (rootPath: string, given: RootAnswer) => answer.run(given, rootPath).changes > 0,
    /** Paths of the folders that wait for an answer. */
    waiting: (): readonly string[] => waiting.all(),
  };
}

/** A row of `sooner_ends`. */
export interface EarlyEndRow {
  readonly container: string;
  /** How many clips changed after they had been queued early. */
  readonly wrong: number;
  /** When the last of them was seen, milliseconds since 1970. */
  readonly wrongAt: number;
}

/** The statements on `sooner_ends`. */
export function createEarlyEndRows(db: WriteDb) {
  const ofRoot = db.prepare<[string], EarlyEndRow>(
    'SELECT container, wrong, wrong_at AS wrongAt FROM sooner_ends WHERE root_id = ? ORDER BY container',
  );
  const put = db.prepare<EarlyEndRow & { rootId: string }>(`INSERT OR REPLACE INTO sooner_ends
    (root_id, container, wrong, wrong_at) VALUES (@rootId, @container, @wrong, @wrongAt)`);
  const forget = db.prepare<[number]>('DELETE FROM sooner_ends WHERE wrong_at <= ?');
  return {
    ofRoot: (rootId: string): readonly EarlyEndRow[] => ofRoot.all(rootId),
    put: (rootId: string, { container, wrong, wrongAt }: EarlyEndRow) =>
      put.run({ rootId, container, wrong, wrongAt }),
    /** Forgets, in all folders, rows that were last wrong at this time or earlier. */
    forget: (wrongAt: number) => forget.run(wrongAt),
  };
}
