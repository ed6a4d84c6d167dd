import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  findIntruder,
  judgePath,
  type PathFacts,
  replaceFile,
} from '../../../../electron/agent/settings/guarded-path.ts';
import { loadSettings } from '../../../../electron/agent/settings/load-settings.ts';

const OWN = 1000;

describe('what another account could change', () => {
  const facts = { path: '/a b/config.json', ownerId: OWN, mode: 0o600, kind: 'file' } as const;
  test.each<[string, Partial<PathFacts>, string | undefined]>([
    ['a file of this account', {}, undefined],
    ['a file of root', { ownerId: 0 }, undefined],
    ['a file that others may read', { mode: 0o644 }, undefined],
    ['a file of another account', { ownerId: 1001 }, 'belongs to another account'],
    ['a file that the group may write', { mode: 0o664 }, 'can be changed by other accounts (mode 0664)'],
    ['a file that all may write', { mode: 0o602 }, 'can be changed by other accounts (mode 0602)'],
    ['a folder of another account', { kind: 'folder', ownerId: 1001 }, 'belongs to another account'],
    ['an open folder', { kind: 'folder', mode: 0o777 }, 'can be changed by other accounts (mode 0777)'],
    ['an open folder where nobody can rename', { kind: 'folder', mode: 0o1777 }, undefined],
    ['a link of this account', { kind: 'link', mode: 0o777 }, undefined],
    ['a link of another account', { kind: 'link', mode: 0o777, ownerId: 1001 }, 'belongs to another account'],
  ])('%s', (_, change, fault) => {
    expect(judgePath({ ...facts, ...change }, OWN)?.fault).toBe(fault);
  });

  test('is mended by a command that can be typed', () => {
    expect(judgePath({ ...facts, mode: 0o666 }, OWN)?.command).toBe("chmod go-w '/a b/config.json'");
    expect(judgePath({ ...facts, ownerId: 5 }, OWN)?.command).toBe("chown 1000 '/a b/config.json'");
  });
});

describe('a configuration', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guarded-'));
    const made = folder;
    onTestFinished(() => rm(made, { recursive: true, force: true }));
    file = join(folder, 'sub', 'config.json');
    await mkdir(join(folder, 'sub'));
    await writeFile(file, '{"baseUrl": "https://api.example.com"}', { mode: 0o600 });
  });

  const refusal = async (path = file) => {
    const loaded = await loadSettings(path);
    return loaded.ok ? undefined : loaded.error[0];
  };

  test('that only this account can change is used', async () => {
    expect(await refusal()).toBeUndefined();
  });

  test('that others can write is refused with the command that mends it', async () => {
    await chmod(file, 0o620);
    expect(await refusal()).toMatchObject({
      code: 'CONFIG_UNSAFE',
      message: `The configuration ${file} can be changed by other accounts (mode 0620). The configuration was not used.`,
      advice: expect.stringContaining(`chmod go-w ${file}`),
    });
  });

  test('below a folder that others can write is refused, and the folder is named', async () => {
    await chmod(folder, 0o777);
    expect(await refusal()).toMatchObject({
      code: 'CONFIG_UNSAFE',
      advice: expect.stringMatching(`run \\(as root if necessary\\): chmod go-w ${folder}$`),
    });
  });

  test('that a link leads to is judged by where it lies', async () => {
    const link = join(folder, 'link.json');
    await symlink(file, link);
    expect(await refusal(link)).toBeUndefined();
    await chmod(join(folder, 'sub'), 0o770);
    expect(await refusal(link)).toMatchObject({ code: 'CONFIG_UNSAFE' });
  });

  test.skipIf(process.getuid?.() !== 0)('of another account is refused; root gives files away', async () => {
    await chown(file, 12_345, 12_345);
    expect(await refusal()).toMatchObject({
      code: 'CONFIG_UNSAFE',
      message: expect.stringContaining('belongs to another account'),
    });
    expect(findIntruder(file, 12_345)).toBeUndefined();
  });
});

describe("what root writes in a service's folder", () => {
  test.skipIf(process.getuid?.() !== 0)("stays the service's; root gives files away", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [old, fresh] = [join(folder, 'desk-key.pem'), join(folder, 'key-origins.json')];
    await writeFile(old, 'old', { mode: 0o600 });
    await chown(old, OWN, OWN + 1);
    await chown(folder, OWN, OWN + 2);
    const settings = join(folder, 'config.json');
    await writeFile(settings, 'old', { mode: 0o640 });
    await chown(settings, 0, OWN);
    for (const file of [old, fresh, settings]) await replaceFile(file, 'new');
    expect(await stat(settings)).toMatchObject({ uid: 0, gid: OWN });
    expect(await stat(old)).toMatchObject({ uid: OWN, gid: OWN + 1, size: 3 });
    expect(await stat(fresh)).toMatchObject({ uid: OWN, gid: OWN + 2 });
  });
});
