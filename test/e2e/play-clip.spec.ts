import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { clipRows } from './helpers/uploads-list.ts';

test('an operator plays a clip in its details, steps through its frames, and reads when each was taken', async ({
  desk,
}) => {
  const { page } = desk;
  const clip = await readFile('test/fixtures/thumbnails/black-lead-in.mp4');
  await desk.export('Gate 4', { 'cam1_20260501_193005.mp4': clip });
  await desk.open('/uploads?open=true');
  await clipRows(page).getByText('cam1_20260501_193005.mp4').click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const video = page.locator('video');
  const at = () => video.evaluate((player: HTMLVideoElement) => player.currentTime);
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.readyState)).toBeGreaterThan(0);
  // It has five frames a second. Nothing was clicked since, so the focus is still where Play was.
  // The position is the middle of a frame, since rounding at its edge may show the one before
  await page.keyboard.press('.');
  await expect.poll(at).toBeCloseTo(0.3, 2);
  await page.keyboard.press(',');
  await expect.poll(at).toBeCloseTo(0.1, 2);
  await page.getByRole('button', { name: 'Next frame' }).click();
  await expect.poll(at).toBeCloseTo(0.3, 2);
  await page.keyboard.press('.');
  await expect.poll(at).toBeCloseTo(0.5, 2);
  await page.keyboard.press(',');
  await expect.poll(at).toBeCloseTo(0.3, 2);
  const player = page.getByRole('group', { name: 'Clip' });
  await expect(player).toContainText('Time of this frame');
  await expect(player).toContainText('UTC');
  await expect(player).toContainText('GMT+1');
  await expectNoAxeFindings(page);
});

test('an operator is told of a clip that cannot be played here', { tag: '@long' }, async ({ desk }) => {
  const { page } = desk;
  await desk.export('Gate 4', { 'cam1.ts': Buffer.alloc(40_000, 0x47) });
  await desk.open('/uploads?open=true');
  await clipRows(page).getByText('cam1.ts').click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByText('This clip (TS) cannot be played here')).toBeVisible();
});

test(
  'an operator who plays a clip that is deleted meanwhile is told so, not that its format is unknown',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, root } = desk;
    await desk.export('Gate 4', { 'cam1.mp4': await readFile('test/fixtures/thumbnails/black-lead-in.mp4') });
    await desk.open('/uploads?open=true');
    await clipRows(page).getByText('cam1.mp4').click();
    await page.route(/\/clip\//, async (route) => {
      await rm(join(root, 'Gate 4', 'cam1.mp4'), { force: true });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details).toContainText('The clip cannot be played');
    await expect(details).toContainText('No longer in the folder');
    await expect(details).not.toContainText('format');
  },
);
