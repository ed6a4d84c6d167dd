import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleClip } from '../helpers/sample-clips.ts';
import { callInPage, expect, test, type Desktop } from './desktop.ts';
import { uploadsList } from '../helpers/uploads-list.ts';

/** Files below the folder that contain the text. The double's Chromium profile is not the app's and is left out. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text) || bytes.includes(Buffer.from(text).toString('base64'))) found.push(path);
  }
  return found;
}

async function enterKey({ simulator }: Desktop, page: Parameters<typeof callInPage>[0]): Promise<unknown> {
  return callInPage(page, 'settings.setKey', { key: simulator.apiKey });
}

test.describe('without a key', () => {
  test.use({ desktopOptions: { hasNoKey: true } });

  test('an operator enters it once: the key store keeps it, and nothing else has it', async ({
    desktop,
    driver,
  }) => {
    test.skip(
      driver === 'electron' && process.platform === 'linux',
      'a build server has no key store to unlock',
    );
    const { app, page } = await desktop.start();
    const inTray = async () => (await app.system.tray())?.toolTip;
    await expect.poll(inTray).toContain('No API key');
    expect(await enterKey(desktop, page)).toMatchObject({ ok: true });
    await expect.poll(inTray).toContain('No clips waiting');
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await desktop.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await expect(uploadsList(page)).toContainText('Sent', { timeout: 20_000 });
    const settings = JSON.stringify(await callInPage(page, 'settings.get'));
    const shown = await page.evaluate(
      () => document.documentElement.outerHTML + JSON.stringify(localStorage),
    );
    for (const text of [settings, shown, app.output()]) expect(text).not.toContain(desktop.simulator.apiKey);
    await app.system.quit();
    await app.ended;
    expect(await filesWith(desktop.home, desktop.simulator.apiKey)).toEqual([]);

    const next = await desktop.start();
    await desktop.export('Gate 5', { 'cam1.mp4': await sampleClip() });
    await expect(uploadsList(next.page)).toContainText('Sent', { timeout: 20_000 });
    await expect.poll(() => desktop.simulator.incidents().size).toBe(2);
  });

  test('an operator who replaces the key is asked by the system first', async ({ desktop, driver }) => {
    test.skip(
      driver === 'electron' && process.platform === 'linux',
      'a build server has no key store to unlock',
    );
    const { app, page } = await desktop.start();
    expect(await enterKey(desktop, page)).toMatchObject({ ok: true });
    await app.system.answerDialog({ kind: 'cancelled' });
    expect(await callInPage(page, 'settings.forgetKey')).toMatchObject({ ok: false });
    await app.system.answerDialog({ kind: 'button', button: 'Delete key' });
    expect(await callInPage(page, 'settings.forgetKey')).toMatchObject({ ok: true });
    expect((await app.system.dialogs()).map(({ message }) => message)).toEqual([
      'Delete the API key?',
      'Delete the API key?',
    ]);
  });
});

// Chromium derives the name from the desktop's, whether or not there is a store
for (const [keyBackend, details] of [
  ['basic_text', {}],
  ['gnome_libsecret', { tag: '@long' }],
] as const)
  test.describe(`on a Linux desktop without a key store, called ${keyBackend}`, details, () => {
    test.use({ desktopOptions: { hasNoKey: true, keys: { keyBackend, keyStore: 'nothing' } } });

    test('the key is used until the app ends and written nowhere', async ({ desktop, driver }) => {
      test.skip(driver === 'electron', 'the key store of the real runtime is the system’s');
      const { app, page } = await desktop.start();
      expect(await enterKey(desktop, page)).toMatchObject({ ok: true, value: { keptIn: 'memory' } });
      await app.system.quit();
      await app.ended;
      // Not even encrypted: the password for that is public
      expect(await readdir(desktop.userData)).not.toContain('key.json');
      expect(await filesWith(desktop.home, desktop.simulator.apiKey)).toEqual([]);
      const next = await desktop.start();
      expect(await callInPage(next.page, 'settings.key')).toMatchObject({
        ok: true,
        value: { isSet: false, keptIn: 'memory' },
      });
    });
  });

test.describe('on a desktop that Chromium does not know, with a keyring', { tag: '@long' }, () => {
  test.use({ desktopOptions: { hasNoKey: true, keys: { keyBackend: 'basic_text', keyStore: 'keyring' } } });

  test('the key is kept in the keyring', async ({ desktop, driver }) => {
    test.skip(driver === 'electron', 'the key store of the real runtime is the system’s');
    const { page } = await desktop.start();
    expect(await enterKey(desktop, page)).toMatchObject({ ok: true, value: { keptIn: 'keyStore' } });
    expect(await readdir(desktop.userData)).toContain('key.json');
  });
});
