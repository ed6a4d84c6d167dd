import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnownRoots, inspectRoots, pushPlace } from '../../../../electron/agent/files/watched-root.ts';
import { newWatchedFolder, settingsSchema, type WatchSettings } from '../../../../shared/domain/settings.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';

const clock = createSystemClock();
let base = '';
let dataDir = '';

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  dataDir = join(base, 'data');
  for (const name of ['exports', 'exports/inner', 'other', 'data']) await mkdir(join(base, name));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function judge(...names: readonly string[]): Promise<readonly string[]> {
  const results = await inspectRoots(
    names.map((name) => (name.startsWith('/') ? name : join(base, name))),
    dataDir,
    clock,
  );
  return results.map((result) => (result.ok ? 'ok' : result.error.code));
}

describe('inspectRoots', () => {
  it('answers where a folder really is, also behind a link on the way', async () => {
    await symlink(base, join(base, 'link'));
    const [result] = await inspectRoots([join(base, 'link', 'exports')], dataDir, clock);
    expect(result).toMatchObject({ ok: true, value: { realPath: join(base, 'exports'), isLink: false } });
  });

  it('takes folders beside each other, in order', async () => {
    expect(await judge('exports', 'other')).toEqual(['ok', 'ok']);
  });

  it('has nothing against a folder that is not there: it may come back', async () => {
    const [result] = await inspectRoots([join(base, 'missing')], dataDir, clock);
    expect(result).toEqual({ ok: true, value: { path: join(base, 'missing') } });
  });

  it.each([
    ['a link', 'link', 'ROOT_LINK'],
    ['the folder that holds the data of the program', '.', 'ROOT_FORBIDDEN'],
    ['a folder of the system', '/usr/lib', 'ROOT_FORBIDDEN'],
  ])('refuses %s', async (_what, name, code) => {
    await symlink(join(base, 'exports'), join(base, 'link'));
    expect(await judge(name)).toEqual([code]);
  });

  it('refuses the second of two that are inside each other, also when a link hides it', async () => {
    await symlink(base, join(base, 'link'));
    expect(await judge('exports', 'exports/inner')).toEqual(['ok', 'ROOT_OVERLAP']);
    expect(await judge('exports/inner', 'link/exports')).toEqual(['ok', 'ROOT_OVERLAP']);
    expect(await judge('exports', 'exports')).toEqual(['ok', 'ROOT_OVERLAP']);
  });

  it('leaves it to the watcher to say that a file is no folder', async () => {
    await writeFile(join(base, 'file'), '');
    expect(await judge('file')).toEqual(['ok']);
  });
});

describe('pushPlace', () => {
  const rootOf = (unit: WatchSettings['unit']) => ({
    settings: { ...newWatchedFolder, path: '/mnt/exports', unit },
    realPath: '/mnt/exports',
  });
  const placeOf = (unit: WatchSettings['unit'], folder: string) => {
    const { rootPath, exportPath } = pushPlace([rootOf(unit)], folder);
    return [rootPath, exportPath];
  };

  it.each(['folder', 'file', 'leaf', 'dateFolders', 'run', 'window'] as const)(
    'takes a folder of a watched one for that export: %s',
    (unit) => expect(placeOf(unit, '/mnt/exports/Gate 4')).toEqual(['/mnt/exports', 'Gate 4']),
  );

  it.each(['leaf', 'dateFolders', 'run'] as const)('finds a deeper one in its root: %s', (unit) => {
    expect(placeOf(unit, '/mnt/exports/2026/05/Gate 4')).toEqual(['/mnt/exports', '2026/05/Gate 4']);
  });

  it('takes any other for an export of its parent', () => {
    expect(placeOf('folder', '/mnt/exports/2026/Gate 4')).toEqual(['/mnt/exports/2026', 'Gate 4']);
    expect(placeOf('leaf', '/mnt/exports of others/Gate 4')).toEqual(['/mnt/exports of others', 'Gate 4']);
  });
});

describe('createKnownRoots', () => {
  const known = () =>
    createKnownRoots({ dataDir, settings: settingsSchema.parse({ baseUrl: 'x' }) }, dataDir);

  it('remembers pushed folders, and never writes into the file that has them', async () => {
    known().add('/srv/a');
    const before = join(base, 'before.json');
    await link(join(dataDir, 'pushed-roots.json'), before);
    known().add('/srv/b');
    // A process killed during a write in place would have forgotten both
    expect(JSON.parse(await readFile(before, 'utf8'))).toEqual(['/srv/a']);
    expect(known().refusal('/srv/a')).toBeUndefined();
    expect(known().refusal('/srv/b')).toBeUndefined();
    expect(known().refusal('/srv/c')).toMatchObject({ code: 'ROOT_FORBIDDEN' });
  });
});
