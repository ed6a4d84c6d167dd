import { rmSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownAppImage, placeAppImage, startAppImage } from '../../../../electron/desktop/updates/app-image.ts';
import { makeFolder } from '../../../helpers/desk-tools.ts';
import { createMaker } from '../../../helpers/signed-release.ts';

const NAME = 'agent-1.1.0.AppImage';

async function makeDesk() {
  const folder = await makeFolder();
  const [loaded, apps] = [join(folder, 'loaded'), join(folder, 'apps')];
  for (const each of [loaded, apps]) await mkdir(each);
  const [file, program] = [join(loaded, NAME), join(apps, 'agent.AppImage')];
  await writeFile(file, 'new');
  await writeFile(program, 'old');
  await chmod(program, 0o750);
  return { file, program, apps, release: createMaker().release('1.1.0', { [NAME]: 'new' }) };
}

describe('an AppImage', () => {
  it('is replaced under its own name, with its own rights, and nothing else is left', async () => {
    const { file, program, apps, release } = await makeDesk();
    // From an attempt that was cut short
    await writeFile(join(apps, '.agent.AppImage.update'), 'half');
    await placeAppImage(file, release, program);
    expect(await readFile(program, 'utf8')).toBe('new');
    expect((await stat(program)).mode & 0o777).toBe(0o750);
    expect(await readdir(apps)).toEqual(['agent.AppImage']);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['changed', 'bad', 'does not match the signed manifest'],
    ['cut short', 'ne', "update file's size"],
  ])('stays when the new one was %s in the last moment', async (_how, content, reason) => {
    const { file, program, apps, release } = await makeDesk();
    await writeFile(file, content);
    await expect(placeAppImage(file, release, program)).rejects.toThrow(reason);
    expect(await readFile(program, 'utf8')).toBe('old');
    expect(await readdir(apps)).toEqual(['agent.AppImage']);
  });

  it('stays when the new one is gone', async () => {
    const { file, program, release } = await makeDesk();
    await expect(placeAppImage(`${file}.gone`, release, program)).rejects.toThrow('ENOENT');
    expect(await readFile(program, 'utf8')).toBe('old');
  });

  it('is not made where none is any more', async () => {
    const { file, apps, release } = await makeDesk();
    await expect(placeAppImage(file, release, join(apps, 'moved.AppImage'))).rejects.toThrow('ENOENT');
    expect(await readdir(apps)).toEqual(['agent.AppImage']);
  });
});

describe('a start of an AppImage', () => {
  it('comes after this program let go of what keeps others off', async () => {
    const { program, apps } = await makeDesk();
    const [held, found] = [join(apps, 'held'), join(apps, 'found')];
    await writeFile(held, '');
    const script = `#!/bin/sh\nif test -e '${held}'; then echo held; else echo free; fi > '${found}'\n`;
    await writeFile(program, script);
    await startAppImage(program, { releaseSingleInstanceLock: () => rmSync(held) });
    await expect.poll(() => readFile(found, 'utf8').catch(() => ''), { timeout: 10_000 }).toBe('free\n');
  });

  it('fails when it is not there', async () => {
    const { apps } = await makeDesk();
    const start = startAppImage(join(apps, 'gone'), { releaseSingleInstanceLock: () => undefined });
    await expect(start).rejects.toThrow('ENOENT');
  });
});

describe('the own AppImage', () => {
  const resourcesPath = '/mnt/agent1/resources';

  it('is the one that the app lies in', () => {
    const env = { APPIMAGE: '/home/desk/agent.AppImage', APPDIR: '/mnt/agent1' };
    expect(ownAppImage({ env, resourcesPath })).toBe('/home/desk/agent.AppImage');
  });

  it.each([
    ['another program’s, from which the app was started', '/mnt/agent', '/home/desk/terminal.AppImage'],
    ['none that is not mounted', undefined, '/home/desk/agent.AppImage'],
    ['none without its file', '/mnt/agent1', undefined],
    ['none for an empty mount', '', '/home/desk/agent.AppImage'],
  ])('is not %s', (_case, APPDIR, APPIMAGE) => {
    expect(ownAppImage({ env: { APPDIR, APPIMAGE }, resourcesPath })).toBeUndefined();
  });
});
