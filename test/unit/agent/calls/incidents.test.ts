import { chmod, mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callSchemas } from '../../../../shared/ipc/contract.ts';
import { openOrderDesk, type OrderDesk } from '../../../helpers/order-desk.ts';
import { incidentRow } from '../../../helpers/queue-fixture.ts';
import { listFolders } from '../../../../electron/agent/calls/incidents.ts';
import { createBrowseGate } from '../../../../electron/agent/files/find-folder.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

describe('incidents.edit', () => {
  it('wakes the queue and announces a change, and does neither after a refusal', async () => {
    desk.tables.incidents.insert(incidentRow());
    const changes = { title: 'A fight' };
    expect(await desk.run('incidents.edit', { incidentId: 'incident-1', changes })).toEqual({
      ok: true,
      value: { version: 2 },
    });
    await desk.run('incidents.edit', { incidentId: 'incident-9', changes });
    expect(desk.wakes()).toBe(1);
    expect(desk.announced).toEqual(['uploads', 'health']);
  });
});

describe('exports.push', () => {
  const push = (folders: readonly string[], more = {}) => desk.run('exports.push', { folders, ...more });
  const make = async (...names: readonly string[]) => {
    for (const name of names) await mkdir(join(desk.home, name), { recursive: true });
    return names.map((name) => join(desk.home, name));
  };

  it('hands the real folders on with what was said, each once', async () => {
    const [one = '', other = ''] = await make('exports/Fight', 'elsewhere/Brawl');
    const details = { title: 'A fight', incidentAt: '2026-05-01T18:30:05.000Z' };
    expect(await push([one, `${one}/`, other], details)).toEqual({
      ok: true,
      value: { folders: [one, other] },
    });
    expect(desk.pushed).toEqual([
      { folder: one, ...details },
      { folder: other, ...details },
    ]);
  });

  it('sends none when one does not suit, and names that one', async () => {
    const [one = ''] = await make('exports/Fight');
    const refused = await push([one, join(desk.home, 'missing')]);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'ROOT_MISSING', fields: [{ name: 'folders.1' }] },
    });
    expect(desk.pushed).toEqual([]);
  });

  it.each([
    ['a folder of the system', '/etc', 'ROOT_FORBIDDEN'],
    ['the home folder', homedir(), 'ROOT_FORBIDDEN'],
    ['the disk', '/', 'ROOT_FORBIDDEN'],
  ])('refuses %s', async (_what, folder, code) => {
    expect(await push([folder])).toMatchObject({ ok: false, error: { code } });
  });

  it('refuses the data folder, a watched folder, what holds one, and a link', async () => {
    const [data = '', linked = ''] = [...(await make('data')), join(desk.home, 'linked')];
    await symlink(desk.root, linked);
    const codes = [data, desk.root, desk.home, linked].map(async (folder) => {
      const answer = await push([folder]);
      return answer.ok ? 'taken' : answer.error.code;
    });
    expect(await Promise.all(codes)).toEqual([
      'ROOT_FORBIDDEN',
      'ROOT_OVERLAP',
      // it also holds the data directory
      'ROOT_FORBIDDEN',
      'ROOT_LINK',
    ]);
  });

  it('refuses folders that are inside each other', async () => {
    const folders = await make('elsewhere/Fight', 'elsewhere/Fight/clips');
    expect(await push(folders)).toMatchObject({ ok: false, error: { code: 'ROOT_OVERLAP' } });
    expect(desk.pushed).toEqual([]);
  });
});

describe('exports.preview', () => {
  it('refuses what sending would refuse, without a look inside', async () => {
    expect(await desk.run('exports.preview', { folder: '/etc' })).toMatchObject({
      ok: false,
      error: { code: 'ROOT_FORBIDDEN' },
    });
  });
});

describe('folders.list', () => {
  it('starts where the watched folders lie, and at home', async () => {
    const answer = await desk.run('folders.list', {});
    const paths = answer.ok ? answer.value.folders.map(({ path }) => path) : [];
    expect(paths).toEqual([desk.home, homedir()]);
  });
});

describe('the contract', () => {
  it('takes what the calls answer', async () => {
    await desk.write('exports/Fight/a.mp4');
    const preview = await desk.run('exports.preview', { folder: join(desk.root, 'Fight') });
    const list = await desk.run('folders.list', { path: desk.root });
    expect(callSchemas['exports.preview'].output.safeParse(preview.ok && preview.value).success).toBe(true);
    expect(callSchemas['folders.list'].output.safeParse(list.ok && list.value).success).toBe(true);
  });

  it.each(['relative/path', '', '../x', 'C:x', '/a\0b', `/${'x'.repeat(4096)}`])(
    'refuses the path %j',
    (folder) => {
      expect(callSchemas['exports.preview'].input.safeParse({ folder }).success).toBe(false);
    },
  );

  it.each(['/srv/exports', 'D:\\Exports', '\\\\nas\\exports'])('takes the path %j', (folder) => {
    expect(callSchemas['exports.preview'].input.safeParse({ folder }).success).toBe(true);
  });

  it('takes one to fifty folders', () => {
    const takes = (count: number): boolean =>
      callSchemas['exports.push'].input.safeParse({ folders: Array(count).fill('/srv/x') }).success;
    expect([0, 1, 50, 51].map(takes)).toEqual([false, true, true, false]);
  });
});

