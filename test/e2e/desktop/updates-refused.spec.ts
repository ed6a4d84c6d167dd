import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startUpdateFeed } from '../helpers/update-feed.ts';
import { expect } from './desktop.ts';
import {
  appImage,
  INSTALLED,
  lookForUpdates,
  newKey,
  NEWER,
  openUpdatesPart,
  releaseYml,
  test,
  type UpdateDesk,
} from './update-desk.ts';

const FAILED = '✕ The last update attempt failed.';
const READY = `Version ${NEWER} has been downloaded and verified.`;
const YML = 'latest-linux.yml';
const LIST = 'update-linux.json';

// One after the other: each worker builds a program with a key of its own
test.describe.configure({ mode: 'default' });

test.skip(
  ({ driver }) => driver !== 'double',
  'An installed copy with a feed of its own: on the real runtime a release is needed (docs/release.md).',
);

/** The downloaded files of an update that are on disk. */
async function loaded({ cache }: UpdateDesk): Promise<readonly string[]> {
  const folder = join(cache, 'pending');
  return existsSync(folder)
    ? readdir(folder).then((all) => all.filter((name) => name.endsWith('AppImage')))
    : [];
}

test('a release whose list is not right is not even loaded', { tag: '@long' }, async ({ desk }) => {
  test.slow();
  const { app, page } = await desk.start();
  const expectRefused = async (reason: string): Promise<void> => {
    const part = await lookForUpdates(page);
    await expect(part).toContainText(`${FAILED} ${reason}`);
    await expect(part.getByRole('button', { name: 'Restart to update' })).toHaveCount(0);
  };
  await test.step('signed by somebody else', async () => {
    await desk.release(NEWER, { privateKey: newKey() });
    await expectRefused("The update manifest is not signed by this app's publisher.");
  });
  await test.step('of another version than was offered', async () => {
    await desk.release('99.0.0', { offered: NEWER });
    await expectRefused('The version of the update does not match its signed manifest.');
  });
  await test.step('of the version that is installed, under a new name', async () => {
    await desk.release(NEWER, { signed: INSTALLED });
    await expectRefused('The update is not newer than the installed version.');
  });
  await test.step('of an old version, under a new name', async () => {
    await desk.release(NEWER, { signed: '0.0.9' });
    await expectRefused('The update is not newer than the installed version.');
  });
  await test.step('in no form that is known', async () => {
    desk.feed.put(LIST, { kind: 'file', body: Buffer.from('<html>Sign in</html>') });
    await expectRefused('The update manifest is in a format that this app does not recognise.');
  });
  await test.step('sent on to another address', async () => {
    desk.feed.put(LIST, { kind: 'redirect', to: `${desk.feed.url}/elsewhere.json` });
    await expectRefused('The update feed redirected the request; redirects are never followed.');
    expect(desk.feed.requests.some(({ path }) => path.endsWith('elsewhere.json'))).toBe(false);
  });
  await test.step('missing', async () => {
    desk.feed.put(LIST, { kind: 'status', status: 404 });
    await expectRefused('The update feed responded with HTTP 404 instead of a file.');
  });
  expect(desk.feed.requests.some(({ path }) => path.endsWith('AppImage'))).toBe(false);
  await app.system.quit();
  expect(await app.ended).toBe(0);
  expect(await desk.installed()).toEqual(appImage(INSTALLED));
});

test(
  'a feed that offers nothing newer, or nothing that can be read, says which',
  { tag: '@long' },
  async ({ desk }) => {
    test.slow();
    const { page } = await desk.start();
    await test.step('the same version, and an old one', async () => {
      for (const version of [INSTALLED, '0.0.9']) {
        await desk.release(version);
        await expect(await lookForUpdates(page)).toContainText('✓ You have the latest version. Last checked');
      }
      expect(desk.feed.requests.map(({ path }) => path)).toEqual([`/desktop/${YML}`, `/desktop/${YML}`]);
    });
    const expectFailed = async (reason: string): Promise<void> =>
      expect(await lookForUpdates(page)).toContainText(
        `${FAILED} ${reason} The app will retry automatically.`,
      );
    await test.step('404, 500, a page of a proxy', async () => {
      for (const status of [404, 500]) {
        desk.feed.put(YML, { kind: 'status', status });
        await expectFailed(`The update feed responded with HTTP ${status} instead of a file.`);
      }
      desk.feed.put(YML, { kind: 'file', body: Buffer.from('<html><body>Sign in</body></html>') });
      await expectFailed('The update feed did not return a valid release list.');
    });
    await test.step('gone, and back', async () => {
      await desk.feed.stop();
      await expectFailed('Could not get updates from the update feed.');
    });
  },
);

