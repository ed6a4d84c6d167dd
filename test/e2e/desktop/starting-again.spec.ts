import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleClip } from '../helpers/sample-clips.ts';
import { exportBeside, expect, test } from './desktop.ts';
import { uploadsList } from '../helpers/uploads-list.ts';

test('a second start brings the first window up and hands over its folder', async ({ standing }) => {
  const { app, page } = standing;
  const folder = await exportBeside(standing, 'Gate 5', await sampleClip());
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  await app.system.closeWindow();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
  expect(await app.startAgain([folder])).toBe(0);
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  await expect(page.getByRole('dialog', { name: 'What would be sent' })).toContainText(
    'Gate 5_20260501_193005.mp4',
  );
});

test(
  'a folder that the app was started with is shown before it is sent',
  { tag: '@long' },
  async ({ desktop }) => {
    const folder = await exportBeside(desktop, 'Gate 6', await sampleClip());
    const { page } = await desktop.start([folder]);
    await expect(page.getByRole('dialog', { name: 'What would be sent' })).toContainText(
      'Gate 6_20260501_193005.mp4',
    );
    expect(desktop.simulator.incidents().size).toBe(0);
  },
);

test(
  'a link opens its incident, from a second start and from the system',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    await desktop.export('Flare at gate 4', { 'cam1.mp4': await sampleClip() });
    await expect(uploadsList(page)).toContainText('Sent', { timeout: 20_000 });
    const [incidentId] = desktop.simulator.incidents().keys();
    await page.getByRole('link', { name: 'Health' }).click();
    await app.startAgain([`vms-export-agent://incident/${incidentId}`]);
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details).toContainText('Flare at gate 4');
    await page.getByRole('link', { name: 'Health' }).click();
    await app.system.openUrl(`vms-export-agent://incident/${incidentId}`);
    await expect(details).toContainText('Flare at gate 4');
  },
);

test('a link that asks for anything else does nothing', async ({ standing }) => {
  const { app, page } = standing;
  await page.getByRole('link', { name: 'Health' }).click();
  for (const link of [
    'vms-export-agent://settings',
    'vms-export-agent://incident/../../users',
    'vms-export-agent://incident/1?then=quit',
    'https://evil.example/',
  ])
    await app.system.openUrl(link);
  // The page gets messages in order: once it is at the settings, it would have followed the earlier links.
  await app.system.clickMenu(['Go', 'Go to Settings']);
  await expect(page).toHaveURL(/settings/);
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/health/);
});

test('fault 10: after a fault the app starts again by itself, once it has ended, and sends what comes', async ({
  desktop,
  driver,
}) => {
  test.skip(driver === 'electron', 'nothing throws in the main process of a finished program');
  const { app } = await desktop.start();
  await app.double?.fault();
  expect(await app.ended).toBe(1);
  await desktop.export('Gate 7', { 'cam1.mp4': await sampleClip() });
  // The thumbnail that the page made is stored as well
  const clips = async (): Promise<number> =>
    (await desktop.simulator.objects()).filter(({ key }) => key.endsWith('.mp4')).length;
  await expect.poll(clips, { timeout: 60_000 }).toBe(1);
  const log = await readFile(join(desktop.userData, 'logs', 'vms-export-agent.log'), 'utf8');
  expect(log.match(/The app is starting/g)).toHaveLength(2);
  expect(log).toContain('A fault of the test');
});

test('quitting during the pause after a fault takes no longer than at any other time', async ({
  desktop,
}) => {
  const { app } = await desktop.start(['--after-fault=3']);
  let exitCode: number | undefined;
  void app.ended.then((code) => (exitCode = code));
  await app.system.quit();
  // The time limit of an orderly stop is longer
  await expect.poll(() => exitCode, { timeout: 5_000 }).toBe(0);
});