async function list(path?: string, childGate?: Parameters<typeof listFolders>[0]['childGate']) {
  const { clock, stopping } = desk.parts;
  const parts = {
    gate: createBrowseGate(clock, stopping),
    childGate: childGate ?? createRootGate({ clock, rootPath: '' }),
    places: [desk.home, join(desk.home, 'missing'), desk.home],
  };
  return listFolders(parts, path, desk.signal);
}
async function names(path: string): Promise<readonly string[]> {
  const answer = await list(path);
  return answer.ok ? answer.value.folders.map(({ name }) => name) : [];
}
async function codeOf(path: string): Promise<string | undefined> {
  const answer = await list(path);
  return answer.ok ? undefined : answer.error.code;
}

describe('listFolders', () => {
  it('starts at the given places that exist, each once', async () => {
    expect(await list()).toEqual({
      ok: true,
      value: {
        folders: [{ name: desk.home.split(sep).at(-1), path: desk.home, isReadable: true }],
        isCut: false,
      },
    });
  });

  it('tells a folder in which nothing lies from one without folders', async () => {
    await mkdir(join(desk.home, 'new'));
    expect(await list(join(desk.home, 'new'))).toMatchObject({ value: { folders: [], isEmpty: true } });
    await desk.write('exports/a.mp4');
    const answer = await list(desk.root);
    expect(answer).toMatchObject({ value: { folders: [] } });
    expect(answer).not.toMatchObject({ value: { isEmpty: true } });
  });

  it('lists the folders in a folder by name, and the one above', async () => {
    for (const name of ['Gate 10', 'Gate 9', 'arena']) await mkdir(join(desk.root, name));
    await desk.write('exports/a.mp4');
    const answer = await list(desk.root);
    expect(answer).toMatchObject({
      ok: true,
      value: {
        folder: desk.root,
        parent: desk.home,
        folders: [
          { name: 'arena', path: join(desk.root, 'arena'), isReadable: true },
          { name: 'Gate 9' },
          { name: 'Gate 10' },
        ],
        isCut: false,
      },
    });
  });

  it('has no folder above the top', async () => {
    const answer = await list('/');
    expect(answer.ok && answer.value).not.toHaveProperty('parent');
  });

  it('leaves out hidden folders and links, and the bins of systems', async () => {
    for (const name of ['.ssh', '$RECYCLE.BIN', 'lost+found', 'Fight']) await mkdir(join(desk.root, name));
    await symlink('/etc', join(desk.root, 'linked'));
    expect(await names(desk.root)).toEqual(['Fight']);
  });

  it('ends at a thousand folders and says so', async () => {
    for (let index = 0; index < 1_010; index++) await mkdir(join(desk.root, `f${index}`));
    const answer = await list(desk.root);
    expect(answer.ok && [answer.value.folders.length, answer.value.isCut]).toEqual([1_000, true]);
  });

  it('names the real place of a folder behind a link', async () => {
    await desk.write('exports/Fight/a.mp4');
    await mkdir(join(desk.root, 'Fight', 'inner'));
    await symlink(desk.root, join(desk.home, 'way'));
    expect(await list(join(desk.home, 'way', 'Fight'))).toMatchObject({
      value: { folder: join(desk.root, 'Fight'), folders: [{ path: join(desk.root, 'Fight', 'inner') }] },
    });
  });

  it.each([
    ['what is not there', 'missing', 'ROOT_MISSING'],
    ['a file', 'a.mp4', 'ROOT_NOT_FOLDER'],
    ['what would be inside a file', 'a.mp4/x', 'ROOT_MISSING'],
    ['a link', 'linked', 'ROOT_LINK'],
    ['a link with a slash at its end', 'linked/', 'ROOT_LINK'],
  ])('refuses %s', async (_what, path, code) => {
    await desk.write('a.mp4');
    await symlink(desk.root, join(desk.home, 'linked'));
    expect(await codeOf(`${desk.home}/${path}`)).toBe(code);
  });

  it('refuses a path of another system, which would be looked for beside the program', async () => {
    expect(await codeOf('C:\\Exports')).toBe('ROOT_NOT_FOLDER');
  });

  // Root can read everything, whatever the permissions
  it.skipIf(process.getuid?.() === 0)('tells folders that may not be read', async () => {
    const closed = join(desk.root, 'closed');
    await mkdir(closed);
    await chmod(closed, 0);
    expect(await list(desk.root)).toMatchObject({ value: { folders: [{ isReadable: false }] } });
    expect(await codeOf(closed)).toBe('FOLDER_NO_ACCESS');
  });

  it('lists the others when one does not answer, and says nothing about their rights', async () => {
    await mkdir(join(desk.root, 'Fight'));
    const { clock } = desk.parts;
    const hung = createRootGate({ clock, rootPath: '', deadlineMs: 20 });
    const never = Promise.withResolvers<undefined>();
    await hung.run(() => never.promise).catch(() => undefined);
    const answer = await list(desk.root, hung);
    expect(answer.ok && answer.value.folders).toEqual([{ name: 'Fight', path: join(desk.root, 'Fight') }]);
    never.resolve(undefined);
  });
});
