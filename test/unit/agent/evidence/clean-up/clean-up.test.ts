import { link, mkdir, readFile, rename, rm, symlink, utimes, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../../helpers/queue-fixture.ts';
import { accountText, FILE_SECONDS, openCleanUpDesk } from '../../../../helpers/clean-up-desk.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

type Desk = Awaited<ReturnType<typeof openCleanUpDesk>>;
const desks: Desk[] = [];
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
});
async function open(options: Parameters<typeof openCleanUpDesk>[0] = {}): Promise<Desk> {
  const desk = await openCleanUpDesk(options);
  desks.push(desk);
  return desk;
}

describe('an export that is proved stored', () => {
  it('is deleted after two looks an hour apart and the days of the policy, each act in the chain', async () => {
    const desk = await open();
    const id = await desk.add('Gate 4', ['a.mp4', 'cam 1/b.mp4']);
    const states: (string | undefined)[] = [];
    for (const ms of [0, HOUR_MS / 2, HOUR_MS / 2, 2 * DAY_MS, DAY_MS]) {
      desk.later(ms);
      // One server behind the service's address has the wrong time
      if (ms === 2 * DAY_MS) desk.serviceClock.observe('Tue, 01 Jan 2036 00:00:00 GMT');
      await desk.pass();
      states.push(desk.tables.cleanUps.byId(id)?.state);
    }
    expect(states).toEqual(['looked', 'looked', 'proved', 'proved', 'done']);
    expect(await desk.files()).toEqual([]);
    await expect(stat(join(desk.root, 'Gate 4'))).rejects.toThrow('ENOENT');
    expect(desk.actions()).toEqual(['export.proved', 'export.deleting', 'export.deleted']);
    expect(desk.events).toMatchObject([
      { event: 'export.cleanedUp', incidentId: id, action: 'deleted', files: 2 },
    ]);
    expect(desk.cleanUp.state()).toMatchObject({ waiting: 0, done: 1, kept: [] });
  });

  it.each(['Job/Left', '2026/05/01/Fight'])(
    'leaves as the folder that it is, wherever the unit of its root has it: %s',
    async (name) => {
      const desk = await open();
      await desk.add(name, ['a.mp4', 'Yard/b.mp4']);
      await desk.passAll();
      expect(desk.cleanUp.state()).toMatchObject({ done: 1, kept: [] });
      expect(await desk.files()).toEqual([]);
      // The folders above it do not belong to the export
      expect((await stat(join(desk.root, name, '..'))).isDirectory()).toBe(true);
    },
  );

  it('stays while another incident lies in its folder', async () => {
    const desk = await open();
    await desk.add('Job/Left', ['a.mp4']);
    await desk.add('Job', ['b.mp4']);
    await desk.pass();
    expect(desk.said()).toEqual([
      expect.stringMatching(
        /Could not clean up the export .*Job: the number of its files changed from 1 to 2\. It is checked again in a day\.$/,
      ),
    ]);
  });

  it('is moved whole, with what was not sent, to a folder of its own', async () => {
    const desk = await open({ policy: { action: 'move' } });
    await desk.add('Gate 4', ['a.mp4'], { 'index.xml': 'companion' });
    await desk.passAll();
    expect(await desk.files()).toEqual([]);
    const moved = desk.target('Gate 4');
    expect(await desk.files(moved)).toEqual(['a.mp4', 'index.xml']);
    expect(await readFile(join(moved, 'index.xml'), 'utf8')).toBe('companion');
    const row = desk.tables.audit.chain().rows.find(({ action }) => action === 'export.moved');
    expect(JSON.parse(row?.detail ?? '')).toMatchObject({
      before: { folder: join(desk.root, 'Gate 4') },
      after: { folder: moved },
      files: 2,
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'is copied, compared and removed where the folder is on another disk',
    async () => {
      const other = join('/dev/shm', `clean-up-${process.pid}`);
      const desk = await open({ policy: { action: 'move' }, folder: other });
      try {
        const [here, there] = [await stat(desk.root), await stat(other)];
        expect(here.dev).not.toBe(there.dev);
        await desk.add('Gate 4', ['a.mp4', 'cam/b.mp4']);
        await writeFile(join(desk.home, 'x'), '');
        await desk.passAll();
        expect(await desk.files()).toEqual([]);
        expect(await desk.files(desk.target('Gate 4'))).toEqual(['a.mp4', 'cam/b.mp4']);
        expect(await readFile(join(desk.target('Gate 4'), 'cam/b.mp4'), 'utf8')).toBe('Gate 4 cam/b.mp4');
      } finally {
        await rm(other, { recursive: true, force: true });
      }
    },
  );
});

/** What may be wrong, made so after the second look: description, the sentence that reports it, the change. */
const doubts: readonly (readonly [string, string, (desk: Desk, folder: string, id: string) => unknown])[] = [
  [
    'a new file in it',
    'the number of its files changed from 1 to 2',
    (_, folder) => writeFile(join(folder, 'new.mp4'), 'x'),
  ],
  [
    'another file in place of a clip',
    'a.mp4',
    async (_, folder) => {
      await rm(join(folder, 'a.mp4'));
      await writeFile(join(folder, 'a.mp4'), 'Gate 4 a.mp4');
    },
  ],
  [
    'a clip that was written to, its time put back',
    'differs from what was sent',
    async (_, folder) => {
      const path = join(folder, 'a.mp4');
      await writeFile(path, 'Gate 4 A.mp4');
      await utimes(path, FILE_SECONDS, FILE_SECONDS);
    },
  ],
  [
    'a clip that has gone',
    'the number of its files changed from 1 to 0',
    (_, folder) => rm(join(folder, 'a.mp4')),
  ],
  ['a link in it', 'not a regular file', (desk, folder) => symlink(desk.home, join(folder, 'link'))],
  [
    'a second name of a clip',
    'has another hard link',
    (desk, folder) => link(join(folder, 'a.mp4'), join(desk.home, 'b')),
  ],
  [
    'its folder reached through a link',
    'it is not a folder',
    async (desk, folder) => {
      await rename(folder, join(desk.home, 'elsewhere'));
      await symlink(join(desk.home, 'elsewhere'), folder);
    },
  ],
  [
    'another watched folder in place of the one before',
    'the watched folder was replaced',
    async (desk) => {
      await rename(desk.root, `${desk.root}-before`);
      await mkdir(desk.root);
      await rename(join(`${desk.root}-before`, 'Gate 4'), join(desk.root, 'Gate 4'));
    },
  ],
  [
    'a question about its watched folder',
    'the watched folder was replaced',
    (desk) => {
      const row = desk.tables.roots.byId('root-1');
      if (row !== undefined) desk.tables.roots.ask(row, 1);
    },
  ],
  [
    'a service that lists another key',
    'a different storage key',
    (desk) => {
      desk.service.change = (video) => ({ ...video, storage_key: 'other' });
    },
  ],
  [
    'a service that lists no key',
    'without a storage key',
    (desk) => {
      desk.service.change = (video) => ({ ...video, storage_key: null });
    },
  ],
  [
    'a service that no longer lists a clip',
    'does not list',
    (desk) => {
      desk.service.change = (video) => ({ ...video, id: 'other' });
    },
  ],
  [
    'a clip that was altered',
    'it is not certain that a.mp4 was sent',
    (desk, _, id) => {
      desk.tables.clips.setAltered(`${id} a.mp4`, '{}');
    },
  ],
  [
    'a file of it that is held back',
    'something in it is not in the queue',
    (desk) => {
      const place = {
        rootId: 'root-1',
        rootPath: desk.root,
        exportPath: 'Gate 4',
        since: 1,
        settlesAt: null,
      };
      desk.tables.seenExports.put({ ...place, state: 'held', print: '', facts: '{}', pushed: 0 });
    },
  ],
  [
    'files that are not recognised',
    'not recognised',
    (desk, _, id) => {
      desk.tables.incidents.setFiles(id, accountText({ clip: 1, unknown: 1 }));
    },
  ],
];

describe('an export that is in doubt stays whole, with the reason', () => {
  it.each(doubts)('%s', async (_, reason, change) => {
    const desk = await open();
    const id = await desk.add('Gate 4', ['a.mp4']);
    await desk.pass();
    desk.later(HOUR_MS);
    await desk.pass();
    expect(desk.tables.cleanUps.byId(id)?.state).toBe('proved');
    const before = await desk.files();
    await change(desk, join(desk.root, 'Gate 4'), id);
    const changed = new Set(await desk.files().catch(() => before));
    for (let day = 0; day < 3; day += 1) {
      desk.later(3 * DAY_MS);
      await desk.pass();
    }
    expect(new Set(await desk.files().catch(() => before))).toEqual(changed);
    expect(desk.said().join('\n')).toContain(reason);
    expect(desk.actions()).not.toContain('export.deleted');
    expect(desk.cleanUp.state()?.kept).toHaveLength(1);
  });

  it.each([
    ['a failed clip', (desk: Desk, id: string) => desk.tables.clips.failed(`${id} a.mp4`, '{}')],
    [
      'a failed clip that a person left out',
      (desk: Desk, id: string) => {
        desk.tables.clips.failed(`${id} a.mp4`, '{}');
        desk.tables.clips.leaveOut(`${id} a.mp4`, 1);
      },
    ],
    ['a clip that waits', (desk: Desk, id: string) => desk.tables.clips.requeue(`${id} a.mp4`)],
    ['a record that the service lacks', (desk: Desk, id: string) => desk.tables.incidents.touch(id, 1)],
    [
      'a folder that was seen gone',
      (desk: Desk, id: string) => desk.tables.incidents.setFolderGone(id, true),
    ],
  ])('%s is not even looked at', async (_, change) => {
    const desk = await open();
    change(desk, await desk.add('Gate 4', ['a.mp4']));
    await desk.passAll();
    expect(await desk.files()).toEqual(['Gate 4/a.mp4']);
    expect(desk.cleanUp.state()).toMatchObject({ waiting: 0, done: 0 });
  });

  it('is never deleted with a file that was not sent, and neither is one that another desk may need', async () => {
    const desk = await open();
    await desk.add('Gate 4', ['a.mp4'], { 'index.xml': 'companion' });
    await desk.passAll();
    expect(await desk.files()).toEqual(['Gate 4/a.mp4', 'Gate 4/index.xml']);
    expect(desk.said()[0]).toContain('index.xml was not sent');
    const shared = await open({ siteId: 'north' });
    await shared.add('Gate 4', ['a.mp4']);
    await shared.passAll();
    expect(await shared.files()).toEqual(['Gate 4/a.mp4']);
    expect(shared.cleanUp.state()).toMatchObject({ isOff: true });
  });

  it('waits while the service does not answer, and goes on from there', async () => {
    const desk = await open();
    await desk.add('Gate 4', ['a.mp4']);
    desk.service.answer = failureOf('NETWORK');
    await desk.passAll();
    expect(desk.cleanUp.state()).toMatchObject({ waiting: 0, kept: [] });
    desk.service.answer = undefined;
    await desk.passAll();
    expect(await desk.files()).toEqual([]);
  });

  it.each(['inside a watched folder', 'gone', 'taken'])(
    'is not moved to a folder that is %s',
    async (what) => {
      const desk = await open({ policy: { action: 'move' } });
      await desk.add('Gate 4', ['a.mp4']);
      if (what === 'gone') await rm(desk.folder, { recursive: true });
      if (what === 'taken') await mkdir(join(desk.target('Gate 4'), 'x'), { recursive: true });
      if (what === 'inside a watched folder') {
        await rm(desk.folder, { recursive: true });
        await symlink(desk.root, desk.folder);
      }
      await desk.passAll();
      expect(await desk.files()).toEqual(['Gate 4/a.mp4']);
      expect(desk.cleanUp.state()?.kept).toHaveLength(1);
    },
  );
});