test('input H7: a file that is not the signed one is refused and deleted, and the right one is taken afterwards', async ({
  desk,
}) => {
  test.slow();
  const { app, page } = await desk.start();
  const { name, file } = await desk.release(NEWER);
  const other = appImage('66.6.6');
  const expectRefused = async (reason: string): Promise<void> => {
    const part = await lookForUpdates(page);
    await expect(part).toContainText(`${FAILED} ${reason}`);
    await expect(part.getByRole('button', { name: 'Restart to update' })).toHaveCount(0);
    expect(await loaded(desk)).toEqual([]);
  };
  await test.step('swapped alone', async () => {
    desk.feed.put(name, { kind: 'file', body: other });
    await expectRefused(
      'The downloaded file differs from the one described by the update feed, so it was deleted.',
    );
  });
  await test.step('cut off by the line', async () => {
    desk.feed.put(name, { kind: 'cut', body: file });
    await expectRefused('Could not get updates from the update feed.');
  });
  await test.step('missing', async () => {
    desk.feed.put(name, { kind: 'status', status: 410 });
    await expectRefused('The update feed responded with HTTP 410 instead of a file.');
  });
  await test.step('swapped, with the list that the updater trusts', async () => {
    const same = Buffer.from(file).fill('x', file.length - 100, file.length - 1);
    desk.feed.put(name, { kind: 'file', body: same });
    desk.feed.put(YML, { kind: 'file', body: releaseYml(NEWER, name, same) });
    await expectRefused('The update file does not match the signed manifest.');
  });
  await test.step('cut off, with the list that the updater trusts', async () => {
    const half = file.subarray(0, file.length / 2);
    desk.feed.put(name, { kind: 'file', body: half });
    desk.feed.put(YML, { kind: 'file', body: releaseYml(NEWER, name, half) });
    await expectRefused("The update file's size does not match the signed manifest.");
  });
  await test.step('another one of the feed', async () => {
    desk.feed.put('other-99.1.0.AppImage', { kind: 'file', body: other });
    desk.feed.put(YML, { kind: 'file', body: releaseYml(NEWER, 'other-99.1.0.AppImage', other) });
    await expectRefused('The update file is not in the signed manifest.');
  });
  await desk.release(NEWER);
  await expect(await lookForUpdates(page)).toContainText(READY);
  await app.system.quit();
  expect(await app.ended).toBe(0);
  expect((await desk.installed()).equals(file)).toBe(true);
});

test(
  'a file that is changed between the check and the restart is not installed, and can be loaded again',
  { tag: '@long' },
  async ({ desk }) => {
    const { name, file } = await desk.release(NEWER);
    const { app, page } = await desk.start();
    const part = await lookForUpdates(page);
    await expect(part).toContainText(READY);
    const restart = part.getByRole('button', { name: 'Restart to update' });
    await writeFile(join(desk.cache, 'pending', name), appImage('66.6.6'));
    await restart.click();
    await expect(part).toContainText(
      'The downloaded update was changed or deleted after it was verified, so it was not installed.',
    );
    await expect(restart).toHaveCount(0);
    expect(await desk.installed()).toEqual(appImage(INSTALLED));
    await lookForUpdates(page);
    await expect(part).toContainText(READY);
    await expect(part).not.toContainText('it was not installed');
    await rm(join(desk.cache, 'pending', name));
    await app.system.quit();
    expect(await app.ended).toBe(0);
    // The update is gone, and the installed version stays
    expect(await desk.installed()).toEqual(appImage(INSTALLED));
    const next = await desk.start();
    await expect(await lookForUpdates(next.page)).toContainText(READY);
    await next.app.system.quit();
    expect(await next.app.ended).toBe(0);
    expect((await desk.installed()).equals(file)).toBe(true);
  },
);

test('an update that its feed takes back is not installed', { tag: '@long' }, async ({ desk }) => {
  await desk.release(NEWER);
  const { app, page } = await desk.start();
  await expect(await lookForUpdates(page)).toContainText(READY);
  await desk.release(INSTALLED);
  await expect(await lookForUpdates(page)).toContainText('You have the latest version.');
  await app.system.quit();
  expect(await app.ended).toBe(0);
  expect(await desk.installed()).toEqual(appImage(INSTALLED));
});

test(
  'a copy whose feed is on http has no updates, and its feed hears nothing',
  { tag: '@long' },
  async ({ desk }) => {
    const plain = await startUpdateFeed('http');
    const { page } = await desk.start(plain.url);
    const part = await openUpdatesPart(page);
    await expect(part).toContainText(
      'The update address must be a valid https:// address without a user name or password.',
    );
    await expect(part.getByRole('button', { name: 'Check for updates' })).toHaveCount(0);
    expect(plain.requests).toEqual([]);
    await plain.stop();
  },
);
