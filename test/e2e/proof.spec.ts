import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRow, showClips } from './helpers/uploads-list.ts';

test('an investigator sees what proves a clip, and checks its file again before and after it was changed', async ({
  desk,
}) => {
  const { page } = desk;
  const name = 'Gate 4 North_20260501_193005.mp4';
  await desk.open('/uploads');
  await desk.export('Gate 4', { [name]: await sampleClip() });
  await expect(incidentRow(page, 'Gate 4', 'Sent')).toBeVisible({ timeout: 30_000 });
  await showClips(page);
  await clipRows(page).first().click();
  const proof = page.getByRole('region', { name: 'Proof' });
  await expect(proof.getByText('The record is complete.')).toBeVisible();
  await expect(proof.locator('code').first()).toHaveText(/^[0-9a-f]{64}$/);
  await expectNoAxeFindings(page);
  await proof.getByRole('button', { name: 'Check the file again' }).click();
  await expect(proof.getByRole('status')).toHaveText(/same/i);
  // The same length, but different bytes
  await writeFile(join(desk.root, 'Gate 4', name), await sampleClip());
  await proof.getByRole('button', { name: 'Check the file again' }).click();
  await expect(proof).toContainText(/changed|other bytes|differs/i);
});

test(
  'an investigator saves custody packs of all incidents that are marked',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.open('/uploads');
    for (const gate of ['Gate 4', 'Gate 5'])
      await desk.export(gate, { [`${gate}_20260501_193005.mp4`]: await sampleClip() });
    for (const gate of ['Gate 4', 'Gate 5']) {
      const row = incidentRow(page, gate, 'Sent');
      await expect(row).toBeVisible({ timeout: 30_000 });
      await row.getByRole('button', { name: /^Select/ }).click();
    }
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.getByRole('button', { name: 'Save 2 custody packs' }).click();
    await expect(page.getByText(/Custody packs saved in .*custody/)).toBeVisible();
    expect(await readdir(join(desk.dataDir, 'custody'))).toHaveLength(2);
    await expectNoAxeFindings(page);
  },
);
