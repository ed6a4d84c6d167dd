import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerQuestion } from './helpers/answer-question.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { incidentRows } from './helpers/uploads-list.ts';

const bytes = (fill: number) => Buffer.alloc(4_000, fill);

test.use({
  deskOptions: {
    settings: { watch: [{ path: 'exports', settleSeconds: 0.3, alsoSend: ['selfPlaying'] }] },
  },
});

test('a person sends an unknown folder as evidence, ignores another, and names a pattern, by keyboard', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.export('Fight', { 'Gate 4_20260501_193005.xyz': bytes(1), 'film.exe': Buffer.from('MZ film') });
  await desk.export('Notes', { 'list.qqq': bytes(2) });
  await desk.open('/uploads?open=true');
  const band = incidentRows(page);
  const details = page.getByRole('complementary', { name: 'Details' });

  await expect(band.getByRole('gridcell', { name: 'Not recognised', exact: true })).toHaveCount(2);
  await band.getByText('Notes', { exact: true }).click();
  await expect(details.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();
  await expect(details.getByText(/send them as evidence/)).toBeVisible();
  await details.getByRole('button', { name: 'Ignore this folder' }).focus();
  await page.keyboard.press('Enter');
  await expect(details.getByText('Ignored at this desk and not sent.')).toBeVisible();

  await band.getByText('Fight', { exact: true }).click();
  await expect(details.getByRole('heading', { name: 'Fight', exact: true })).toBeVisible();
  await expectNoAxeFindings(page);
  await details.getByRole('button', { name: 'Send the program film.exe' }).press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Send film.exe?' });
  await expect(question).toBeVisible();
  await expectNoAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByText('Nothing was changed', { exact: false })).toBeVisible();
  expect(desk.simulator.incidents().size).toBe(0);

  await details.getByRole('button', { name: 'Add a pattern' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Add a pattern for this name:')).toBeVisible();
  await page.getByRole('button', { name: 'Add a pattern' }).click();
  await expect(page.getByText('Gate 4_20260501_193005.xyz').first()).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();

  await desk.open('/uploads?open=true');
  await band.getByText('Fight', { exact: true }).click();
  await expect(details.getByRole('heading', { name: 'Fight', exact: true })).toBeVisible();
  await details.getByRole('button', { name: 'Send as evidence' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The evidence will be sent.')).toBeVisible();
  await expect.poll(() => desk.simulator.incidents().size).toBe(1);
  await desk.open('/uploads');
  await page.getByText('Fight', { exact: true }).first().click();
  await details.locator('summary').first().click();
  await expect(details.getByText('1 clip, 1 program')).toBeVisible();
  await details.getByRole('button', { name: 'Send the program film.exe' }).press('Enter');
  await answerQuestion(page, 'Send film.exe?', 'Send program');
  const sent = () => [...desk.simulator.incidents().values()][0]?.uploaded_videos.length;
  await expect.poll(sent).toBe(2);
  await desk.open('/settings?part=folders');
  await expect(page.getByText('Also send')).toBeVisible();
  await expectNoAxeFindings(page);
});

test(
  'a person sends what lies outside of any folder as evidence, by keyboard',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await writeFile(join(desk.root, 'Yard.xyz'), bytes(3));
    await desk.open('/uploads?open=true');
    await incidentRows(page).getByText('Files outside a folder').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByText('1 file outside any export folder', { exact: false })).toBeVisible();
    await expectNoAxeFindings(page);
    await details.getByRole('button', { name: 'Send each file as evidence' }).press('Enter');
    await expect(page.getByText('The evidence will be sent.')).toBeVisible();
    const titles = () => [...simulator.incidents().values()].map(({ title }) => title).toSorted();
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['Yard']);
    const row = incidentRows(page).getByText('Files outside a folder');
    await expect(row).toBeHidden({ timeout: 20_000 });
  },
);
