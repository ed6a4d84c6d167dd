import { readFile, rename } from 'node:fs/promises';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';

test('support sees at one look that a desk is well, checks again by keyboard, and is not taken from the button while it runs', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await desk.open('/health');
  const lines = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
  await expect(lines).toHaveCount(9);
  await expect(lines.filter({ hasText: 'Failed' })).toHaveCount(0);
  await expect(page.getByText(/^OK: \d+$/)).toBeVisible();
  const queue = page.getByRole('region', { name: 'Queue and database' });
  await expect(queue.getByText('Sent', { exact: true }).locator('xpath=following::dd[1]')).toHaveText('1');
  await expect(page.locator('dd:empty'), 'a name without a value').toHaveCount(0);
  const activity = page.getByRole('region', { name: 'Activity', exact: true });
  await expect(activity.getByText('cam1.mp4 in "Gate 4" was sent.')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });

  const again = page.getByRole('button', { name: 'Check again' });
  const held = desk.simulator.faults.hold({ call: 'getUsers' });
  await again.press('Enter');
  await held.arrived;
  const running = page.getByRole('button', { name: /^Checking/ });
  await expect(running).toBeFocused();
  // A scrolling region must be reachable by keyboard, and this is the column's only content
  await expectNoAxeFindings(page);
  held.release();
  await expect(again).toBeFocused();
});

test('support sees what is wrong with a key and with a folder, and what to do', async ({ desk }) => {
  const { page, simulator, root } = desk;
  simulator.setKeys([{ key: simulator.apiKey, videoPermission: false }]);
  await rename(root, `${root}-away`);
  await desk.open('/health');
  const checks = page.getByRole('list', { name: 'Checks' });
  await expect(checks.getByText('VIDEO_PERMISSION_MISSING')).toBeVisible();
  await expect(checks.getByRole('listitem').filter({ hasText: 'Folders' })).toContainText('Failed');
  await expectNoAxeFindings(page);
  await page
    .getByRole('button', { name: 'Audit trail' })
    .or(page.getByRole('radio', { name: 'Audit trail' }))
    .click();
  await expect(page.getByText('agent.started').first()).toBeVisible();
  await expectNoAxeFindings(page);
  await checks.getByRole('link', { name: 'Open watched folder settings' }).click();
  await expect(page.getByRole('tab', { name: 'Watched folders', selected: true })).toBeVisible();
});

test('support who has Health open sees checks turn bad when the key is revoked, and good when it is back', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  await desk.open('/health');
  const checks = page.getByRole('list', { name: 'Checks' });
  const service = checks.getByRole('listitem').filter({ has: page.getByText('Service', { exact: true }) });
  await expect(service).toContainText('OK');
  simulator.setKeys([]);
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await expect(page.getByRole('region', { name: /^Uploads on hold/ })).toBeVisible();
  await expect(checks.getByText('KEY_REFUSED')).toBeVisible();
  simulator.setKeys([{ key: simulator.apiKey, videoPermission: true }]);
  await page.getByRole('link', { name: 'Uploads' }).click();
  await page.getByRole('link', { name: 'Health' }).click();
  await expect(service).toContainText('OK');
});

test('support learns at the checks that the agent could not say how it is', async ({ desk }) => {
  const { page } = desk;
  const error = { code: 'CALL_FAULT', message: 'It is stuck.', advice: 'Wait.', retryable: true };
  await page.route(/\/call$/, (route) =>
    route.request().postDataJSON()?.call === 'health.get'
      ? route.fulfill({ json: { ok: false, error } })
      : route.fallback(),
  );
  await desk.open('/health');
  const checks = page.getByRole('region', { name: 'Checks', exact: true });
  await expect(checks.getByRole('heading', { name: 'The checks did not finish' })).toBeVisible();
  await expect(checks).toContainText('It is stuck.');
  await expectNoAxeFindings(page);
});

test('support filters and pauses the log, and reads the whole bundle before it is saved, by keyboard', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  await desk.open('/health?view=log');
  const log = page.getByRole('region', { name: 'Program log', exact: true });
  // The screen is a file of its own: its keys work once it is loaded
  await expect(log.getByRole('searchbox')).toBeVisible();
  await page.keyboard.press('/');
  await expect(log.getByRole('searchbox')).toBeFocused();
  await log.getByRole('button', { name: 'Pause' }).click();
  await expect(log.getByText('The view is paused.')).toBeVisible();
  await expectNoAxeFindings(page);
  await log.getByRole('button', { name: 'Follow' }).click();
  await expect(log.getByText('The view is paused.')).toBeHidden();

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('searchbox').fill('diagnostics');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Diagnostics bundle' });
  await expect(dialog.getByRole('tab')).toHaveCount(8);
  await dialog.getByRole('tab', { name: /about\.json/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('tabpanel')).toContainText('"concurrentFiles"');
  await expectNoAxeFindings(page);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save to a file' }).press('Enter');
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^vms-export-agent-diagnostics-\d{8}-\d{6}\.txt$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain('===== checks.txt =====');
  expect(text).not.toContain(simulator.apiKey);
});
