import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { sampleClip } from '../helpers/sample-clips.ts';
import { expect, test, type Desktop } from './desktop.ts';
import { uploadsList } from '../helpers/uploads-list.ts';

test.beforeEach(() => {
  // Windows and macOS keep it themselves; test/unit/desktop/choice-store.test.ts tests the calls to them
  test.skip(process.platform !== 'linux', 'only a Linux desktop starts programs by files');
});

/** The file from which a Linux desktop starts the app at sign-in ($XDG_CONFIG_HOME). */
const entryOf = ({ home }: Pick<Desktop, 'home'>): string =>
  join(home, '.config', 'autostart', 'vms-export-agent.desktop');
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

async function startSwitch(page: Page) {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Desktop' }).click();
  return page.getByRole('switch', { name: 'Start when you sign in' });
}

/**
 * The words of an entry's command as a desktop parses them: the file's backslashes and per cent signs first, then the
 * quotes.
 */
function wordsOf(entry: string): readonly string[] {
  const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? '';
  const command = line.replaceAll('\\\\', '\\').replaceAll('%%', '%');
  return [...command.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1'),
  );
}

test('an operator has the app started at sign-in: no window comes up, clips go out, and the tray has it', async ({
  desktop,
}) => {
  const first = await desktop.start();
  const toggle = await startSwitch(first.page);
  await expect(toggle).not.toBeChecked();
  await toggle.press('Space');
  await expect(toggle).toBeChecked();
  const entry = await readFile(entryOf(desktop), 'utf8');
  expect(entry).toContain('Type=Application\nName=VMS Export Agent\n');
  const [program, ...args] = wordsOf(entry);
  expect(args).toEqual(['--hidden']);
  expect((await stat(program ?? '')).mode & 0o111, 'the entry names a program').not.toBe(0);
  await first.app.system.quit();
  expect(await first.app.ended).toBe(0);

  const { app, page } = await desktop.start(args);
  await desktop.export('Before the shift', { 'cam1.mp4': await sampleClip() });
  await expect
    .poll(() => [...desktop.simulator.incidents().values()][0]?.uploaded_videos.length, { timeout: 20_000 })
    .toBe(1);
  await expect.poll(async () => (await app.system.tray())?.toolTip).toContain('No clips waiting');
  expect(await app.system.window()).toMatchObject({ exists: true, isVisible: false });
  await app.system.clickTray('Open');
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  await expect(uploadsList(page)).toContainText('Sent');
  await expect(await startSwitch(page)).toBeChecked();
});

test('an operator switches it off again, and the desktop starts nothing', async ({ standing }) => {
  const { page } = standing;
  const toggle = await startSwitch(page);
  await toggle.press('Space');
  await expect(toggle).toBeChecked();
  await expect.poll(() => isThere(entryOf(standing))).toBe(true);
  await toggle.press('Space');
  await expect(toggle).not.toBeChecked();
  expect(await isThere(entryOf(standing))).toBe(false);
});

test(
  'an entry that was taken away outside of the app shows as off at the next start',
  { tag: '@long' },
  async ({ desktop }) => {
    const first = await desktop.start();
    await (await startSwitch(first.page)).press('Space');
    await expect.poll(() => isThere(entryOf(desktop))).toBe(true);
    await first.app.system.quit();
    await first.app.ended;
    await rm(entryOf(desktop));
    const { page } = await desktop.start();
    await expect(await startSwitch(page)).not.toBeChecked();
  },
);

test(
  'an operator whose account cannot keep the entry reads what to do, and the switch stays off',
  { tag: '@long' },
  async ({ desktop }) => {
    const { page } = await desktop.start();
    // A file instead of the folder: permissions would not stop an administrator
    await writeFile(join(desktop.home, '.config', 'autostart'), '');
    const toggle = await startSwitch(page);
    await toggle.press('Space');
    await expect(page.getByText('The setting could not be saved on this PC.')).toBeVisible();
    await expect(
      page.getByText('Check that the disk is not full and that this account can write'),
    ).toBeVisible();
    await expect(toggle).not.toBeChecked();
  },
);
