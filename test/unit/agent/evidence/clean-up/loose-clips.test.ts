import { rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { accountText, FILE_SECONDS, openCleanUpDesk } from '../../../../helpers/clean-up-desk.ts';

const HOUR_MS = 60 * 60_000;

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

describe('a clip that lies loose in its root', () => {
  it('is moved to a folder whose name every system takes, whatever its sidecar says as its ID', async () => {
    const desk = await open({ unit: 'file', policy: { action: 'move' } });
    await desk.add('a.mp4', ['a.mp4'], {}, '', 'INC:2026-17');
    await desk.passAll();
    expect(await desk.files(desk.folder)).toEqual([join('a.mp4 INC_2026', 'a.mp4')]);
  });

  it.each(['delete', 'move'] as const)(
    'leaves its root with its companions, and nothing else does: %s',
    async (action) => {
      const desk = await open({ unit: 'file', policy: { action } });
      const besides = action === 'move' ? { 'a.xml': 'companion', 'a.mp4.sig': 'signature' } : {};
      await desk.add('a.mp4', ['a.mp4'], besides, '');
      await desk.add('window of b', ['b.mp4', 'cam 1/c.mp4'], {}, '');
      const others = ['a-b.mp4', 'ab.xml', 'cam 1/a.mp4', 'readme.txt'];
      for (const path of others) await writeFile(join(desk.root, path), 'not taken in');
      await desk.passAll();
      expect(desk.cleanUp.state()).toMatchObject({ done: 2, kept: [] });
      expect(await desk.files()).toEqual(others);
      const list =
        action === 'move'
          ? [
              ['a.mp4', 'a.mp4.sig', 'a.xml'],
              ['b.mp4', 'cam 1/c.mp4'],
            ]
          : [[], []];
      for (const [index, name] of ['a.mp4', 'window of b'].entries())
        expect(await desk.files(desk.target(name)).catch(() => [])).toEqual(list[index]);
      const last = desk.tables.audit.chain().rows.at(-1);
      expect(last?.action).toBe(action === 'move' ? 'export.moved' : 'export.deleted');
    },
  );

  it.each<readonly [string, string, (desk: Desk, id: string) => unknown]>([
    [
      'a companion that came since',
      'the number of its files changed from 1 to 2',
      (desk) => writeFile(join(desk.root, 'a.xml'), 'x'),
    ],
    ['a clip that has gone', 'changed from 1 to 0', (desk) => rm(join(desk.root, 'a.mp4'))],
    [
      'a clip of the same name in place of its companion',
      'a.mkv has the name of one of its clips but is not part of it',
      async (desk, id) => {
        desk.tables.incidents.setFiles(id, accountText({ clip: 1, companion: 1 }));
        await writeFile(join(desk.root, 'a.mkv'), 'x');
      },
    ],
    [
      'a companion that is an export of its own',
      'a.xml has the name of one of its clips but is not part of it',
      async (desk, id) => {
        desk.tables.incidents.setFiles(id, accountText({ clip: 1, companion: 1 }));
        await desk.add('a.xml', ['a.xml'], {}, '');
      },
    ],
    [
      'a clip that is a link',
      'a.mp4 is not a regular file',
      async (desk) => {
        await rename(join(desk.root, 'a.mp4'), join(desk.home, 'a.mp4'));
        await symlink(join(desk.home, 'a.mp4'), join(desk.root, 'a.mp4'));
      },
    ],
    [
      'a clip that was written to, its time put back',
      'differs from what was sent',
      async (desk) => {
        await writeFile(join(desk.root, 'a.mp4'), 'a.mp4 A.mp4');
        await utimes(join(desk.root, 'a.mp4'), FILE_SECONDS, FILE_SECONDS);
      },
    ],
  ])('stays, with the reason: %s', async (_, reason, change) => {
    const desk = await open({ unit: 'file', policy: { action: 'move' } });
    const id = await desk.add('a.mp4', ['a.mp4'], {}, '');
    await desk.pass();
    desk.later(HOUR_MS);
    await desk.pass();
    await change(desk, id);
    const before = (await desk.files()).filter((path) => path !== 'a.xml');
    await desk.passAll();
    expect(await desk.files()).toEqual(expect.arrayContaining(before));
    expect(desk.said().join('\n')).toContain(reason);
    expect(desk.actions()).not.toContain('export.moving');
  });
});
