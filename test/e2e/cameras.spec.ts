import { readFile } from 'node:fs/promises';
import { expectNoAxeFindings, expectNoContrastFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRow } from './helpers/uploads-list.ts';

/** Appended to a clip, it changes the bytes but not what is played: equal clips are not sent twice. */
const emptyBox = Buffer.from('\0\0\0\x08free', 'latin1');

test(
  'an operator names a camera that clips brought, by keyboard alone',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.export('Before', { 'cam07_2026_05_01_19_30_05.mp4': await sampleClip() });
    await desk.open('/uploads?open=true');
    await expect(clipRows(page).getByText('Sent')).toBeVisible();

    await desk.open('/settings?part=cameras');
    const unnamed = page.getByRole('region', { name: 'Cameras without a name' });
    await expect(unnamed.getByText('1 clip')).toBeVisible();
    await unnamed.getByRole('button', { name: 'Name cam07' }).press('Enter');
    await expect(unnamed).toBeHidden();
    const camera = page.getByRole('group', { name: 'Camera cam07' });
    await camera.getByRole('textbox', { name: 'Name in the incident' }).fill('Gate 4 North');
    const named = page.getByRole('group', { name: 'Camera Gate 4 North' });
    await named.getByRole('textbox', { name: 'Clock correction (seconds)' }).fill('-37');
    await expectNoAxeFindings(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectNoContrastFindings(page);
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(page.getByText('Settings saved and in use', { exact: false })).toBeVisible();

    const other = Buffer.concat([await sampleClip(), emptyBox]);
    await desk.export('After', { 'cam07_2026_05_01_19_45_05.mp4': other });
    await desk.open('/uploads?open=true');
    await expect(clipRows(page).getByText('Gate 4 North', { exact: true })).toBeVisible({ timeout: 20_000 });
    // Clips that were sent keep their name until a person asks for the new one
    await expect(clipRows(page).getByText('cam07', { exact: true })).toBeVisible();
    await incidentRow(page, 'Before', 'Sent').getByText('Before').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('button', { name: 'Apply camera list' }).press('Enter');
    await expect(page.getByText('1 clip updated.')).toBeVisible();
    await expect(clipRows(page).getByText('cam07', { exact: true })).toBeHidden();
    const cameras = () =>
      [...desk.simulator.incidents().values()].flatMap(({ uploaded_videos: videos }) =>
        videos.map(({ camera_name: name }) => name),
      );
    await expect.poll(cameras, { timeout: 20_000 }).toEqual(['Gate 4 North', 'Gate 4 North']);
    await expectNoAxeFindings(page);
  },
);

test('an operator imports a list of cameras, by keyboard, and learns which rows were not taken', async ({
  desk,
}) => {
  const { page } = desk;
  const choose = async (...lines: readonly string[]): Promise<void> => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import cameras.csv' }).press('Enter');
    const buffer = Buffer.from(lines.join('\n'));
    await (await choosing).setFiles({ name: 'cameras.csv', mimeType: 'text/csv', buffer });
  };
  await desk.open('/settings?part=cameras');
  await choose('camera,name', 'cam07,Gate 4');
  await expect(page.getByText('The first row has no column "match".', { exact: false })).toBeVisible();
  await choose('match;camera_name;latitude', 'cam07;Gate 4 North;51,5', 'cam08;Yard;north');
  await expect(page.getByText('1 added, 0 changed. Save to use them.', { exact: false })).toBeVisible();
  await expect(page.getByText('Skipped rows with an invalid value: 3 (latitude).')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(page.getByText('Settings saved and in use', { exact: false })).toBeVisible();
  expect(JSON.parse(await readFile(desk.configPath, 'utf8'))).toMatchObject({
    cameras: [{ match: 'cam07', cameraName: 'Gate 4 North', latitude: 51.5 }],
  });
});
