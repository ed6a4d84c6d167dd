import { sampleClip } from '../helpers/sample-clips.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { callInPage, expect, orderInPage, test } from './desktop.ts';
import { clipRows, showClips } from '../helpers/uploads-list.ts';

const slowUploads = {
  upload: {
    multipartThresholdBytes: 5_242_880,
    partSizeBytes: 5_242_880,
    concurrentParts: 1,
    maxBytesPerSecond: 4_000_000,
  },
};
const LARGE_BYTES = 20_000_000;
/** A part takes 1.3 s: if none was started for longer than this, uploads have stopped, milliseconds. */
const ASLEEP_MS = 3_000;

test.describe('while a clip is on its way', () => {
  test.use({ desktopOptions: { settings: slowUploads } });

  test('the PC sleeps and wakes: nothing is begun meanwhile, and the clip arrives once; on battery, with the screen locked, clips go on as ever', async ({
    desktop,
  }) => {
    test.slow();
    const { app, page } = await desktop.start();
    await desktop.export('Concourse', { 'cam1.mp4': await sampleClip(LARGE_BYTES) });
    await showClips(page);
    const clips = clipRows(page);
    await expect(clips.getByRole('progressbar')).toBeVisible({ timeout: 20_000 });
    await expect.poll(() => app.system.isKeptAwake(), { timeout: 15_000 }).toBe(true);
    await app.system.power('suspend');
    await expect.poll(() => app.system.isKeptAwake()).toBe(false);
    const begun = (): number => desktop.simulator.requests.of('putPart').length;
    const before = begun();
    await page.waitForTimeout(ASLEEP_MS);
    expect(begun()).toBe(before);
    await app.system.power('resume');
    await expect(clips).toContainText('Sent', { timeout: 40_000 });
    const incident = () => [...desktop.simulator.incidents().values()][0];
    // The record is written after the clip is sent
    await expect.poll(() => incident()?.uploaded_videos.length).toBe(1);
    expect(incident()?.failed_videos ?? []).toEqual([]);

    // On battery, with the screen locked, clips continue: the running upload, and one that comes then
    const opened = (): number => desktop.simulator.requests.of('createMultipartUpload').length;
    const partsBefore = begun();
    const openedBefore = opened();
    await desktop.export('At dusk', { 'cam1.mp4': await sampleClip(LARGE_BYTES) });
    await expect(clips.getByRole('progressbar')).toBeVisible({ timeout: 20_000 });
    await expect.poll(() => app.system.isKeptAwake(), { timeout: 15_000 }).toBe(true);
    await app.system.power('on-battery');
    await app.system.power('lock-screen');
    await desktop.export('In the dark', { 'cam2.mp4': await sampleClip() });
    const sent = () =>
      [...desktop.simulator.incidents().values()].filter(({ uploaded_videos: videos }) => videos.length === 1)
        .length;
    await expect.poll(sent, { timeout: 40_000 }).toBe(3);
    expect(await app.system.isKeptAwake(), 'bytes moved until now').toBe(true);
    await expect.poll(async () => (await app.system.tray())?.toolTip).toContain('No clips waiting');
    // A single upload that was never restarted: nothing was paused on the way
    expect(opened() - openedBefore).toBe(1);
    const parts = desktop.simulator.requests.of('putPart').slice(partsBefore);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.every(({ dropped }) => dropped !== true)).toBe(true);
    await app.system.power('unlock-screen');
    await app.system.power('on-ac');
    await desktop.export('At dawn', { 'cam3.mp4': await sampleClip() });
    await expect.poll(sent, { timeout: 20_000 }).toBe(4);
    expect(await app.system.dialogs()).toEqual([]);
  });
});

