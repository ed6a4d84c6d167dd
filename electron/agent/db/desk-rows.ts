import type { WriteDb } from './open-db.ts';

/** The statements on `desk`: whose queue this is, so that a lost desk.json is not made anew with another id. */
export function createDeskRows(db: WriteDb) {
  const get = db.prepare<[], string>('SELECT desk_id FROM desk').pluck();
  const set = db.prepare<[string]>('INSERT INTO desk (id, desk_id) VALUES (1, ?)');
  return {
    get: () => get.get(),
    set: (deskId: string) => set.run(deskId),
  };
}
