import type { Page } from '@playwright/test';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoAxeFindings } from '../helpers/axe.ts';
import { sampleClip } from '../helpers/sample-clips.ts';
import { callInPage, expect, saveSettings, test, writePolicy, type Desktop } from './desktop.ts';
import { uploadsList } from '../helpers/uploads-list.ts';

const LOCKED = 'Locked: managed by your organisation.';
const POLICY_FILE = '/etc/vms-export-agent/policy.json';

test.beforeEach(({ driver }) => {
  test.skip(driver === 'electron', 'only root may write the policy of the whole PC');
});

const configOf = async (desktop: Desktop): Promise<unknown> =>
  JSON.parse(await readFile(join(desktop.userData, 'vms-export-agent.json'), 'utf8'));

async function openSettings(page: Page, part: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: part }).click();
}

test.describe('on a desk whose organisation fixes some settings and recommends others', () => {
  test.use({
    desktopOptions: {
      settings: { upload: { concurrentFiles: 5, concurrentParts: 6 } },
      policy: {
        managed: { upload: { concurrentFiles: 3 }, users: { updateMethod: 'PUT' } },
        recommended: {
          upload: { concurrentFiles: 4, concurrentParts: 9, multipartThresholdBytes: 50_000_000 },
        },
      },
    },
  });

  test(
    'an operator sees what is locked, and that the organisation comes before this PC, and this PC before what is recommended; a locked value cannot be saved',
    { tag: '@long' },
    async ({ desktop }) => {
      const { app, page } = await desktop.start();
      await openSettings(page, 'Uploads');
      const saving = page.getByRole('region', { name: 'Saving' });
      await expect(saving).toContainText('managed by your organisation and locked here');
      for (const [field, value, isLocked] of [
        ['Simultaneous clips', '3', true],
        ['Simultaneous parts', '6', false],
        ['Send in parts at or above (MB)', '50', false],
      ] as const) {
        const input = page.getByLabel(field);
        await expect(input, field).toHaveValue(value);
        await expect(input, field).toBeEnabled({ enabled: !isLocked });
        if (isLocked) await expect(input, field).toHaveAccessibleDescription(new RegExp(`^${LOCKED}`));
        else await expect(input, field).not.toHaveAccessibleDescription(new RegExp(LOCKED));
      }
      // The policy does not mention it: the program's own default
      await expect(page.getByRole('switch', { name: 'Limit upload speed' })).not.toBeChecked();
      await expectNoAxeFindings(page);
      await page.getByRole('tab', { name: 'Incidents and users' }).click();
      await expect(page.getByRole('button', { name: /HTTP method for updating users/ })).toBeDisabled();
      await expect(page.getByRole('button', { name: /When to publish an incident/ })).toBeEnabled();

      // Recommended values can be changed, and the policy stays out of the file
      await page.getByRole('tab', { name: 'Uploads' }).click();
      await page.getByLabel('Send in parts at or above (MB)').fill('80');
      await page.getByLabel('Send in parts at or above (MB)').press('Tab');
      await saveSettings(page);
      const kept = await configOf(desktop);
      expect(kept).toMatchObject({
        upload: { concurrentFiles: 5, concurrentParts: 6, multipartThresholdBytes: 80_000_000 },
      });
      await expect(page.getByLabel('Send in parts at or above (MB)')).toHaveValue('80');
      await expect(page.getByLabel('Simultaneous clips')).toHaveValue('3');

      // A page that saves a locked value anyway is refused, with a message that says whose value it is
      const upload = { concurrentFiles: 16, concurrentParts: 6, multipartThresholdBytes: 80_000_000 };
      const shown = JSON.stringify(await callInPage(page, 'settings.get'));
      for (const change of [{ users: { updateMethod: 'POST' } }, { upload: { ...whole(shown), ...upload } }])
        expect(await callInPage(page, 'settings.save', { change })).toMatchObject({
          ok: false,
          error: {
            code: 'SETTING_MANAGED',
            message: expect.stringContaining(POLICY_FILE),
            advice: 'Nothing was saved. Ask whoever manages this PC to make the change.',
          },
        });
      expect(await configOf(desktop)).toEqual(kept);
      expect(await app.system.dialogs()).toEqual([]);
    },
  );
});

