import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openCleanUpDesk } from '../../../../helpers/clean-up-desk.ts';

const DAY_MS = 24 * 60 * 60_000;

type Desk = Awaited<ReturnType<typeof openCleanUpDesk>>;
const desks: Desk[] = [];
afterEach(async () => {
  for (const desk of desks.splice(0).toReversed()) await desk.close();
});
async function open(options: Parameters<typeof openCleanUpDesk>[0] = {}): Promise<Desk> {
  const desk = await openCleanUpDesk(options);
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

describe('a move that has begun when the policy changes', () => {
  /** The same desk a month later, under another policy. */
  async function changed(desk: Desk, options: Parameters<typeof openCleanUpDesk>[0]): Promise<Desk> {
    const next = await open({ home: desk.home, root: desk.root, tables: desk.tables, ...options });
    next.later(30 * DAY_MS);
    return next;
  }

  /** A desk where another folder already exists at the export's destination. */
  async function stuck(): Promise<{ readonly desk: Desk; readonly id: string }> {
    const desk = await open({ policy: { action: 'move' } });
    const id = await desk.add('Gate 4', ['a.mp4', 'b.mp4']);
    await mkdir(desk.target('Gate 4'));
    await desk.passAll();
    expect(desk.tables.cleanUps.byId(id)).toMatchObject({ state: 'acting' });
    await rm(desk.target('Gate 4'), { recursive: true });
    return { desk, id };
  }

  const lastOf = (desk: Desk, action: string) =>
    desk.tables.audit.chain().rows.findLast((row) => row.action === action)?.detail ?? '{}';

  it.each(['another folder', 'deletion'])(
    'ends in the folder that it began with, where all of it lies by then: %s',
    async (what) => {
      const { desk, id } = await stuck();
      const moved = desk.target('Gate 4');
      await rename(join(desk.root, 'Gate 4'), moved);
      const next = await changed(
        desk,
        what === 'deletion'
          ? { policy: { action: 'delete' } }
          : { policy: { action: 'move' }, folder: join(desk.home, 'new') },
      );
      await next.pass();
      expect(next.said()).toEqual([]);
      expect(next.tables.cleanUps.byId(id)).toMatchObject({ state: 'done', plan: null, reason: null });
      expect(await next.files(moved)).toEqual(['a.mp4', 'b.mp4']);
      expect(JSON.parse(lastOf(next, 'export.moved'))).toMatchObject({ after: { folder: moved } });
    },
  );

  it('takes away the rest of an export whose copy is whole', async () => {
    const { desk, id } = await stuck();
    const moved = desk.target('Gate 4');
    await cp(join(desk.root, 'Gate 4'), moved, { recursive: true });
    await rm(join(desk.root, 'Gate 4', 'a.mp4'));
    const next = await changed(desk, { policy: { action: 'delete' } });
    await next.pass();
    expect(next.tables.cleanUps.byId(id)).toMatchObject({ state: 'done' });
    expect(await next.files()).toEqual([]);
    expect(await next.files(moved)).toEqual(['a.mp4', 'b.mp4']);
  });

  it.each(['another folder', 'deletion'])(
    'is looked at again from the start while nothing of it was done: %s',
    async (what) => {
      const { desk, id } = await stuck();
      const next = await changed(
        desk,
        what === 'deletion'
          ? { policy: { action: 'delete' } }
          : { policy: { action: 'move' }, folder: join(desk.home, 'new') },
      );
      await next.pass();
      expect(next.tables.cleanUps.byId(id)).toMatchObject({ state: 'looked', plan: null, reason: null });
      expect(next.actions()).toContain('export.kept');
      expect(await next.files()).toEqual(['Gate 4/a.mp4', 'Gate 4/b.mp4']);
      await next.passAll();
      expect(next.tables.cleanUps.byId(id)).toMatchObject({ state: 'done' });
      expect(await next.files(next.folder)).toEqual(
        what === 'deletion'
          ? []
          : ['a.mp4', 'b.mp4'].map((name) => join(basename(next.target('Gate 4')), name)),
      );
    },
  );

  it('waits, and says so, while the folder that it began with is not there', async () => {
    const { desk, id } = await stuck();
    await rm(join(desk.root, 'Gate 4', 'a.mp4'));
    await rm(desk.folder, { recursive: true });
    const next = await changed(desk, { policy: { action: 'move' }, folder: join(desk.home, 'new') });
    await next.pass();
    expect(next.said()).toEqual([
      expect.stringContaining('the destination folder for moved exports does not exist'),
    ]);
    expect(next.tables.cleanUps.byId(id)).toMatchObject({ state: 'acting' });
  });
});
