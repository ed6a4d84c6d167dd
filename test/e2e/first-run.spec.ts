import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';

test.describe('on a desk without a watched folder', () => {
  test.use({ deskOptions: { settings: { watch: [] } } });

  test('an administrator goes through the steps and sees what an export would become', async ({ desk }) => {
    const { page, root } = desk;
    await desk.export('2026-05-01 Flare at gate 4', {
      'Gate 4 North_20260501_193005.mp4': await sampleClip(),
    });
    await desk.open('/uploads');
    await expect(page.getByRole('heading', { level: 1, name: 'Set up this desk' })).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('region', { name: 'Test of the connection' })).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Test of the connection' }).getByRole('listitem'),
    ).toHaveCount(5);
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('button', { name: 'Try it with the simulated service' })).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Try it with the simulated service' }).press('Enter');
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await page.getByLabel('Folder that the video system exports into').fill(root);
    await page.getByLabel('File name to try').fill('Gate 4 North_20260501_193005.mp4');
    await expect(page.getByText('Gate 4 North', { exact: true })).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Watch this folder' }).press('Enter');
    await page.getByRole('button', { name: /Export folder/ }).click();
    await page.getByRole('option', { name: '2026-05-01 Flare at gate 4' }).click();
    await expect(page.getByText(/^1 clip, /)).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Uploads' })).toBeVisible();
    await desk.restart();
    await desk.open('/uploads');
    await expect(page.getByText('Watching 1 folder')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Uploads' })).toBeVisible();
  });

  test('an administrator who knows better leaves the steps', async ({ desk }) => {
    const { page } = desk;
    await desk.open('/uploads');
    await page.getByRole('button', { name: 'Do this later' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Uploads' })).toBeVisible();
  });
});
