import { expectNoAxeFindings, expectNoContrastFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRow } from './helpers/uploads-list.ts';

const PART_BYTES = 5_242_880;

test('an engineer reads what happened to a clip, copies the request id, and sees by which request the service was told of the incident', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  simulator.faults.add({
    match: { call: 'putObject' },
    times: 2,
    action: { kind: 'answer', status: 503, code: 'SlowDown', when: 'before' },
  });
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await desk.open('/uploads?open=true');
  await clipRows(page).getByText('Sent').click({ timeout: 15_000 });
  const history = page.getByRole('region', { name: 'What happened' });
  const lines = history.getByRole('list').first().getByRole('listitem');
  await expect(lines).toHaveCount(4);
  await expect(lines.nth(0)).toContainText('Attempt 3 of 3: sent');
  await expect(lines.nth(1)).toContainText('Attempt 2 of 3: failed');
  await expect(lines.nth(2)).toContainText('Attempt 1 of 3: failed');
  await expect(lines.nth(2)).toContainText('Storage asked for fewer requests');
  await expect(lines.nth(3)).toContainText('Found and queued');
  await expect(lines.nth(0)).toContainText(/UTC|GMT/);

  const [first] = simulator.requests.of('putObject');
  // By keyboard alone: expand, move on to the button, press it
  await lines.nth(2).getByText('Details').press('Enter');
  await expect(lines.nth(2).getByText('STORAGE_SLOW_DOWN')).toBeVisible();
  await expect(lines.nth(2).getByText(first?.requestId ?? 'none')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(lines.nth(2).getByRole('button', { name: 'Copy x-amz-request-id' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first?.requestId);
  await expectNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoContrastFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });

  await incidentRow(page, 'Gate 4', 'Sent').getByText('Gate 4').click();
  const told = history
    .getByRole('listitem')
    .filter({ hasText: /Incident \(version \d+\) sent to the service/ })
    .first();
  await told.getByText('Details').click();
  await expect.poll(() => simulator.requests.of('putIncident').at(-1)?.requestId).toBeDefined();
  await expect(
    told.getByText(simulator.requests.of('putIncident').at(-1)?.requestId ?? 'none'),
  ).toBeVisible();
  await expectNoAxeFindings(page);
});

test.describe('while a clip is tried again and again', () => {
  test.use({
    deskOptions: {
      settings: { upload: { multipartThresholdBytes: PART_BYTES, partSizeBytes: PART_BYTES } },
    },
  });

  test(
    'an operator sees when it is tried next, and the list grows while it is read',
    { tag: '@long' },
    async ({ desk }) => {
      const { page, simulator } = desk;
      simulator.faults.add({
        match: { call: 'putPart', partNumber: 3 },
        action: { kind: 'answer', status: 500, code: 'InternalError', when: 'before' },
      });
      await desk.export('Concourse', { 'cam1.mp4': await sampleClip(2 * PART_BYTES) });
      await desk.open('/uploads?open=true');
      await clipRows(page)
        .getByText(/Waiting|Uploading/)
        .click();
      const history = page.getByRole('region', { name: 'What happened' });
      const firstTry = history.getByRole('listitem').filter({ hasText: /Attempt 1 of \d+: failed/ });
      await expect(firstTry).toBeVisible({ timeout: 15_000 });
      await firstTry.getByText('Details').click();
      await expect(firstTry.getByText('Multipart upload started, 3 parts')).toBeVisible();
      await expect(firstTry.getByText('2 parts confirmed, 1 to 2')).toBeVisible();
      await expect(history.getByText(/Next attempt \d{1,2} \w{3}/)).toBeVisible({ timeout: 15_000 });
      await expect(history.getByText(/^Attempt 2 of \d+: failed$/)).toBeVisible({ timeout: 15_000 });
      // Expanded lines stay expanded
      await expect(firstTry.getByText('Multipart upload started, 3 parts')).toBeVisible();
    },
  );
});
