import { readFile } from 'node:fs/promises';
import { noPolicy } from '../../electron/agent/settings/policy/policy.ts';
import { answerQuestion } from './helpers/answer-question.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';

const policy = {
  ...noPolicy,
  places: ['/etc/vms-export-agent/policy.json'],
  count: 3,
  managed: { upload: { concurrentFiles: 3 }, users: { updateMethod: 'PUT' }, auth: { scheme: 'bearer' } },
  recommended: { upload: { concurrentParts: 7 } },
};

test.describe('on a desk that an organisation manages', () => {
  test.use({ deskOptions: { host: { policy } } });

  test('an administrator sees what is locked, and changes what is not', async ({ desk }) => {
    const { page } = desk;
    await desk.open('/settings?part=uploads');
    const clips = page.getByLabel('Simultaneous clips');
    await expect(clips).toHaveValue('3');
    await expect(clips).toBeDisabled();
    const parts = page.getByLabel('Simultaneous parts');
    await expect(parts).toHaveValue('7');
    await expect(page.getByText('Locked: managed by your organisation.').first()).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByLabel('Send in parts at or above (MB)').fill('50');
    await page.getByLabel('Send in parts at or above (MB)').press('Tab');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await expect(page.getByText('Settings saved and in use.')).toBeVisible();
    const { upload } = JSON.parse(await readFile(desk.configPath, 'utf8'));
    expect(upload).toMatchObject({ multipartThresholdBytes: 50_000_000 });
    expect(Object.keys(upload), 'the policy stays out of the file').not.toContain('concurrentFiles');
    expect(Object.keys(upload)).not.toContain('concurrentParts');

    await page.getByRole('tab', { name: 'Incidents and users' }).click();
    await expect(page.getByRole('button', { name: /HTTP method for updating users/ })).toBeDisabled();
    await expect(page.getByRole('button', { name: /When to publish an incident/ })).toBeEnabled();
    await page.getByRole('tab', { name: 'Connection' }).click();
    await expect(page.getByRole('button', { name: /Authentication/ })).toBeDisabled();
    await expect(page.getByLabel('Service address')).toBeEnabled();
  });
});

test.describe('on a new desk whose address an organisation set', () => {
  test.use({
    deskOptions: {
      isNew: true,
      host: { policy: { ...policy, managed: { baseUrl: 'https://api.example.com/v1' }, recommended: {} } },
    },
  });

  test('only what is missing is asked in the first run', async ({ desk }) => {
    const { page } = desk;
    await desk.open('/uploads');
    await expect(page.getByLabel('Service address')).toHaveValue('https://api.example.com/v1');
    await expect(page.getByLabel('Service address')).toBeDisabled();
    await expect(page.getByLabel('API key', { exact: true })).toBeEnabled();
    await expectNoAxeFindings(page);
  });
});

test(
  'an administrator has the key forgotten: uploads wait, and go on with another one',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/settings');
    await page.getByRole('button', { name: 'Delete the key' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete the key?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectNoAxeFindings(page);
    await question.getByRole('button', { name: 'Delete the key' }).click();
    await answerQuestion(page, 'Delete the API key?', 'Delete key');
    await expect(page.getByText('No key is set. Nothing can be sent until you add one.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Delete the key' })).toBeHidden();

    await desk.export('Gate 4', { 'Gate 4 North_20260501_193005.mp4': await sampleClip() });
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('1 clip safe in the queue');
    expect(await simulator.objects()).toEqual([]);

    await page.getByLabel('New key').fill(simulator.apiKey);
    await page.getByRole('button', { name: 'Save the key' }).click();
    await expect(page.getByText('A key is set.')).toBeVisible();
    await expect.poll(async () => (await simulator.objects()).length, { timeout: 30_000 }).toBe(1);
  },
);
