import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';

test('a shift handover is printed dark on light, from a dark screen, and nothing but the sheet', async ({
  desk,
}) => {
  const { page } = desk;
  await page.emulateMedia({ colorScheme: 'dark' });
  await desk.export('Gate 4', { 'cam1_20260501_193005.mp4': await sampleClip() });
  await desk.open('/handover');
  const sheet = page.getByRole('article', { name: 'Shift handover' });
  const cameIn = sheet.getByRole('region', { name: 'New incidents' });
  await expect(cameIn.getByRole('link', { name: 'Gate 4' })).toBeVisible();
  // After the app's own listener: the theme in which the sheet is printed
  await page.evaluate(() => {
    addEventListener('beforeprint', () => {
      document.body.dataset['printed'] = document.documentElement.dataset['theme'];
    });
  });
  const paper = await page.pdf();
  expect(paper.subarray(0, 5).toString()).toBe('%PDF-');
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden();
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toBeHidden();
  await expect(page.getByRole('button', { name: /^Print/ })).toBeHidden();
});

test('a shift handover is about the time since any minute, typed by its parts', async ({ desk }) => {
  const { page } = desk;
  await desk.open('/handover');
  const sheet = page.getByRole('article', { name: 'Shift handover' });
  await expect(sheet).toBeVisible();
  const before = (await sheet.getByText(/^Since /).textContent()) ?? '';
  // Days come first at this desk, as everywhere in the app, and hours count to 24
  const parts = page.getByRole('group', { name: /^Since \((?:UTC|GMT.*)\)$/ }).getByRole('spinbutton');
  await expect(parts).toHaveCount(5);
  await expect(parts.first()).toHaveAttribute('aria-label', /^day/);
  await parts.nth(2).press('ArrowDown');
  await expect(page).toHaveURL(/since=/);
  await expect(sheet.getByText(/^Since /)).not.toHaveText(before);
  const since = /since=([^&]+)/.exec(decodeURIComponent(page.url()))?.[1] ?? '';
  const days = (Date.now() - Date.parse(since.replaceAll('"', ''))) / 86_400_000;
  expect(days).toBeGreaterThan(364);
  expect(days).toBeLessThan(368);
  await expect(page.getByRole('radio', { name: 'Last 8 hours' })).not.toBeChecked();
});

test('an export that a shift hands over is opened from the sheet, where something can be done about it', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.export('Ramp', { 'list.xlsx': Buffer.from('x') });
  await desk.open('/handover');
  const exports = page.getByRole('region', { name: 'Exports not fully queued' });
  await expect(exports.getByText('Not recognised')).toBeVisible();
  await exports.getByRole('link', { name: 'Ramp' }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'Ramp' })).toBeVisible();
});
