import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sampleClip } from '../helpers/sample-clips.ts';
import { expect } from './desktop.ts';
import {
  appImage,
  INSTALLED,
  lookForUpdates,
  NEWER,
  openUpdatesPart,
  test,
  withBlockMap,
} from './update-desk.ts';
import { clipRows, showClips } from '../helpers/uploads-list.ts';

/** Large and slow enough that it is not sent within the test. */
const LARGE_BYTES = 30_000_000;
const slowUploads = { upload: { maxBytesPerSecond: 1_000_000 } };
const READY = `Version ${NEWER} has been downloaded and verified.`;

// One after the other: each worker builds a program with a key of its own
test.describe.configure({ mode: 'default' });

test.skip(
  ({ driver }) => driver !== 'double',
  'An installed copy with a feed of its own: on the real runtime a release is needed (docs/release.md).',
);

test('an operator is offered a newer version, restarts, and has it in the place of the old one', async ({
  desk,
}) => {
  const { name, file } = await desk.release(NEWER);
  const { app, page } = await desk.start();
  const part = await lookForUpdates(page);
  await expect(part).toContainText(READY);
  expect(desk.feed.requests.map(({ path }) => path)).toEqual([
    '/desktop/latest-linux.yml',
    '/desktop/update-linux.json',
    `/desktop/${name}`,
  ]);
  // Nothing that would let the feed tell this desk from another
  expect(new Set(desk.feed.requests.map(({ headers }) => headers['x-user-staging-id']))).toEqual(
    new Set(['0', undefined]),
  );
  expect(await desk.installed()).toEqual(appImage(INSTALLED));
  await part.getByRole('button', { name: 'Restart to update' }).click();
  expect(await app.ended).toBe(0);
  expect((await desk.installed()).equals(file)).toBe(true);
  await expect.poll(() => desk.startedAgain()).toBe(`${NEWER}\n`);
  expect(await readdir(join(desk.cache, 'pending'))).toEqual(['update-info.json']);
});

test(
  'an operator quits while the feed says nothing, and does not wait for it',
  { tag: '@long' },
  async ({ desk }) => {
    desk.feed.put('latest-linux.yml', { kind: 'silence' });
    const { app, page } = await desk.start();
    const part = await openUpdatesPart(page);
    await part.getByRole('button', { name: 'Check for updates' }).click();
    await expect.poll(() => desk.feed.requests).toHaveLength(1);
    await app.system.quit();
    expect(await app.ended).toBe(0);
  },
);

test.describe('while a clip is on its way', () => {
  test.use({ desktopOptions: { settings: slowUploads } });

  test(
    'an operator is asked before an update ends the app, keeps working, then restarts',
    { tag: '@long' },
    async ({ desk, desktop }) => {
      const { file } = await desk.release(NEWER);
      const { app, page } = await desk.start();
      await desktop.export('Concourse', { 'cam1.mp4': await sampleClip(LARGE_BYTES) });
      await showClips(page);
      await expect(clipRows(page).getByRole('progressbar')).toBeVisible({
        timeout: 20_000,
      });
      const part = await lookForUpdates(page);
      const restart = part.getByRole('button', { name: 'Restart to update' });
      await restart.click();
      await expect
        .poll(() => app.system.dialogs())
        .toMatchObject([{ message: 'Quit with 1 clip not sent yet?' }]);
      await app.system.answerDialog({ kind: 'button', button: 'Keep working' });
      await expect(restart).toBeEnabled();
      expect(await desk.installed()).toEqual(appImage(INSTALLED));
      await restart.click();
      await expect.poll(() => app.system.dialogs()).toHaveLength(2);
      await app.system.answerDialog({ kind: 'button', button: 'Quit' });
      expect(await app.ended).toBe(0);
      expect((await desk.installed()).equals(file)).toBe(true);
      await expect.poll(() => desk.startedAgain()).toBe(`${NEWER}\n`);
    },
  );
});

