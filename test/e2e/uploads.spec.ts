import type { Locator } from '@playwright/test';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { dragFiles } from './helpers/drop-files.ts';
import { expect, test, type Desk } from './helpers/desk.ts';
import { sampleClip, samplePicture } from './helpers/sample-clips.ts';
import { clipRows, incidentRow, incidentRows, uploadsList } from './helpers/uploads-list.ts';

/** Larger than a part, so that it is sent in parts and can be watched meanwhile. */
/** Four seconds at the speed below. */
const LARGE_BYTES = 12_000_000;
const slowUploads = {
  upload: {
    multipartThresholdBytes: 5_242_880,
    partSizeBytes: 5_242_880,
    concurrentParts: 1,
    maxBytesPerSecond: 3_000_000,
  },
};

test('an operator sees an export travel into the service', async ({ desk }) => {
  const { page } = desk;
  await desk.open('/uploads?open=true');
  await expect(page.getByText('Nothing here yet')).toBeVisible();
  await expectNoAxeFindings(page);
  await desk.export('2026-05-01 Flare at gate 4', {
    'Gate 4 North_20260501_193005.mp4': await sampleClip(),
    'Gate 4 North_20260501_193005.jpg': await samplePicture(),
  });
  const clips = clipRows(page);
  await expect(clips.getByText('✓')).toBeVisible();
  await expect(
    page.getByRole('button', { name: /^Sent 1$/ }).or(page.getByRole('radio', { name: /Sent 1/ })),
  ).toBeVisible();
  await clips.getByText('Sent').click();
  const details = page.getByRole('complementary', { name: 'Details' });
  // As found and as sent
  await expect(details.getByText(/^[0-9a-f]{64}$/)).toHaveCount(2);
  await expect(details.getByRole('img', { name: /Thumbnail of/ })).toBeVisible();
  await expectNoAxeFindings(page);
});

test(
  'an operator sees every file of a folder, and takes a time that nobody stated',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.export('Corridor', {
      'cam1.avi': Buffer.alloc(2000, 1),
      'Player.exe': Buffer.from('MZ'),
      'what.xyz': Buffer.from('?'),
    });
    await desk.open('/uploads?open=true');
    // Before that, its row is that of an export that is settling
    await expect(clipRows(page)).toHaveCount(1);
    await incidentRow(page, 'Corridor', 'Sent').getByText('Corridor').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByText('3 files in the export')).toBeVisible();
    await expect(details.getByText('1 clip, 1 program, 1 file not recognised')).toBeVisible();
    await expect(details.getByText('is not a known type of video or image', { exact: false })).toBeVisible();
    const told = () => simulator.incidents().values().next().value;
    await expect.poll(() => told()?.uploaded_videos.length).toBe(1);
    expect(told()?.description).toMatch(/^Recording time not known/);
    await expectNoAxeFindings(page);
    await details.getByRole('button', { name: 'Use this time' }).focus();
    await page.keyboard.press('Enter');
    await expect(details.getByRole('button', { name: 'Use this time' })).toBeHidden();
    await expect.poll(() => told()?.incident_at).toMatch(/Z$/);
  },
);

/** The details of a clip that failed because the service refuses its size. */
async function openTooLargeClip(desk: Desk): Promise<Locator> {
  const { page, simulator } = desk;
  simulator.configure({ maxUploadSizeMb: 0.01 });
  await desk.export('Corridor', { 'cam1.mp4': await sampleClip() });
  await desk.open('/uploads?open=true');
  await clipRows(page).getByText('Failed').click();
  return page.getByRole('complementary', { name: 'Details' });
}

