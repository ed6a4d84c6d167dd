import { afterEach, describe, expect, test, vi, beforeEach } from 'vitest';
import { findChromium, findTestChromium, findElectron } from '../../../scripts/find-runtimes.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHELL = '/usr/lib/chromium/chromium-headless-shell';

afterEach(() => void vi.unstubAllEnvs());

describe('the Chromium for tests', () => {
  test('is the headless shell when it is there, and any other one when it is not', () => {
    vi.stubEnv('CHROMIUM_PATH', undefined);
    const both = (path: string): boolean => [SHELL, '/usr/bin/chromium'].includes(path);
    expect(findTestChromium(both)).toBe(SHELL);
    expect(findTestChromium((path) => path === '/usr/bin/chromium')).toBe('/usr/bin/chromium');
    expect(findTestChromium(() => false)).toBeUndefined();
  });

  test('is the one that the variable names', () => {
    vi.stubEnv('CHROMIUM_PATH', '/opt/chromium');
    expect(findTestChromium(() => true)).toBe('/opt/chromium');
  });
});

test('pictures and measurements are taken with a whole Chromium', () => {
  vi.stubEnv('CHROMIUM_PATH', undefined);
  expect(findChromium(() => true)).toBe('/usr/bin/chromium');
  expect(findChromium((path) => path === SHELL)).toBeUndefined();
});

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
