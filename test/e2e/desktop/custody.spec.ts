import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from './desktop.ts';
import { incidentRow } from '../helpers/uploads-list.ts';

/** Time for a clip to settle, be sent and get its thumbnail, on a machine that others use too. */
const SENT = { timeout: 60_000 };

test(
  'a custody pack has its report as PDF, with the pictures, and the checkers know it',
  { tag: '@long' },
  async ({ desktop }) => {
    test.skip(process.platform === 'win32', 'verify.sh is for other systems');
    const { page } = await desktop.start();
    const clip = await readFile('test/fixtures/thumbnails/black-lead-in.mp4');
    await desktop.export('Gate 4', { 'cam1_20260501_193005.mp4': clip });
    const listed = () =>
      [...desktop.simulator.incidents().values()][0]?.uploaded_videos[0]?.storage_thumbnail_key;
    await expect.poll(listed, SENT).toBeDefined();
    await page.getByRole('link', { name: 'Uploads' }).click();
    const row = incidentRow(page, 'Gate 4', 'Sent');
    await expect(row).toBeVisible(SENT);
    await row.getByRole('button', { name: /^Select/ }).click();
    await page.getByRole('button', { name: 'Save custody pack' }).click();
    const saved = page.getByText(/Custody pack saved in /);
    await expect(saved).toBeVisible(SENT);
    const pack = /saved in (.*)\.$/.exec((await saved.textContent()) ?? '')?.[1] ?? '';
    const pdf = await readFile(join(pack, 'report.pdf'), 'latin1');
    expect(pdf.slice(0, 5)).toBe('%PDF-');
    // The incident's page, and its clip's page with the thumbnail
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
    expect(pdf).toContain('/Subtype /Image');
    const { desk, files } = JSON.parse(await readFile(join(pack, 'manifest.json'), 'utf8'));
    expect(Object.keys(files)).toContain('report.pdf');
    const { stdout } = await promisify(execFile)('sh', [join(pack, 'verify.sh'), desk.key]);
    expect(stdout).toContain('OK: ');
  },
);
