import { sampleClip } from '../helpers/sample-clips.ts';
import { expect, test, type Desktop, type Started } from './desktop.ts';
import { clipRows, incidentRow, uploadsList, showClips } from '../helpers/uploads-list.ts';

/** Events are collected for 4 s, after files have settled: under load that adds up, milliseconds. */
const TOLD = { timeout: 25_000 };
/** Longer than events are collected, milliseconds: only after that does the absence of a notification mean anything. */
const NEWS_ARE_GROUPED_MS = 5_000;

/** Makes the service refuse clips of this size from now on. */
const refuseClips = ({ simulator }: Desktop): void => simulator.configure({ maxUploadSizeMb: 0.01 });

/** Adds exports while everything is paused and then resumes, so that their results are reported together. */
async function exportTogether(
  desktop: Desktop,
  { app, page }: Started,
  exports: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const pause = async () =>
    (await app.system.tray())?.menu.find(({ label }) => label === 'Pause all uploads')?.isEnabled;
  await expect.poll(pause, TOLD).toBe(true);
  await app.system.clickTray('Pause all uploads');
  await expect.poll(async () => (await app.system.tray())?.toolTip).toContain('Paused');
  for (const [folder, files] of Object.entries(exports)) {
    // Equal clips would be copies, which are not sent
    const clips = await Promise.all(files.map(async (file) => [file, await sampleClip()] as const));
    await desktop.export(folder, Object.fromEntries(clips));
    await expect(incidentRow(page, folder, 'Paused')).toBeVisible(TOLD);
  }
  await app.system.clickTray('Resume all uploads');
}

const titles = async ({ app }: Started): Promise<readonly string[]> =>
  (await app.system.notifications()).map(({ title }) => title);