test(
  'when the PC is shut down nothing is installed; what was loaded is not loaded twice, and loaded again when it was changed; an operator quits, and it is installed without the app coming back',
  { tag: '@long' },
  async ({ desk }) => {
    const { name, file } = await desk.release(NEWER);
    const first = await desk.start();
    await expect(await lookForUpdates(first.page)).toContainText(READY);
    await first.app.system.power('shutdown');
    expect(await first.app.ended).toBe(0);
    expect(await desk.installed()).toEqual(appImage(INSTALLED));
    const second = await desk.start();
    await expect(await lookForUpdates(second.page)).toContainText(READY);
    const loads = (): number => desk.feed.requests.filter(({ path }) => path.endsWith(name)).length;
    expect(loads()).toBe(1);
    await second.app.kill();
    await writeFile(join(desk.cache, 'pending', name), appImage('66.6.6'));
    const third = await desk.start();
    await expect(await lookForUpdates(third.page)).toContainText(READY);
    expect(loads()).toBe(2);
    await third.app.system.quit();
    expect(await third.app.ended).toBe(0);
    expect((await desk.installed()).equals(file)).toBe(true);
    expect(await desk.startedAgain()).toBe('');
  },
);

test(
  'an operator whose disk does not take the new program has the old one back, and the log says why',
  { tag: '@long' },
  async ({ desk }) => {
    await desk.release(NEWER);
    const { app, page } = await desk.start();
    const part = await lookForUpdates(page);
    await expect(part).toContainText(READY);
    // Blocks the copy
    await mkdir(join(dirname(desk.program), '.vms-export-agent.AppImage.update'));
    await part.getByRole('button', { name: 'Restart to update' }).click();
    expect(await app.ended).toBe(0);
    expect(await desk.installed()).toEqual(appImage(INSTALLED));
    await expect.poll(() => desk.startedAgain()).toBe(`${INSTALLED}\n`);
    expect(await desk.log()).toContain('The last step of quitting failed');
  },
);

test(
  'of a large program only what differs is loaded, and it is whole all the same',
  { tag: '@long' },
  async ({ desk }) => {
    const same = randomBytes(200_000);
    await desk.install(withBlockMap([same, randomBytes(50_000)]).file);
    const image = withBlockMap([same, randomBytes(60_000)]);
    const { name, file } = await desk.release(NEWER, { image });
    const { app, page } = await desk.start();
    await expect(await lookForUpdates(page)).toContainText(READY);
    const loads = desk.feed.requests.filter(({ path }) => path.endsWith(name)).map(({ range }) => range);
    expect(loads).toEqual([`bytes=260000-${file.length - 1}`, 'bytes=200000-259999']);
    await app.system.quit();
    expect(await app.ended).toBe(0);
    expect((await desk.installed()).equals(file)).toBe(true);
  },
);

test(
  'an AppImage that was moved away meanwhile is not recreated in its old place; the log says why',
  { tag: '@long' },
  async ({ desk }) => {
    await desk.release(NEWER);
    const { app, page } = await desk.start();
    await expect(await lookForUpdates(page)).toContainText(READY);
    await rm(desk.program);
    await app.system.quit();
    expect(await app.ended).toBe(0);
    await expect(desk.installed()).rejects.toThrow('ENOENT');
    expect(await desk.log()).toContain('The last step of quitting failed');
  },
);

test(
  'after a fault the AppImage itself is started again: what runs in its mounted image ends with it',
  { tag: '@long' },
  async ({ desk }) => {
    const { app } = await desk.start();
    await app.double?.fault();
    expect(await app.ended).toBe(1);
    await expect.poll(() => desk.startedAgain()).toBe(`${INSTALLED}\n`);
  },
);

test.describe('where the organisation switches updates off', () => {
  test.use({ desktopOptions: { policy: { managed: { updates: { enabled: false } } } } });

  test('the page says so, and the feed hears nothing', async ({ desk }) => {
    await desk.release(NEWER);
    const { page } = await desk.start();
    const part = await openUpdatesPart(page);
    await expect(part).toContainText("Your organisation's policy does not allow updates.");
    await expect(part.getByRole('button', { name: 'Check for updates' })).toHaveCount(0);
    expect(desk.feed.requests).toEqual([]);
  });
});

test.describe('where the organisation wants betas', () => {
  test.use({ desktopOptions: { policy: { managed: { updates: { channel: 'beta' } } } } });

  test(
    'the lists of the beta are asked for, and the stable release beside it is not',
    { tag: '@long' },
    async ({ desk }) => {
      await desk.release('99.0.0');
      const { name } = await desk.release('99.1.0-beta.1', { channel: 'beta' });
      const { page } = await desk.start();
      await expect(await lookForUpdates(page)).toContainText(
        'Version 99.1.0-beta.1 has been downloaded and verified.',
      );
      expect(desk.feed.requests.map(({ path }) => path)).toEqual([
        '/desktop/beta-linux.yml',
        '/desktop/update-beta-linux.json',
        `/desktop/${name}`,
      ]);
    },
  );
});
