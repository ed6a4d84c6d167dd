import type { WriteDb } from './open-db.ts';

/** The statements on `desk`: whose queue this is, so that a lost desk.json is not made anew with another id, and whether it is paused. */
export function createDeskRows(db: WriteDb) {
  const get = db.prepare<[], string>('SELECT desk_id FROM desk').pluck();
  const set = db.prepare<[string]>('INSERT INTO desk (id, desk_id) VALUES (1, ?)');
  const isPaused = db.prepare<[], number>('SELECT paused FROM desk').pluck();
  const setPaused = db.prepare<[number]>('UPDATE desk SET paused = ?');
  return {
    get: () => get.get(),
    set: (deskId: string) => set.run(deskId),
    /** A person paused all uploads. */
    isPaused: () => isPaused.get() === 1,
    setPaused: (paused: boolean) => setPaused.run(paused ? 1 : 0),
  };
}
