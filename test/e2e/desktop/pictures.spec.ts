import { readFile } from 'node:fs/promises';
import { expect, test } from './desktop.ts';
import { clipRows, showClips } from '../helpers/uploads-list.ts';

/** Time for a window to be created, and for a clip to settle and be decoded, on a machine that others use too. */
const MADE = { timeout: 30_000 };

test('a clip whose export brings no image gets one made in a window that nobody sees, and an operator plays it', async ({
  desktop,
}) => {
  const { app, page } = await desktop.start();
  const clip = await readFile('test/fixtures/thumbnails/black-lead-in.mp4');
  await desktop.export('Gate 4', { 'cam1.mp4': clip });
  const listed = () =>
    [...desktop.simulator.incidents().values()][0]?.uploaded_videos[0]?.storage_thumbnail_key;
  await expect.poll(listed, MADE).toBeDefined();
  await showClips(page);
  await clipRows(page).getByText('cam1.mp4').click();
  const figure = page.getByRole('figure').filter({ hasText: 'clip at' });
  // After four seconds of black
  await expect(figure).toContainText(/Frame from the clip at 0:0[4-7]/);
  await expect(figure.getByRole('img')).toHaveJSProperty('naturalWidth', 160);
  // The window that made it is kept for the next clip
  expect(await app.system.windowsShown()).toEqual([true, false]);

  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const video = page.locator('video');
  await expect
    .poll(() => video.evaluate((player: HTMLVideoElement) => player.readyState), MADE)
    .toBeGreaterThan(0);
  await page.keyboard.press('.');
  await expect
    .poll(() => video.evaluate((player: HTMLVideoElement) => player.currentTime))
    .toBeGreaterThan(0);
});
