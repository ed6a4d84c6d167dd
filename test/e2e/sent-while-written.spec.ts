import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noise } from '../helpers/bench-files.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { clipRows, incidentRow } from './helpers/uploads-list.ts';

const PART_BYTES = 5_242_880;

test.use({
  deskOptions: {
    settings: {
      watch: [{ path: 'exports', settleSeconds: 3 }],
      upload: {
        whileWriting: 'auto',
        multipartThresholdBytes: PART_BYTES,
        partSizeBytes: PART_BYTES,
        // A little faster than the recorder below, so that there is always something to send
        maxBytesPerSecond: 3_000_000,
      },
    },
  },
});

/** Keeps writing like a recorder until it is stopped. */
function startRecorder(path: string): { end(): Promise<void> } {
  let isEnding = false;
  const write = async (): Promise<void> => {
    await appendFile(path, noise(4 * PART_BYTES));
    while (!isEnding) {
      await appendFile(path, noise(PART_BYTES / 20));
      await sleep(100);
    }
  };
  const writing = write();
  return {
    end() {
      isEnding = true;
      return writing;
    },
  };
}

test('an operator sees how much of a clip is sent while it is written, and reads it in its history', async ({
  desk,
}) => {
  const { page, root } = desk;
  await mkdir(join(root, 'Gate 4'));
  await desk.open('/uploads?open=true');
  const recorder = startRecorder(join(root, 'Gate 4', 'recording.ts'));
  const row = incidentRow(page, 'Gate 4', 'Being exported');
  await expect(row.getByText(/^\d+% already sent$/)).toBeVisible({ timeout: 30_000 });
  await expect(row.getByRole('progressbar', { name: 'Progress of Gate 4' })).toBeVisible();
  await row.getByText('Gate 4').click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText(/^Still being exported; [1-9]\d?% already sent\.$/)).toBeVisible();
  const strip = page.getByRole('contentinfo', { name: 'Status' });
  await expect(strip.getByText(/[\d.]+ .?B\/s of/)).toBeVisible();
  await expectNoAxeFindings(page);
  await recorder.end();
  await clipRows(page).getByText('Sent').click({ timeout: 30_000 });
  const history = page.getByRole('region', { name: 'What happened' });
  await expect(
    history.getByText(
      /^\d+ of \d+ parts \(.+\) were sent while the file was still being written; each was then compared with the finished file/,
    ),
  ).toBeVisible();
});

test(
  'an administrator reads in one sentence what sending during the export does, and turns it off',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.open('/settings?part=uploads');
    const choice = page.getByRole('switch', { name: 'Send large clips while they are still being written' });
    await expect(choice).toBeChecked();
    await expect(choice).toHaveAccessibleDescription(
      'Parts are sent early and compared with the finished file; only what changed is sent again.',
    );
    await expect(page.getByLabel('Daily discard limit (MB)')).toHaveValue('5,000');
    await choice.press('Space');
    await expect(page.getByLabel('Daily discard limit (MB)')).toBeHidden();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('region', { name: 'Saving' })).toBeHidden();
  },
);
