import type { Page } from '@playwright/test';
import { sampleClip } from '../helpers/sample-clips.ts';
import { expect, orderInPage, test, type Desktop } from './desktop.ts';
import { clipRows, showClips } from '../helpers/uploads-list.ts';

/** One piece has arrived, one is being sent, one has not been started. */
const THREE_PIECES_BYTES = 12_000_000;
const pieces = {
  upload: { multipartThresholdBytes: 5_242_880, partSizeBytes: 5_242_880, concurrentParts: 1 },
};
/** How long pieces that are being sent are waited for, and how long the stop afterwards may take, milliseconds. */
const PIECE_PATIENCE_MS = 10_000;
const STOP_MS = 8_000;
/** This clock and the app's start at different moments, milliseconds. */
const TIMER_SLACK_MS = 200;

test('an operator closes the window, and the app goes on in the tray', async ({ desktop }) => {
  const { app, page } = await desktop.start();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  // If the window had really been closed, there would be another one with another page
  await page.evaluate(() => void Reflect.set(globalThis, 'isTheSamePage', true));
  await app.system.closeWindow();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
  await expect.poll(() => app.system.notifications()).toMatchObject([{ title: 'The app is still running' }]);
  await desktop.export('At night', { 'cam1.mp4': await sampleClip() });
  await expect
    .poll(() => [...desktop.simulator.incidents().values()][0]?.uploaded_videos.length, { timeout: 20_000 })
    .toBe(1);
  await app.system.clickTray('Open');
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  const shown = await app.page();
  expect(await shown.evaluate(() => Reflect.get(globalThis, 'isTheSamePage') as unknown)).toBe(true);
  await app.system.closeWindow();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
  // By the time a failure is notified, everything earlier has been too
  desktop.simulator.configure({ maxUploadSizeMb: 0.01 });
  await desktop.export('In the morning', { 'cam1.mp4': await sampleClip() });
  await expect.poll(() => app.system.notifications(), { timeout: 25_000 }).toHaveLength(2);
  expect((await app.system.notifications())[1]?.title).toBe('A clip failed');
});

test.describe('on a desktop without a tray', () => {
  test.use({ desktopOptions: { oddities: { tray: 'nowhere' } } });

  test(
    'an operator who closes the window is asked once, and a second start brings it back',
    { tag: '@long' },
    async ({ desktop, driver }) => {
      test.skip(driver === 'electron', 'whether there is a tray the system of the build server says');
      const { app } = await desktop.start();
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
      await app.system.closeWindow();
      await expect
        .poll(async () => (await app.system.dialogs()).map(({ message }) => message))
        .toEqual(['Keep sending with the window closed?']);
      expect(await app.system.window()).toMatchObject({ isVisible: true });
      await app.system.answerDialog({ kind: 'button', button: 'Keep sending' });
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
      await expect
        .poll(async () => (await app.system.notifications()).map(({ body }) => body))
        .toEqual([expect.stringContaining('Start the app again to bring it back')]);
      expect(await app.startAgain([])).toBe(0);
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
      await app.system.closeWindow();
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
      expect(await app.system.dialogs()).toHaveLength(1);
    },
  );
});

test('an operator quits when all is sent, and is asked nothing', { tag: '@long' }, async ({ desktop }) => {
  const { app } = await desktop.start();
  await app.system.quit();
  expect(await app.ended).toBe(0);
});

test(
  'an operator with unsaved settings is asked before they are lost, and keeps them through the tray',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    await changeSettings(page);
    await app.system.closeWindow();
    await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
    expect(await app.system.dialogs()).toEqual([]);
    await app.system.clickTray('Open');

    await app.system.quit();
    await expect.poll(() => app.system.dialogs()).toHaveLength(1);
    const [question] = await app.system.dialogs();
    expect(question?.message).toBe('Quit without saving the settings?');
    await app.system.answerDialog({ kind: 'button', button: 'Keep working' });
    await expect(page.getByRole('textbox', { name: 'Simultaneous clips' })).toHaveValue('3');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeHidden();
    await untilHeard(page);
    await app.system.quit();
    expect(await app.ended).toBe(0);
  },
);