test('an operator leaves out a clip that can never be sent and takes that back, finds out why it failed, and gets it through', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  const details = await openTooLargeClip(desk);
  const strip = page.getByRole('contentinfo');
  await expect(strip.getByText('1 clip failed')).toBeVisible();
  await details.getByRole('button', { name: 'Leave out' }).click();
  // A notice under the pointer stays, however long the accessibility check takes
  await page.getByRole('log').getByRole('button', { name: 'Undo' }).hover();
  await expect(details.getByText('Left out', { exact: false }).first()).toBeVisible();
  await expect(strip.getByText('1 clip failed')).toBeHidden();
  await expect(incidentRow(page, 'Corridor', 'Sent')).toBeVisible();
  await expectNoAxeFindings(page);
  expect([...simulator.incidents().values()][0]?.failed_videos).toHaveLength(1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(strip.getByText('1 clip failed')).toBeVisible();
  await expect(details.getByText('No longer left out')).toBeVisible();

  await expect(details.getByText('FILE_TOO_LARGE', { exact: true })).toBeVisible();
  await expect(details.getByText(/retrying won't help/)).toBeVisible();
  await expectNoAxeFindings(page);
  simulator.configure({ maxUploadSizeMb: -1 });
  await expect(page.getByRole('button', { name: 'Retry', exact: true })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await palette.getByRole('searchbox').fill('Retry');
  await expect(palette.getByText('No matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await details.getByRole('button', { name: 'Retry in case the limit has changed' }).click();
  await expect(page.getByText('1 clip put back in the queue.')).toBeVisible();
  await expect(details.getByText('✓')).toBeVisible();
  await expect.poll(() => [...simulator.incidents().values()][0]?.uploaded_videos.length).toBe(1);
});

test(
  'an operator leaves out all of an incident that can never be sent, and takes that back',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    simulator.configure({ maxUploadSizeMb: 0.01 });
    await desk.export('Corridor', { 'cam1.mp4': await sampleClip(), 'cam2.mp4': await sampleClip(30_000) });
    await desk.open('/uploads');
    await incidentRow(page, 'Corridor', 'Needs attention').getByText('Corridor').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    const strip = page.getByRole('contentinfo');
    await expect(strip.getByText('2 clips failed')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    await details.getByRole('button', { name: 'Leave out 2 clips' }).click();
    await expect(incidentRow(page, 'Corridor', 'Sent')).toBeVisible();
    await expect(strip.getByText('clips failed')).toBeHidden();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(strip.getByText('2 clips failed')).toBeVisible();

    await uploadsList(page).focus();
    await page.keyboard.press('x');
    const bulk = page.getByRole('region', { name: '1 selected' });
    await expect(bulk.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    await bulk.getByRole('button', { name: 'Leave out 2 clips' }).click();
    await expect(bulk).toBeHidden();
    await expect(incidentRow(page, 'Corridor', 'Sent')).toBeVisible();
  },
);

test.describe('while a large clip is on its way', () => {
  test.use({ deskOptions: { settings: slowUploads } });

  test('an operator pauses everything, and it stays paused after a restart', async ({ desk }) => {
    const { page } = desk;
    await desk.open('/uploads?open=true');
    await desk.export('Concourse', { 'cam1.mp4': await sampleClip(LARGE_BYTES) });
    const clips = clipRows(page);
    await expect(clips.getByRole('progressbar')).toBeVisible();
    await page.getByRole('button', { name: 'Pause all' }).click();
    await expect(clips.getByText('Paused')).toBeVisible();
    await desk.restart();
    await page.reload();
    await expect(clips.getByText('Paused')).toBeVisible();
    await page.getByRole('button', { name: 'Resume all' }).click();
    await expect(clips.getByText('Sent')).toBeVisible({ timeout: 15_000 });
  });

  test(
    'an operator changes to the other theme and the curve of the speed with it, cancels the clip, and the incident lists it as failed',
    { tag: '@long' },
    async ({ desk }) => {
      const { page, simulator } = desk;
      await page.emulateMedia({ colorScheme: 'dark' });
      await desk.open('/uploads?open=true');
      await desk.export('Concourse', { 'cam1.mp4': await sampleClip(10 * LARGE_BYTES) });
      await page.getByRole('button', { name: /3\.0 MB\/s$/ }).click();
      const curve = page.getByRole('figure').locator('path');
      await expect(curve).toHaveCSS('stroke', 'rgb(122, 184, 255)');
      await expect.poll(async () => (await curve.getAttribute('d'))?.match(/L/g)?.length).toBeGreaterThan(1);
      await page.emulateMedia({ colorScheme: 'light' });
      await expect(curve).toHaveCSS('stroke', 'rgb(10, 92, 184)');
      await page.emulateMedia({ colorScheme: 'dark' });

      await page.keyboard.press('Escape');
      const clips = clipRows(page);
      await clips.getByText('Uploading').click();
      await page.getByRole('button', { name: 'Cancel upload' }).click();
      const question = page.getByRole('alertdialog', { name: /^Cancel the upload of / });
      await expectNoAxeFindings(page);
      await question.getByRole('button', { name: 'Cancel upload' }).click();
      await expect(clips.getByText('Failed')).toBeVisible();
      await expect.poll(() => [...simulator.incidents().values()][0]?.failed_videos.length).toBe(1);
      await expect.poll(async () => (await simulator.openUploads()).length).toBe(0);
    },
  );
});

test('an operator renames an incident after its upload, by keyboard alone', async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.export('Turnstile', { 'cam1.mp4': await sampleClip() });
  await desk.open('/uploads?open=true');
  await expect(incidentRows(page).getByText('✓Sent')).toBeVisible();
  await uploadsList(page).focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('complementary', { name: 'Details' }).getByText('In sync')).toBeVisible();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit the incident' });
  await expect(form.getByLabel('Title')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Turnstile 7 forced');
  await expectNoAxeFindings(page);
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await expectNoAxeFindings(page);
  await question.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await expect(form.getByLabel('Title')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect.poll(() => [...simulator.incidents().values()][0]?.title).toBe('Turnstile 7 forced');
});

test('an operator goes everywhere by keyboard and finds commands by their words', async ({ desk }) => {
  const { page } = desk;
  await desk.open('/uploads?open=true');
  for (const [key, title] of [
    ['2', 'Periods'],
    ['3', 'Compose'],
    ['4', 'Users'],
    ['5', 'Settings'],
    ['6', 'Health'],
    ['1', 'Uploads'],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Nothing to undo.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expectNoAxeFindings(page);
  await palette.getByRole('searchbox').fill('local');
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectNoAxeFindings(page);
});

test('input A19: a hostile file name shows as text and nothing else', async ({ desk }) => {
  const { page } = desk;
  const name = 'a\u202egpj.<img src=x onerror=alert(1)>.mp4';
  await desk.export('<script>alert(1)<\u2044script> & "quotes"', { [name]: await sampleClip() });
  await desk.open('/uploads?open=true');
  const clips = clipRows(page);
  await clips.getByText('Sent').click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(
    details.getByRole('heading', { name: 'a<U+202E>gpj.<img src=x onerror=alert(1)>.mp4' }),
  ).toBeVisible();
  expect(await page.locator('img[src="x"], #root script').count()).toBe(0);
});

test('a folder dropped on a page of the browser leads nowhere, and a script that gets into the page is refused', async ({
  desk,
  violations,
}) => {
  const { page, root } = desk;
  await desk.open('/uploads?open=true');
  const url = page.url();
  const drag = await dragFiles(page, [root]);
  await expect(page.getByRole('region', { name: 'Drop area' })).toContainText(
    'Browsers do not reveal where a dropped folder is.',
  );
  await drag.drop();
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Use "Add folder"');
  expect(page.url()).toBe(url);
  await expect(page.getByRole('button', { name: 'Add folder' })).toBeVisible();
  expect(violations).toEqual([]);

  const refused = await page.evaluate(() => {
    const thrown: string[] = [];
    const attempt = (what: string, act: () => unknown): void => {
      try {
        act();
      } catch {
        thrown.push(what);
      }
    };
    attempt('innerHTML', () => (document.body.innerHTML = '<img src=x onerror=alert(1)>'));
    attempt('script', () => (document.createElement('script').text = 'alert(1)'));
    return thrown;
  });
  expect(refused).toEqual(['innerHTML', 'script']);
  const fetched = await page.evaluate(() =>
    fetch('https://example.com/').then(
      () => 'sent',
      () => 'refused',
    ),
  );
  expect(fetched).toBe('refused');
  expect(violations.length).toBeGreaterThan(0);
  violations.length = 0;
});
