import { join } from 'node:path';
import { archiveOf } from '../../electron-double/foreign-archives.ts';
import { sampleClip } from '../helpers/sample-clips.ts';
import { exportBeside, expect, orderInPage, test } from './desktop.ts';
import { clipRows, incidentRow, uploadsList, showClips } from '../helpers/uploads-list.ts';

/** Events are collected for 4 s; only after that does the absence of a notification mean anything. */
const NEWS_ARE_GROUPED_MS = 5_000;
/** A folder that is not watched has settled after 30 s without changes: the program's default. */
const SETTLED = { timeout: 60_000 };

test('the tray says what the desk does, and pauses it; an operator drops an export folder on the window, and it becomes an incident', async ({
  desktop,
}) => {
  test.slow();
  const { app, page } = await desktop.start();
  await expect.poll(async () => (await app.system.tray())?.toolTip).toContain('No clips waiting');
  await app.system.clickTray('Pause all uploads');
  await expect.poll(async () => (await app.system.tray())?.toolTip).toContain('Paused');
  await desktop.export('Concourse', { 'cam1.mp4': await sampleClip() });
  await expect(uploadsList(page)).toContainText('Paused', { timeout: 15_000 });
  await app.system.clickTray('Resume all uploads');
  await expect(uploadsList(page)).toContainText('Sent', { timeout: 20_000 });

  const folder = await exportBeside(desktop, 'Gate 4', await sampleClip());
  await app.drop([folder]);
  const preview = page.getByRole('dialog', { name: 'What would be sent' });
  await expect(preview).toContainText('Gate 4_20260501_193005.mp4');
  await preview.getByRole('button', { name: 'Send 1 clip' }).click();
  await expect(incidentRow(page, 'Gate 4', 'Sent')).toBeVisible(SETTLED);
  const incident = () => [...desktop.simulator.incidents().values()].find(({ title }) => title === 'Gate 4');
  await expect.poll(() => incident()?.uploaded_videos.length).toBe(1);
});

test(
  'who looks at the window gets no notification of what it shows; the tray leads to the clips that failed, and to no others, also from behind a form; who looks elsewhere is told, and a click leads to the clip',
  { tag: '@long' },
  async ({ desktop }) => {
    test.slow();
    const { app, page } = await desktop.start();
    await desktop.export('Ramp', { 'cam1.mp4': await sampleClip() });
    await showClips(page);
    const clips = clipRows(page);
    await expect(clips).toContainText('Sent', { timeout: 20_000 });
    await test.step('looks at the window', async () => {
      await expect.poll(async () => (await app.system.window()).isFocused).toBe(true);
      desktop.simulator.configure({ maxUploadSizeMb: 0.01 });
      await desktop.export('Corridor', { 'cam2.mp4': await sampleClip() });
      await expect(uploadsList(page)).toContainText('1 failed');
      // The tray gets the same events: when it shows the failure, a notification would be due.
      await expect
        .poll(async () => (await app.system.tray())?.toolTip, { timeout: 15_000 })
        .toContain('1 clip failed');
      await page.waitForTimeout(NEWS_ARE_GROUPED_MS);
      expect(await app.system.notifications()).toEqual([]);
    });
    await test.step('the tray leads to what failed', async () => {
      await expect(clips.filter({ hasText: 'cam2.mp4' })).toContainText('Failed', { timeout: 20_000 });
      await page.getByLabel('Camera, file or incident').fill('Ramp');
      await page.getByRole('link', { name: 'Users' }).click();
      await page.getByRole('button', { name: 'Create user' }).click();
      await app.system.closeWindow();
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
      await expect
        .poll(async () => (await app.system.tray())?.menu.map(({ label }) => label))
        .toContain('Failed (1)');

      await app.system.clickTray('Failed');
      expect(await app.system.window()).toMatchObject({ isVisible: true });
      await expect(page.getByText('Close this dialog to see the failed clips.')).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('radio', { name: 'Failed' })).toBeChecked();
      await expect(clips).toContainText('cam2.mp4');
      await expect(clips).not.toContainText('cam1.mp4');
    });
    await test.step('looks elsewhere', async () => {
      // The notification that the app keeps running without its window
      await expect.poll(() => app.system.notifications()).toHaveLength(1);
      await app.system.blurWindow();
      await desktop.export('Lobby', { 'cam3.mp4': await sampleClip() });
      await expect.poll(() => app.system.notifications(), { timeout: 20_000 }).toHaveLength(2);
      const card = (await app.system.notifications())[1];
      expect(card?.title).toBe('A clip failed');
      expect(card?.body).toContain('cam3.mp4');
      await page.getByRole('link', { name: 'Health' }).click();
      await app.system.clickNotification(1);
      await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('Lobby');
      expect(await app.system.window()).toMatchObject({ isVisible: true });
      await showClips(page);
      await expect(clips.filter({ hasText: 'cam3.mp4' })).toHaveCount(1);
    });
  },
);

test(
  'an export that brings a player made with Electron is sent, and nothing opens its archives; in the file manager an operator finds its clip, and no page can name another file',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    const player = {
      'app.asar': archiveOf({ 'inside.mp4': await sampleClip() }),
      'broken.asar': Buffer.from('no archive'),
    };
    await desktop.export('Lift', { ...player, 'cam1.mp4': await sampleClip() });
    await showClips(page);
    const clips = clipRows(page);
    const first = clips.filter({ hasText: 'cam1.mp4' });
    await expect(first).toContainText('Sent', { timeout: 20_000 });
    // By now the folder is watched closely, which also checks each of its files
    const more = Buffer.concat([await sampleClip(), Buffer.from('\0\0\0\bfree')]);
    await desktop.export('Lift', { 'cam2.mp4': more });
    await expect(clips.filter({ hasText: 'cam2.mp4' })).toContainText('Sent', { timeout: 20_000 });
    await expect(clips).toHaveCount(2);
    expect(app.output()).not.toContain('is taken for an archive');

    await first.getByText('Sent').click();
    await expect(page.getByRole('button', { name: 'Show in folder' })).toBeVisible();
    await page.keyboard.press('o');
    await expect.poll(() => app.system.revealed()).toEqual([join(desktop.root, 'Lift', 'cam1.mp4')]);
    const refused = ['/etc/passwd', '../../key.txt', '00000000-0000-5000-8000-000000000000', ''];
    for (const clipId of refused)
      expect(await orderInPage(page, 'revealClip', { clipId })).toMatchObject({ ok: false });
    expect(await orderInPage(page, 'revealClip', { path: '/etc/passwd' })).toMatchObject({ ok: false });
    expect(await app.system.revealed()).toHaveLength(1);
  },
);
