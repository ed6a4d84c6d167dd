import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFolders } from '../../../../electron/agent/calls/list-folders.ts';
import { createBrowseGate } from '../../../../electron/agent/files/find-folder.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { openOrderDesk, type OrderDesk } from '../../../helpers/order-desk.ts';

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

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

  // Root reads everything, whatever the rights say
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
