import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { incidentRows } from './helpers/uploads-list.ts';

const clip = Buffer.alloc(2_000, 7);

test('what another unit would change is said before it is saved', async ({ desk }) => {
  const { page } = desk;
  await desk.export('Job/Gate 4', { 'a.avi': clip });
  await expect.poll(() => desk.simulator.incidents().size).toBe(1);
  // Loose clips are not incidents yet
  await writeFile(join(desk.root, 'Yard.avi'), Buffer.alloc(3_000, 8));
  await desk.open('/settings?part=folders');
  await page.getByRole('button', { name: /What counts as one incident/ }).click();
  await page.getByRole('option', { name: 'Each loose clip, and each folder' }).click();
  const change = page.getByRole('region', { name: 'What would change' });
  await expect(change.getByText('New incidents with this rule: 1. With the current rule: 0.')).toBeVisible();
  await expect(change.getByText('Yard.avi')).toBeVisible();
  await expect(change.getByText('1 incident in the queue stays as it is.', { exact: false })).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => readFile(desk.configPath, 'utf8')).toContain('"unit": "file"');
});

test('loose clips are offered as incidents of their own in one click', { tag: '@long' }, async ({ desk }) => {
  const { page } = desk;
  await writeFile(join(desk.root, 'Yard.avi'), clip);
  await desk.open('/uploads?open=true');
  await incidentRows(page).getByText('Files outside a folder').click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('button', { name: 'Send each clip as an incident' }).click();
  await expect.poll(() => readFile(desk.configPath, 'utf8')).toContain('"unit": "file"');
  await desk.restart();
  await expect.poll(() => desk.simulator.incidents().size).toBe(1);
  await desk.open('/uploads?open=true');
  await expect(page.getByText('Files outside a folder')).toBeHidden();
});
