import { expectNoAxeFindings, expectNoContrastFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows } from './helpers/uploads-list.ts';

/** Makes other bytes of a clip that plays the same: equal ones are not sent twice. */
const emptyBox = Buffer.from('\0\0\0\x08free', 'latin1');

test('an operator names a camera that clips brought, by keyboard alone', async ({ desk }) => {
  const { page } = desk;
  await desk.export('Before', { 'cam07_2026_05_01_19_30_05.mp4': await sampleClip() });
  await desk.open('/uploads?open=true');
  await expect(clipRows(page).getByText('Sent')).toBeVisible();

  await desk.open('/settings?part=cameras');
  const unnamed = page.getByRole('region', { name: 'Cameras without a name' });
  await expect(unnamed.getByText('1 clip')).toBeVisible();
  await unnamed.getByRole('button', { name: 'Name it: cam07' }).press('Enter');
  await expect(unnamed).toBeHidden();
  const camera = page.getByRole('group', { name: 'Camera cam07' });
  await camera.getByRole('textbox', { name: 'Name in the record' }).fill('Gate 4 North');
  const named = page.getByRole('group', { name: 'Camera Gate 4 North' });
  await named.getByRole('textbox', { name: 'Clock correction, seconds' }).fill('-37');
  await expectNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoContrastFindings(page);
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(page.getByText('Settings saved and in use', { exact: false })).toBeVisible();

  const other = Buffer.concat([await sampleClip(), emptyBox]);
  await desk.export('After', { 'cam07_2026_05_01_19_45_05.mp4': other });
  await desk.open('/uploads?open=true');
  await expect(clipRows(page).getByText('Gate 4 North', { exact: true })).toBeVisible({ timeout: 20_000 });
  // What was sent keeps its name
  await expect(clipRows(page).getByText('cam07', { exact: true })).toBeVisible();
});
