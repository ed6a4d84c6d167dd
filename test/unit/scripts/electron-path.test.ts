import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findElectron } from '../../../scripts/electron-path.ts';

describe('the Electron runtime', () => {
  let packageDir = '';
  beforeEach(async () => {
    packageDir = await mkdtemp(join(tmpdir(), 'electron-path-'));
  });
  afterEach(() => rm(packageDir, { recursive: true, force: true }));

  async function install(executable: string): Promise<string> {
    await writeFile(join(packageDir, 'path.txt'), executable);
    const path = join(packageDir, 'dist', executable);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '');
    return path;
  }

  test('is missing in a package that was only installed by npm', () => {
    expect(findElectron({ packageDir, environment: {} })).toBeUndefined();
  });

  test.each(['electron', 'electron.exe', 'Electron.app/Contents/MacOS/Electron'])(
    'is found as %s',
    async (name) => {
      const path = await install(name);
      expect(findElectron({ packageDir, environment: {} })).toBe(path);
    },
  );

  test('is missing when its folder was emptied and only the note of it is left', async () => {
    const path = await install('electron');
    await rm(path);
    expect(findElectron({ packageDir, environment: {} })).toBeUndefined();
  });

  test('is found in the folder that the environment names, and only there', async () => {
    await install('electron');
    const other = join(packageDir, 'other');
    const environment = { ELECTRON_OVERRIDE_DIST_PATH: other };
    expect(findElectron({ packageDir, environment })).toBeUndefined();
    await mkdir(other);
    await writeFile(join(other, 'electron'), '');
    expect(findElectron({ packageDir, environment })).toBe(join(other, 'electron'));
  });
});
