import { readFile } from 'node:fs/promises';
import { expectNoAxeFindings, expectNoContrastFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRow } from './helpers/uploads-list.ts';

const nx = 'Gate 4 North_2026_05_01_19_30_05.mp4';

test('an operator learns by keyboard why an incident was read as it was, and what became of each file', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.export('Fight', { [nx]: await sampleClip(), 'setup.exe': Buffer.from('MZ') });
  await desk.open('/uploads?open=true');
  await expect(clipRows(page).getByText('Sent')).toBeVisible();
  await incidentRow(page, 'Fight', 'Sent').getByText('Fight').click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('Why it was read this way').press('Enter');
  await expect(
    details.getByText('last write time of the oldest file', { exact: false }).first(),
  ).toBeVisible();
  await details.locator('summary', { hasText: nx }).press('Enter');
  await expect(details.getByText(/How the name was read: Nx Witness.*No other system matches/)).toBeVisible();
  await expect(
    details.getByText(/the time a file was written does not show when it was recorded/),
  ).toBeVisible();
  await expect(details.getByText(/videos\.csv/).first()).toBeVisible();
  await details.getByText('2 files and how each was classified').press('Enter');
  await expect(details.getByText(/program: .*"setup.exe" is a program/)).toBeVisible();
  await expectNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoContrastFindings(page);
});

test.describe('in a folder whose time zone is wrong', () => {
  test.use({
    deskOptions: {
      settings: { watch: [{ path: 'exports', settleSeconds: 0.3, timeZone: 'Europe/London' }] },
    },
  });

  test(
    'an operator takes the zone in which two clocks of a clip agree, by keyboard',
    { tag: '@long' },
    async ({ desk }) => {
      const { page } = desk;
      const clip = await readFile('test/fixtures/clips/turnstile-7.mp4');
      await desk.export('Fight', { 'Turnstile 7_2026_05_01_20_30_05.mp4': clip });
      await desk.open('/uploads?open=true');
      await clipRows(page).getByText('Turnstile 7_2026').click();
      const details = page.getByRole('complementary', { name: 'Details' });
      await expect(details.getByText(/The time zone of its folder looks wrong/)).toBeVisible();
      await expectNoAxeFindings(page);
      await details.getByRole('button', { name: 'Use Europe/Berlin for this watched folder' }).press('Enter');
      await expect(page.getByText('New clips in this folder now use Europe/Berlin.')).toBeVisible();
      await expect.poll(() => readFile(desk.configPath, 'utf8')).toContain('"timeZone": "Europe/Berlin"');
    },
  );
});
