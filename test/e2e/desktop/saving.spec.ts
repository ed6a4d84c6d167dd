import type { Page } from '@playwright/test';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { expect, test, type Desktop } from './desktop.ts';

const news = (page: Page) => page.getByRole('region', { name: 'Notifications' });

/** Makes a folder that a person saves into. */
const documentsOf = ({ home }: Pick<Desktop, 'home'>): Promise<string> => mkdtemp(join(home, 'Documents-'));

/** The rows of a table as a spreadsheet reads them. */
function rowsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  expect(csv.startsWith('\uFEFF')).toBe(true);
  expect(csv.endsWith('\r\n')).toBe(true);
  return Papa.parse<Record<string, string>>(csv.slice(1), { header: true, skipEmptyLines: true }).data;
}

test('support saves the diagnostics bundle: the file has what was shown, and nothing else', async ({
  standing,
}) => {
  const { app, page } = standing;
  const documents = await documentsOf(standing);
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByRole('button', { name: 'Diagnostics bundle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Diagnostics bundle' });
  await expect(dialog.getByRole('tab').first()).toBeVisible();
  const shown: string[] = [];
  for (const tab of await dialog.getByRole('tab').all()) {
    await tab.click();
    const name = (await tab.locator('span').first().textContent()) ?? '';
    const text = (await dialog.getByRole('tabpanel').locator('pre').textContent()) ?? '';
    shown.push(`===== ${name} =====\n${text.trimEnd()}\n`);
  }
  await app.system.answerDialog({ kind: 'cancelled' });
  const save = dialog.getByRole('button', { name: 'Save to a file' });
  await save.click();
  await expect.poll(() => app.system.dialogs()).toHaveLength(1);
  const [asked] = await app.system.dialogs();
  expect(asked?.kind).toBe('save');
  expect(asked?.detail).toMatch(/^vms-export-agent-diagnostics-\d{8}-\d{6}\.txt$/);
  await app.system.answerDialog({ kind: 'paths', paths: [join(documents, 'bundle.txt')] });
  await save.click();
  await expect(news(page)).toContainText('Bundle saved.');
  await expect(dialog).toBeHidden();
  expect(await readFile(join(documents, 'bundle.txt'), 'utf8')).toBe(shown.join('\n'));
  expect(shown.join('\n')).not.toContain(standing.simulator.apiKey);
  expect(await readdir(documents), 'nothing half written lies beside it').toEqual(['bundle.txt']);
});

test(
  'an administrator saves the users: all of them, once, and leaving the dialog says nothing',
  { tag: '@long' },
  async ({ standing }) => {
    const { app, page } = standing;
    const documents = await documentsOf(standing);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('Show inactive').click();
    await expect(page.getByText('250 users')).toBeVisible();
    const exporting = page.getByRole('button', { name: 'Export', exact: true });
    await app.system.answerDialog({ kind: 'cancelled' });
    await exporting.click();
    await expect.poll(() => app.system.dialogs()).toHaveLength(1);
    expect((await app.system.dialogs())[0]?.detail).toMatch(/^users-[\d-]{10}\.csv$/);
    // An existing file is replaced completely, and only after a person confirmed it in the system's dialog
    const place = join(documents, 'users.csv');
    await writeFile(place, 'of last week'.repeat(100_000));
    await exporting.click();
    await expect.poll(() => app.system.dialogs()).toHaveLength(2);
    // Read only once: notices disappear on their own
    expect(
      await news(page)
        .getByText(/exported/)
        .count(),
      'the dialog that was left said nothing',
    ).toBe(0);
    await app.system.answerDialog({ kind: 'paths', paths: [place] });
    await expect(news(page)).toContainText('250 users were exported.');
    const { users } = standing.simulator.team();
    const rows = rowsOf(await readFile(place, 'utf8'));
    expect(rows.map((row) => row['ID']).toSorted()).toEqual(users.map(({ id }) => id).toSorted());
  },
);

test('an operator saves the actions that are listed', { tag: '@long' }, async ({ standing }) => {
  const { app, page } = standing;
  const documents = await documentsOf(standing);
  await page.getByRole('link', { name: 'Periods' }).click();
  await page.getByRole('radio', { name: /^Incidents/ }).click();
  const grid = page.getByRole('grid', { name: /Actions/ });
  await expect(grid.getByRole('row').nth(1)).toBeVisible();
  const listed = Number(await grid.getAttribute('aria-rowcount')) - 1;
  const place = join(documents, 'actions.csv');
  await app.system.answerDialog({ kind: 'paths', paths: [place] });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(news(page)).toContainText(`${listed} actions exported.`);
  expect((await app.system.dialogs())[0]?.detail).toMatch(/^actions-.*\.csv$/);
  const rows = rowsOf(await readFile(place, 'utf8'));
  expect(rows).toHaveLength(listed);
  expect(new Set(rows.map((row) => row['Classification']))).toEqual(new Set(['Incident']));
});

test('an administrator saves what became of an import', { tag: '@long' }, async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const documents = await documentsOf(desktop);
  const table = 'First name,Last name,Phone number\nAda,Lovelace,+14155550100\nGrace,Hopper,none\n';
  await page.getByRole('link', { name: 'Users' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const chooser = await choosing;
  await chooser.setFiles({ name: 'stewards.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await page.getByRole('button', { name: 'Import 1 user' }).click();
  const result = page.getByRole('alertdialog', { name: 'Import result' });
  const place = join(documents, 'result.csv');
  await app.system.answerDialog({ kind: 'paths', paths: [place] });
  await result.getByRole('button', { name: 'Save the result as CSV' }).click();
  await expect.poll(() => readFile(place, 'utf8').catch(() => '')).toContain('Lovelace');
  const rows = rowsOf(await readFile(place, 'utf8'));
  expect(rows).toHaveLength(2);
  await expect(result).toBeVisible();
});

test('a place that cannot be written is named with what to do, and the text is still there to be saved', async ({
  standing,
}) => {
  const { app, page } = standing;
  const documents = await documentsOf(standing);
  await writeFile(join(documents, 'notes.txt'), 'mine');
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByRole('button', { name: 'Diagnostics bundle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Diagnostics bundle' });
  const save = dialog.getByRole('button', { name: 'Save to a file' });
  for (const [place, code] of [
    [join(documents, 'notes.txt', 'bundle.txt'), 'ENOTDIR'],
    [join(documents, 'gone', 'bundle.txt'), 'ENOENT'],
    [documents, 'EISDIR'],
  ] as const) {
    await app.system.answerDialog({ kind: 'paths', paths: [place] });
    await save.click();
    await expect(news(page)).toContainText(`Could not save ${place} (${code}).`);
  }
  await expect(news(page)).toContainText(
    'Save the file under another name, or in a folder that this account can write to.',
  );
  await expect(dialog).toBeVisible();
  expect(await readdir(documents)).toEqual(['notes.txt']);
  const leftOver = (await readdir(standing.home)).filter((name) => name.startsWith('.Documents'));
  expect(leftOver, 'nothing half written').toEqual([]);
  expect(await readFile(join(documents, 'notes.txt'), 'utf8')).toBe('mine');
});
