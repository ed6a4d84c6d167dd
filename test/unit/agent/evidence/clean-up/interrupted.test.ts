import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openCleanUpDesk } from '../../../../helpers/clean-up-desk.ts';

const DAY_MS = 24 * 60 * 60_000;

type Desk = Awaited<ReturnType<typeof openCleanUpDesk>>;
const desks: Desk[] = [];
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
});
async function open(): Promise<Desk> {
  const desk = await openCleanUpDesk();
  desks.push(desk);
  return desk;
}

describe('an act that a kill interrupted', () => {
  async function interrupted(desk: Desk, below = 'Gate 4'): Promise<string> {
    const id = await desk.add('Gate 4', ['a.mp4', 'b.mp4'], {}, below);
    await desk.pass();
    const row = desk.tables.cleanUps.byId(id) ?? expect.fail('no row');
    const files = desk.tables.clips
      .ofIncident(id)
      .map(({ path, sizeBytes, mtimeNs, inode, device, sha256 }) => ({
        path,
        sizeBytes,
        mtimeNs,
        inode,
        device,
        sha256,
      }));
    const plan = JSON.stringify({ action: 'delete', files });
    desk.tables.cleanUps.put({ ...row, state: 'acting', nextAt: 0, plan });
    await rm(join(desk.root, below, 'a.mp4'));
    return id;
  }

  it('is gone on with', async () => {
    const desk = await open();
    const id = await interrupted(desk);
    await desk.pass();
    expect(await desk.files()).toEqual([]);
    expect(desk.tables.cleanUps.byId(id)).toMatchObject({ state: 'done', plan: null });
  });

  it('is gone on with where its files lie loose, and takes nothing else', async () => {
    const desk = await open();
    const id = await interrupted(desk, '');
    await writeFile(join(desk.root, 'b.xml'), 'new');
    await desk.pass();
    expect(await desk.files()).toEqual(['b.xml']);
    expect(desk.tables.cleanUps.byId(id)).toMatchObject({ state: 'done', plan: null });
  });

  it('waits, and says so, when something new is in the folder by then', async () => {
    const desk = await open();
    await interrupted(desk);
    await writeFile(join(desk.root, 'Gate 4', 'new.mp4'), 'new');
    await desk.pass();
    expect(await desk.files()).toEqual(['Gate 4/b.mp4', 'Gate 4/new.mp4']);
    expect(desk.said()[0]).toContain('new.mp4 was added to it (the deletion has already started)');
    await rm(join(desk.root, 'Gate 4', 'new.mp4'));
    desk.later(DAY_MS);
    await desk.pass();
    expect(await desk.files()).toEqual([]);
  });

  it('does nothing by a plan that somebody wrote into the queue with a path out of the folder', async () => {
    const desk = await open();
    const id = await interrupted(desk);
    await writeFile(join(desk.root, 'victim.mp4'), 'x');
    const row = desk.tables.cleanUps.byId(id) ?? expect.fail('no row');
    desk.tables.cleanUps.put({ ...row, plan: row.plan?.replace('a.mp4', '../victim.mp4') ?? null });
    await desk.pass();
    expect(await desk.files()).toEqual(['Gate 4/b.mp4', 'victim.mp4']);
  });
});
