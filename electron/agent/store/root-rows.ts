import type { WriteDb } from './open-db.ts';

/** What a person said about a folder that holds files which were sent before. */
export type RootAnswer = 'adopt' | 'send';

/** A row of `roots`: the folder that was last seen at a root's path, and the question about it. */
export interface RootRow {
  readonly rootId: string;
  readonly rootPath: string;
  readonly device: string;
  readonly inode: string;
  /** When a person was asked, milliseconds since 1970; null when there is no question. */
  readonly askedAt: number | null;
  readonly answer: RootAnswer | null;
}

/** Which folder stands at a root's path. */
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
    /** The folder is the one to take exports from. */
    accept: ({ rootId, rootPath, device, inode }: SeenRoot) =>
      put.run({ rootId, rootPath, device, inode, askedAt: null }),
    /** Nothing is taken from the folder until a person has answered. */
    ask: ({ rootId, rootPath, device, inode }: SeenRoot, now: number) =>
      put.run({ rootId, rootPath, device, inode, askedAt: now }),
    /** Answers the question about the folder; false when there is none. */
    answer: (rootPath: string, said: RootAnswer) => answer.run(said, rootPath).changes > 0,
    /** Paths of the folders that wait for an answer. */
    waiting: (): readonly string[] => waiting.all(),
  };
}