test(
  'changes that a person left, or that went with their page, are not asked about again',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    await changeSettings(page);
    await page.reload();
    await page.getByRole('navigation').first().waitFor();
    await app.system.quit();
    expect(await app.ended).toBe(0);

    const next = await desktop.start();
    await changeSettings(next.page);
    await next.page.getByRole('link', { name: 'Health' }).click();
    await next.page.getByRole('alertdialog').getByRole('button', { name: 'Discard and leave' }).click();
    await expect(next.page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
    await untilHeard(next.page);
    await next.app.system.quit();
    expect(await next.app.ended).toBe(0);
  },
);

/** Waits until the app knows what the page shows: a page reports that before it is idle, and in order. */
async function untilHeard(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
  expect(await orderInPage(page, 'choice.get')).toMatchObject({ ok: true });
}

async function changeSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Uploads' }).click();
  const atOnce = page.getByRole('textbox', { name: 'Simultaneous clips' });
  await atOnce.fill('3');
  await atOnce.press('Tab');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await untilHeard(page);
}

test.describe('while a piece of a clip hangs on the line', () => {
  test.use({ desktopOptions: { settings: pieces } });
  /** Numbers of the pieces that storage keeps. */
  const kept = async ({ simulator }: Desktop) =>
    (await simulator.openUploads())[0]?.parts.map(({ partNumber }) => partNumber);

  test('an operator is told what quitting would leave, keeps working, then quits; the next start goes on', async ({
    desktop,
  }) => {
    test.slow();
    const line = desktop.simulator.faults.hold({ call: 'putPart', partNumber: 2 });
    const { app } = await desktop.start();
    await desktop.export('Concourse', { 'cam1.mp4': await sampleClip(THREE_PIECES_BYTES) });
    await line.arrived;
    await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
    await app.system.quit();
    await expect.poll(() => app.system.dialogs()).toHaveLength(1);
    const [question] = await app.system.dialogs();
    expect(question?.message).toBe('Quit with 1 clip not sent yet?');
    expect(question?.detail).toContain('continues at the next start');
    await app.system.answerDialog({ kind: 'button', button: 'Keep working' });
    // An app that is ending hides its window first
    expect(await app.system.window()).toMatchObject({ isVisible: true });
    await app.system.quit();
    await app.system.answerDialog({ kind: 'button', button: 'Quit' });
    await app.system.answerDialog({ kind: 'button', button: 'Quit now' });
    expect(await app.ended).toBe(0);
    expect(await kept(desktop)).toEqual([1]);

    desktop.simulator.faults.clear();
    const next = await desktop.start();
    await showClips(next.page);
    const clips = clipRows(next.page);
    await expect(clips).toContainText('cam1.mp4');
    await expect(clips).toContainText('Sent', { timeout: 40_000 });
    const [incident] = desktop.simulator.incidents().values();
    expect(incident?.uploaded_videos).toHaveLength(1);
  });

  async function startWithPieceOnTheLine(desktop: Desktop) {
    const line = desktop.simulator.faults.hold({ call: 'putPart', partNumber: 2 });
    const { app } = await desktop.start();
    await desktop.export('Concourse', { 'cam1.mp4': await sampleClip(THREE_PIECES_BYTES) });
    await line.arrived;
    await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
    return { app, line };
  }

  /** Quits while the second piece is held at storage; the app lets it arrive, and says so on top of its window. */
  async function quitWithPieceOnTheLine(desktop: Desktop) {
    const { app, line } = await startWithPieceOnTheLine(desktop);
    await app.system.answerDialog({ kind: 'button', button: 'Quit' });
    const quitMs = performance.now();
    await app.system.quit();
    await expect.poll(async () => (await app.system.dialogs()).at(-1)?.message).toBe('Quitting…');
    return { app, line, quitMs };
  }

  test(
    'an operator quits, and the piece may arrive before the app ends; no other is begun',
    { tag: '@long' },
    async ({ desktop }) => {
      const { app, line } = await quitWithPieceOnTheLine(desktop);
      line.release();
      expect(await app.ended).toBe(0);
      expect(await kept(desktop)).toEqual([1, 2]);
    },
  );

  test(
    'an operator who quits from the tray sees the question in the window, and without one nothing waits for an answer',
    { tag: '@long' },
    async ({ desktop }) => {
      const { app, line } = await startWithPieceOnTheLine(desktop);
      await app.system.closeWindow();
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
      await app.system.clickTray('Quit');
      await expect.poll(() => app.system.dialogs()).toHaveLength(1);
      expect(await app.system.window()).toMatchObject({ isVisible: true });
      await app.system.answerDialog({ kind: 'button', button: 'Quit' });
      await app.system.closeWindow();
      line.release();
      expect(await app.ended).toBe(0);
      expect(await kept(desktop)).toEqual([1, 2]);
    },
  );

  test(
    'an operator who minimised the window and quits sees the question all the same',
    { tag: '@long' },
    async ({ desktop, driver }) => {
      test.skip(driver === 'electron', 'nobody minimises windows on a build server');
      const { app } = await startWithPieceOnTheLine(desktop);
      await app.double?.minimizeWindow();
      await app.system.quit();
      await expect.poll(() => app.system.dialogs()).toHaveLength(1);
      await app.system.answerDialog({ kind: 'button', button: 'Quit' });
      await app.system.answerDialog({ kind: 'button', button: 'Quit now' });
      expect(await app.ended).toBe(0);
    },
  );

  test(
    'an operator who does not want to wait for the piece ends the app at once',
    { tag: '@long' },
    async ({ desktop }) => {
      const { app, quitMs } = await quitWithPieceOnTheLine(desktop);
      await app.system.answerDialog({ kind: 'button', button: 'Quit now' });
      expect(await app.ended).toBe(0);
      expect(performance.now() - quitMs).toBeLessThan(PIECE_PATIENCE_MS);
      expect(await kept(desktop)).toEqual([1]);
    },
  );

  test(
    'a piece that does not arrive is waited for ten seconds, and the app ends without it',
    { tag: '@long' },
    async ({ desktop }) => {
      const { app, quitMs } = await quitWithPieceOnTheLine(desktop);
      expect(await app.ended).toBe(0);
      const tookMs = performance.now() - quitMs;
      expect(tookMs).toBeGreaterThan(PIECE_PATIENCE_MS - TIMER_SLACK_MS);
      expect(tookMs).toBeLessThan(PIECE_PATIENCE_MS + STOP_MS);
      expect(await kept(desktop)).toEqual([1]);
    },
  );

  test(
    'an operator who chose that closing ends the app is asked first, keeps working, then closes it for good',
    { tag: '@long' },
    async ({ desktop }) => {
      desktop.simulator.faults.hold({ call: 'putPart', partNumber: 2 });
      const { app, page } = await desktop.start();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('tab', { name: 'Desktop' }).click();
      const choice = page.getByRole('switch', { name: 'Keep sending when the window is closed' });
      await expect(choice).toBeChecked();
      await page.getByText('Keep sending when the window is closed').click();
      await expect(choice).not.toBeChecked();
      await page.getByRole('link', { name: 'Uploads' }).click();
      await desktop.export('Concourse', { 'cam1.mp4': await sampleClip(THREE_PIECES_BYTES) });
      await showClips(page);
      await expect(clipRows(page).getByRole('progressbar')).toBeVisible({
        timeout: 20_000,
      });
      await app.system.closeWindow();
      await expect.poll(() => app.system.dialogs()).toHaveLength(1);
      expect((await app.system.dialogs())[0]?.message).toBe('Quit with 1 clip not sent yet?');
      await app.system.answerDialog({ kind: 'button', button: 'Keep working' });
      expect(await app.system.window()).toMatchObject({ exists: true, isVisible: true });
      await app.system.closeWindow();
      await app.system.answerDialog({ kind: 'button', button: 'Quit' });
      await app.system.answerDialog({ kind: 'button', button: 'Quit now' });
      expect(await app.ended).toBe(0);
    },
  );
});