/** The section as the page has it: it is saved as a whole. */
function whole(view: string): object {
  const upload: unknown = JSON.parse(view).value.settings.upload;
  return Object(upload);
}

test(
  'a folder that the organisation names is watched, the one of this PC is not, and neither can be changed here',
  { tag: '@long' },
  async ({ desktop }) => {
    const fleet = join(desktop.home, 'fleet');
    await mkdir(fleet);
    await writePolicy(desktop.home, { managed: { watch: [{ path: fleet, settleSeconds: 0.3 }] } });
    const { page } = await desktop.start();
    await desktop.export('On this PC', { 'cam1.mp4': await sampleClip() });
    await mkdir(join(fleet, 'Of the fleet'));
    await writeFile(join(fleet, 'Of the fleet', 'cam1.mp4'), await sampleClip());
    await expect(uploadsList(page)).toContainText('Sent', { timeout: 20_000 });
    expect([...desktop.simulator.incidents().values()].map(({ title }) => title)).toEqual(['Of the fleet']);
    await openSettings(page, 'Watched folders');
    const folder = page.getByRole('group', { name: 'Folder 1' });
    await expect(folder.getByLabel('Path')).toHaveValue(fleet);
    await expect(folder.getByLabel('Path')).toBeDisabled();
    await expect(folder.getByLabel('Path')).toHaveAccessibleDescription(new RegExp(`^${LOCKED}`));
    await expect(folder.getByRole('button', { name: 'Choose…' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Add a folder' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Stop watching' })).toBeDisabled();
    await expect(page.getByRole('group', { name: 'Folder 2' })).toBeHidden();
  },
);

interface BadPolicy {
  readonly name: string;
  readonly text: string;
  readonly mode?: number;
  readonly folderMode?: number;
  readonly message: string | RegExp;
  readonly advice: string | RegExp;
}

const good = JSON.stringify({ managed: { users: { updateMethod: 'PUT' } } });
/** Other errors in a policy: test/unit/agent/settings/policy/read-policy.test.ts. */
const badPolicies: readonly BadPolicy[] = [
  {
    name: 'that every account may write',
    text: good,
    mode: 0o666,
    message: `${POLICY_FILE} can be changed by accounts other than root.`,
    advice: `chown root ${POLICY_FILE}; chmod go-w ${POLICY_FILE}`,
  },
  {
    name: 'in a folder that every account may write to',
    text: good,
    folderMode: 0o777,
    message: '/etc/vms-export-agent can be changed by accounts other than root.',
    advice: 'chmod go-w /etc/vms-export-agent',
  },
  { name: 'that breaks off', text: '{"managed": {', message: /policy\.json/, advice: /policy\.json|line/i },
];

for (const [index, bad] of badPolicies.entries())
  test(
    `a policy ${bad.name} ends the start with what is wrong and what to do`,
    { tag: index === 0 ? [] : '@long' },
    async ({ desktop }) => {
      const folder = join(desktop.home, 'etc', 'vms-export-agent');
      const file = join(folder, 'policy.json');
      await mkdir(folder, { recursive: true });
      await writeFile(file, bad.text);
      await chmod(file, bad.mode ?? 0o644);
      await chmod(folder, bad.folderMode ?? 0o755);
      await desktop.export('Gate 4', { 'cam1.mp4': await sampleClip() });
      const { app, page } = await desktop.start();
      await expect.poll(() => app.system.dialogs()).toHaveLength(1);
      const [told] = await app.system.dialogs();
      expect(told?.message).toMatch(bad.message);
      expect(told?.detail).toMatch(bad.advice);
      expect(told?.detail).toContain('does not start until the policy can be used');
      expect(told?.detail).toContain('Nothing was changed or sent');
      expect(told?.buttons).toEqual(['Start again', 'Quit']);
      expect(await callInPage(page, 'settings.get')).toMatchObject({ ok: false });
      await app.system.answerDialog({ kind: 'button', button: 'Quit' });
      expect(await app.ended).toBe(1);
      expect(desktop.simulator.requests.all()).toEqual([]);
    },
  );