test(
  'a page that crashed comes back with what it showed; one that hangs is told of above its window, and loaded again when a person says so',
  { tag: '@long' },
  async ({ desktop }) => {
    test.slow();
    const { app } = await desktop.start();
    await desktop.export('Turnstile', { 'cam1.mp4': await sampleClip() });
    const comesBack = () =>
      expect.poll(() => app.system.windowText().catch(() => ''), { timeout: 60_000 }).toContain('Turnstile');
    await comesBack();
    await app.system.crashPage();
    await comesBack();
    // Nothing on a build server can make a page of the real runtime hang
    if (app.kind === 'electron') return;
    expect(await callInPage(await app.page(), 'health.get')).toMatchObject({ ok: true });

    await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
    await app.double?.hangPage(true);
    await expect
      .poll(async () => (await app.system.dialogs()).at(-1)?.message)
      .toBe('The window is not responding.');
    await app.system.answerDialog({ kind: 'button', button: 'Reload' });
    const diagnosis = async () => orderInPage(await app.page(), 'diagnosis.get').catch(() => undefined);
    // A request that arrives while the page is gone is never answered, and is repeated
    await expect
      .poll(() => Promise.race([diagnosis(), delay(ANSWER_MS, undefined)]), { timeout: 20_000 })
      .toMatchObject({ value: { pageHangs: 1, pageCrashes: 2 } });
  },
);

/** Time within which a page answers, milliseconds. */
const ANSWER_MS = 3_000;

test(
  'a graphics driver that crashes twice is not used any more from the next start on, until a person wants it',
  { tag: '@long' },
  async ({ desktop, driver }) => {
    test.skip(driver === 'electron', 'nothing on a build server crashes its driver');
    const first = await desktop.start();
    await first.app.double?.loseProcess('GPU');
    await first.app.double?.loseProcess('GPU');
    await expect
      .poll(() => orderInPage(first.page, 'diagnosis.get'))
      .toMatchObject({ value: { gpuCrashes: 2, isGpuUsed: true } });
    await expect
      .poll(() => orderInPage(first.page, 'choice.get'))
      .toMatchObject({ value: { isGpuUsed: false } });
    await first.app.system.quit();
    await first.app.ended;
    const next = await desktop.start();
    expect(next.app.output()).toContain('electron-double: no hardware acceleration');
    await next.page.getByRole('link', { name: 'Health' }).click();
    await expect(next.page.getByRole('region', { name: 'Desktop app' })).toContainText(
      'off; see Settings, under Desktop',
    );
    expect(await orderInPage(next.page, 'choice.set', { isGpuUsed: true })).toMatchObject({ ok: true });
    await next.app.system.quit();
    await next.app.ended;
    const last = await desktop.start();
    expect(last.app.output()).not.toContain('no hardware acceleration');
  },
);

test('the menu has the commands of the page, and gives them to it', async ({ standing }) => {
  const { app, page } = standing;
  await expect
    .poll(async () => (await app.system.menu()).map(({ label }) => label))
    .toEqual(expect.arrayContaining(['Go', 'Uploads']));
  const go = (await app.system.menu()).find(({ label }) => label === 'Go');
  const settings = go?.submenu.find(({ label }) => /settings/i.test(label));
  expect(settings?.isEnabled).toBe(true);
  await app.system.clickMenu(['Go', settings?.label ?? '']);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('/settings');
});

test('the help opens in the system’s browser, at a known address only', async ({ standing }) => {
  const { app } = standing;
  const menu = await app.system.menu();
  const help = menu.find(({ role }) => role === 'help');
  expect(help?.submenu.length).toBeGreaterThan(0);
  await app.system.clickMenu([help?.label ?? '', help?.submenu[0]?.label ?? '']);
  await expect.poll(() => app.system.openedExternally()).toHaveLength(1);
  expect((await app.system.openedExternally())[0]).toMatch(/^https:\/\//);
});

test.describe('with a limit of its own on the battery', () => {
  test.use({ desktopOptions: { settings: { upload: { onBattery: 'pause' } } } });

  test(
    'uploads pause on the battery, the strip says why, and they go on when the PC is plugged in',
    { tag: '@long' },
    async ({ desktop }) => {
      test.slow();
      const { app, page } = await desktop.start();
      await app.system.power('on-battery');
      const reason = page.getByText('Paused while the PC is on battery power');
      await expect(reason).toBeVisible({ timeout: 40_000 });
      await desktop.export('On the way', { 'cam1.mp4': await sampleClip() });
      await showClips(page);
      const clips = clipRows(page);
      await expect(clips).toHaveCount(1, { timeout: 40_000 });
      // A record still reaches the service; clips do not
      await expect.poll(() => desktop.simulator.incidents().size, { timeout: 40_000 }).toBe(1);
      expect(desktop.simulator.requests.of('putObject')).toEqual([]);
      await app.system.power('on-ac');
      await expect(clips).toContainText('Sent', { timeout: 60_000 });
      await expect(reason).toBeHidden();
    },
  );
});