test('clips that fail at once are one notification, which leads to their incident; one that an operator cancelled is no news', async ({
  desktop,
}) => {
  test.slow();
  const started = await desktop.start();
  const { app, page } = started;
  await app.system.blurWindow();
  await test.step('cancelled', async () => {
    const line = desktop.simulator.faults.hold({ call: 'putObject' });
    await desktop.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await line.arrived;
    await showClips(page);
    await clipRows(page).getByText('cam1.mp4').click();
    await page.getByRole('button', { name: 'Cancel upload' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel upload' }).click();
    await expect(page.getByText(/1 upload cancelled/)).toBeVisible();
    line.release();
    refuseClips(desktop);
    await desktop.export('Gate 5', { 'cam2.mp4': await sampleClip() });
    await expect.poll(() => titles(started), TOLD).toEqual(['A clip failed']);
    expect((await app.system.notifications())[0]?.body).toContain('cam2.mp4');
  });
  const details = page.getByRole('complementary', { name: 'Details' });
  await test.step('of one incident', async () => {
    await exportTogether(desktop, started, { Stand: ['cam1.mp4', 'cam2.mp4'] });
    await expect.poll(() => titles(started), TOLD).toEqual(['A clip failed', '2 clips failed']);
    await page.getByRole('link', { name: 'Health' }).click();
    await app.system.clickNotification(1);
    await expect(details).toContainText('Stand');
  });
});

test(
  'clips of several incidents are one notification, which brings up the window alone; one leads to its incident also from the tray',
  { tag: '@long' },
  async ({ desktop }) => {
    test.slow();
    const started = await desktop.start();
    const { app, page } = started;
    refuseClips(desktop);
    await test.step('of several incidents', async () => {
      await app.system.blurWindow();
      await exportTogether(desktop, started, { Corridor: ['cam1.mp4', 'cam2.mp4'], Ramp: ['cam3.mp4'] });
      await expect.poll(() => titles(started), TOLD).toEqual(['3 clips failed']);
      await page.getByRole('link', { name: 'Health' }).click();
      await app.system.closeWindow();
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
      await expect.poll(async () => (await titles(started)).at(-1)).toBe('The app is still running');
      await app.system.clickNotification(0);
      await expect.poll(() => app.system.window()).toMatchObject({ isVisible: true });
      // The page gets messages in order: once it is at the settings, it would have gone to an incident before
      await app.system.clickMenu(['Go', 'Go to Settings']);
      await expect(page).toHaveURL(/settings/);
      await page.goBack();
      await expect(page).toHaveURL(/health/);
    });
    await test.step('hidden in the tray', async () => {
      await app.system.closeWindow();
      await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
      await desktop.export('Lobby', { 'cam1.mp4': await sampleClip() });
      await expect.poll(async () => (await titles(started)).slice(2), TOLD).toEqual(['A clip failed']);
      expect(await app.system.window()).toMatchObject({ isVisible: false });
      await app.system.clickNotification(2);
      await expect.poll(() => app.system.window()).toMatchObject({ isVisible: true, isFocused: true });
      await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('Lobby');
    });
  },
);

test(
  'finished incidents are told from the moment on when an operator chose so, and a notification shows what hides in a name',
  { tag: '@long' },
  async ({ desktop }) => {
    test.slow();
    const started = await desktop.start();
    const { app, page } = started;
    await app.system.blurWindow();
    await desktop.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await expect(uploadsList(page)).toContainText('Sent', TOLD);
    await expect.poll(async () => (await app.system.tray())?.toolTip, TOLD).toContain('No clips waiting');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Desktop' }).click();
    const choice = page.getByRole('switch', { name: 'Notify about finished incidents too' });
    await expect(choice).not.toBeChecked();
    await page.getByText('Notify about finished incidents too').click();
    await expect(choice).toBeChecked();
    await page.getByRole('link', { name: 'Uploads' }).click();
    await desktop.export('Gate 5', { 'cam1.mp4': await sampleClip() });
    const first = { title: 'Incident sent', body: 'Gate 5: 1 clip sent.' };
    await expect.poll(() => app.system.notifications(), TOLD).toEqual([first]);
    await exportTogether(desktop, started, { 'Gate 6': ['cam1.mp4'], 'Gate 7': ['cam1.mp4'] });
    await expect.poll(() => titles(started), TOLD).toEqual([first.title, '2 incidents sent']);

    await desktop.export('Gate \u202E4', { 'cam1.mp4': await sampleClip() });
    await expect
      .poll(async () => (await app.system.notifications()).slice(2), TOLD)
      .toEqual([{ title: 'Incident sent', body: 'Gate <U+202E>4: 1 clip sent.' }]);
    refuseClips(desktop);
    await desktop.export('Ramp', { 'cam\u200B\u202E4pm.mp4': await sampleClip() });
    await expect.poll(() => app.system.notifications(), TOLD).toHaveLength(4);
    const body = (await app.system.notifications())[3]?.body ?? '';
    expect(body).toContain('cam<U+200B><U+202E>4pm.mp4');
    expect(body).not.toMatch(/[\u200B\u202E]/);
  },
);

test(
  'a key that the service refuses is told once, however often it is refused',
  { tag: '@long' },
  async ({ desktop }) => {
    test.slow();
    const started = await desktop.start();
    const { app } = started;
    await app.system.blurWindow();
    desktop.simulator.setKeys([]);
    await desktop.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await expect.poll(() => titles(started), TOLD).toEqual(['Uploads need your attention']);
    expect((await app.system.notifications())[0]?.body).toMatch(/key/i);
    const refused = (): number =>
      desktop.simulator.requests.all().filter(({ call, status }) => call === 'getIncident' && status === 401)
        .length;
    const before = refused();
    await expect.poll(refused, { timeout: 40_000 }).toBeGreaterThan(before);
    await new Promise((resolve) => void setTimeout(resolve, NEWS_ARE_GROUPED_MS));
    expect(await titles(started)).toEqual(['Uploads need your attention']);
  },
);
