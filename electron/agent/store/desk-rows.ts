import type { WriteDb } from './open-db.ts';

/** What tells one queue from another: whose it is, a random id of its own, and how often it was opened by an agent. */
export interface QueueIdentity {
  readonly deskId: string;
  readonly queueId: string;
  readonly starts: number;
}

/** The statements on `desk`: whose queue this is, so that a lost desk.json is not made anew with another id, and whether it is paused. */
export function createDeskRows(db: WriteDb) {
  const get = db.prepare<[], { deskId: string; queueId: string | null; starts: number }>(
    'SELECT desk_id AS deskId, queue_id AS queueId, starts FROM desk',
  );
  const set = db.prepare<QueueIdentity>(`INSERT INTO desk (id, desk_id, queue_id, starts)
    VALUES (1, @deskId, @queueId, @starts)
    ON CONFLICT (id) DO UPDATE SET desk_id = @deskId, queue_id = @queueId, starts = @starts`);
  const isPaused = db.prepare<[], number>('SELECT paused FROM desk').pluck();
  const setPaused = db.prepare<[number]>('UPDATE desk SET paused = ?');
  const probe = db.prepare('UPDATE desk SET starts = starts');
  return {
    /** `queueId` is null in a queue of an earlier version. */
    identity: () => get.get(),
    identify: (identity: QueueIdentity) => set.run(identity),
    /** A person paused all uploads. */
    isPaused: () => isPaused.get() === 1,
    setPaused: (paused: boolean) => setPaused.run(paused ? 1 : 0),
    /** Writes the row as it is: throws while nothing can be stored. */
    probe: () => probe.run(),
  };
}
