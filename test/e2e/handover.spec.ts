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
  // After the app's own listener: what the sheet is printed in
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
