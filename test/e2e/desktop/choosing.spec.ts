import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleClip } from '../helpers/sample-clips.ts';
import { exportBeside, expect, saveSettings, test } from './desktop.ts';

/** A folder that is not watched has settled after 30 s without changes: the program's default. */
const SETTLED = { timeout: 60_000 };

test('an operator adds an export folder with the dialog of the system, after leaving it once', async ({
  desktop,
}) => {
  test.slow();
  const { app, page } = await desktop.start();
  const folder = await exportBeside(desktop, 'Gate 4', await sampleClip());
  await page.getByRole('button', { name: 'Add folder' }).click();
  const adding = page.getByRole('dialog', { name: 'Add an export folder' });
  const choose = adding.getByRole('button', { name: 'Choose…' });
  await choose.click();
  await expect.poll(() => app.system.dialogs()).toMatchObject([{ kind: 'open' }]);
  await expect(choose, 'one dialog of the system at a time').toBeDisabled();
  await app.system.answerDialog({ kind: 'cancelled' });
  await expect(choose).toBeEnabled();
  await expect(adding.getByLabel('Folder', { exact: true })).toHaveValue('');

  await app.system.answerDialog({ kind: 'paths', paths: [folder] });
  await choose.click();
  const preview = page.getByRole('dialog', { name: 'What would be sent' });
  await expect(preview).toContainText('Gate 4_20260501_193005.mp4');
  expect(desktop.simulator.requests.of('putIncident')).toEqual([]);
  await preview.getByRole('button', { name: 'Send 1 clip' }).click();
  await expect
    .poll(() => [...desktop.simulator.incidents().values()][0]?.uploaded_videos.length, SETTLED)
    .toBe(1);
});

test(
  'a file, a folder that is gone and a path that is none are named, and nothing of them is sent',
  { tag: '@long' },
  async ({ standing }) => {
    const { app, page } = standing;
    const folder = await exportBeside(standing, 'Gate 4', await sampleClip());
    await page.getByRole('button', { name: 'Add folder' }).click();
    const choose = page.getByRole('button', { name: 'Choose…' });
    await app.system.answerDialog({ kind: 'paths', paths: ['exports/Gate 4'] });
    await choose.click();
    await expect.poll(() => app.system.dialogs()).toHaveLength(1);
    await expect(choose).toBeEnabled();
    await expect(page.getByRole('dialog', { name: 'Add an export folder' })).toBeVisible();
    for (const path of [join(folder, 'Gate 4_20260501_193005.mp4'), join(standing.home, 'gone')]) {
      await app.system.answerDialog({ kind: 'paths', paths: [path] });
      await choose.click();
      const preview = page.getByRole('dialog', { name: 'What would be sent' });
      await expect(preview.getByRole('region', { name: 'What went wrong' })).toContainText(path);
      await expect(preview.getByRole('button', { name: /^Send/ })).toBeDisabled();
      await preview.getByRole('button', { name: 'Another folder' }).click();
    }
    expect(standing.simulator.incidents().size).toBe(0);
  },
);

test(
  'an operator has a second folder watched, chosen with the dialog of the system; a chosen file in the place of a watched folder is named in Health as what it is',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    const second = join(desktop.home, 'second recorder');
    await mkdir(second);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Watched folders' }).click();
    await page.getByRole('button', { name: 'Add a folder' }).click();
    const fields = page.getByRole('group', { name: 'Folder 2' });
    const choose = fields.getByRole('button', { name: 'Choose…' });
    await app.system.answerDialog({ kind: 'cancelled' });
    await choose.click();
    await expect.poll(() => app.system.dialogs()).toHaveLength(1);
    await expect(choose).toBeEnabled();
    await expect(fields.getByLabel('Path')).toHaveValue('');
    await app.system.answerDialog({ kind: 'paths', paths: [second] });
    await choose.click();
    await expect(fields.getByLabel('Path')).toHaveValue(second);
    await fields.getByLabel('Settle time (seconds)').fill('0.3');
    await fields.getByLabel('Settle time (seconds)').press('Tab');
    await saveSettings(page);
    const kept = JSON.parse(await readFile(join(desktop.userData, 'vms-export-agent.json'), 'utf8'));
    expect(kept.watch).toMatchObject([{ path: desktop.root }, { path: second, settleSeconds: 0.3 }]);
    await mkdir(join(second, 'Gate 9'));
    await writeFile(join(second, 'Gate 9', 'cam1.mp4'), await sampleClip());
    await expect
      .poll(() => [...desktop.simulator.incidents().values()].map(({ title }) => title), { timeout: 20_000 })
      .toEqual(['Gate 9']);

    const file = join(desktop.home, 'notes.txt');
    await writeFile(file, 'x');
    const first = page.getByRole('group', { name: 'Folder 1' });
    await app.system.answerDialog({ kind: 'paths', paths: [file] });
    await first.getByRole('button', { name: 'Choose…' }).click();
    await expect(first.getByLabel('Path')).toHaveValue(file);
    await saveSettings(page);
    await page.getByRole('link', { name: 'Health' }).click();
    const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
    const folders = checks.filter({ hasText: 'Folders' }).filter({ hasText: file });
    await expect(folders).toContainText('Failed');
    await expect(folders).toContainText(`${file} is not a folder.`);
  },
);
