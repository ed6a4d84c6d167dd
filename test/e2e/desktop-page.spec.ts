import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test, type Desk } from './helpers/desk.ts';
import { dragFiles } from './helpers/drop-files.ts';
import { giveDesktop } from './helpers/fake-desktop.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, showClips } from './helpers/uploads-list.ts';

const failed = (code: string, message: string): unknown => ({
  ok: false,
  error: { code, message, advice: 'Look for it elsewhere.', retryable: false },
});
const news = ({ page }: Desk) => page.getByRole('region', { name: 'Notifications' });

/** Makes export folders outside the watched one. */
async function exportsBeside(desk: Desk, names: readonly string[]): Promise<string> {
  const place = join(dirname(desk.root), 'usb');
  for (const name of names) {
    await mkdir(join(place, name), { recursive: true });
    await writeFile(join(place, name, `${name}_20260501_193005.mp4`), await sampleClip());
  }
  return place;
}

test('an operator drops two folders and a file, sends the first folder and skips the second; for a file alone is told that folders are wanted, and letting go elsewhere nothing', async ({
  desk,
}) => {
  const { page } = desk;
  const place = await exportsBeside(desk, ['Gate 4', 'Gate 5']);
  await writeFile(join(place, 'notes.txt'), 'x');
  const desktop = await giveDesktop(desk, { dropRoot: place });
  await desk.open('/periods');
  const drag = await dragFiles(page, [
    join(place, 'Gate 4'),
    join(place, 'notes.txt'),
    join(place, 'Gate 5'),
  ]);
  await expect(page.getByRole('heading', { name: 'Drop export folders here' })).toBeVisible();
  await expectNoAxeFindings(page);
  await drag.drop();
  await expect(page.getByRole('heading', { name: 'Drop export folders here' })).toBeHidden();
  await expect(news(desk)).toContainText('1 file was skipped');
  const first = page.getByRole('dialog', { name: 'What would be sent: folder 1 of 2' });
  await expect(first).toContainText('Gate 4_20260501_193005.mp4');
  await expectNoAxeFindings(page);
  await first.getByRole('button', { name: 'Send 1 clip' }).click();
  const second = page.getByRole('dialog', { name: 'What would be sent: folder 2 of 2' });
  await expect(second).toContainText('Gate 5_20260501_193005.mp4');
  await second.getByRole('button', { name: 'Skip this folder' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(news(desk)).toContainText('Folder added.');
  expect(desktop.pushed).toEqual([{ folders: [join(place, 'Gate 4')] }]);

  const away = await dragFiles(page, [join(place, 'Gate 4')]);
  await away.leave();
  await expect(page.getByRole('heading', { name: 'Drop export folders here' })).toBeHidden();
  const file = await dragFiles(page, [join(place, 'Gate 4', 'Gate 4_20260501_193005.mp4')]);
  await file.drop();
  await expect(news(desk)).toContainText('Only folders can be added');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test(
  'an operator chooses a folder with the dialog of the system, by keyboard alone',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const place = await exportsBeside(desk, ['Gate 4']);
    const desktop = await giveDesktop(desk);
    desktop.answer('chooseFolder', () => ({ ok: true, value: {} }));
    await desk.open('/uploads?open=true');
    await page.keyboard.press('ControlOrMeta+o');
    const dialog = page.getByRole('dialog', { name: 'Add an export folder' });
    const choose = dialog.getByRole('button', { name: 'Choose…' });
    while (!(await choose.evaluate((button) => button === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => desktop.orders.at(-1)?.call).toBe('chooseFolder');
    await expect(dialog).toBeVisible();
    desktop.answer('chooseFolder', () => ({ ok: true, value: { path: join(place, 'Gate 4') } }));
    await choose.press('Enter');
    const preview = page.getByRole('dialog', { name: 'What would be sent' });
    await preview.getByRole('button', { name: 'Send 1 clip' }).press('Enter');
    await expect(news(desk)).toContainText('Folder added.');
  },
);

test('a menu knows what can be given, leads to the screen of what is chosen, and waits for a dialog; a window whose main process is gone says so', async ({
  desk,
}) => {
  const { page } = desk;
  const desktop = await giveDesktop(desk);
  await desk.open('/uploads?open=true');
  const entry = (id: string) =>
    expect.poll(() => {
      const commands: unknown = Reflect.get(Object(desktop.menu()), 'commands');
      return Array.isArray(commands)
        ? commands.find((each) => Reflect.get(Object(each), 'id') === id)
        : undefined;
    });
  await entry('uploads.pauseAll').toEqual({
    id: 'uploads.pauseAll',
    label: 'Pause or resume all uploads',
    isEnabled: true,
  });
  await entry('users.export').toMatchObject({ isEnabled: false });
  await desktop.tell({ kind: 'command', id: 'users.create' });
  const dialog = page.getByRole('dialog', { name: 'Create a user' });
  await expect(dialog).toBeVisible();
  await entry('users.export').toMatchObject({ isEnabled: true });
  await desktop.tell({ kind: 'command', id: 'go.health' });
  await expect(news(desk)).toContainText('Close the open dialog first');
  await expect(dialog).toBeVisible();

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('Online');
  desktop.crash();
  await page.keyboard.press('F5');
  await expect(page.getByRole('contentinfo')).toContainText('The agent has not responded since');
});

test(
  'a notification leads to its incident, whatever was filtered, and not from under an open form',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    const desktop = await giveDesktop(desk);
    await desk.open('/uploads?search=nowhere');
    await page.getByRole('link', { name: 'Users' }).click();
    const find = () =>
      desk
        .agent()
        .call(
          { call: 'uploads.listIncidents', input: { offset: 0, limit: 1 } },
          new AbortController().signal,
        );
    let incidentId = '';
    await expect
      .poll(async () => {
        const answer = await find();
        const rows: unknown = answer.ok ? Reflect.get(Object(answer.value), 'rows') : [];
        incidentId = Array.isArray(rows) ? String(Reflect.get(Object(rows[0]), 'id')) : '';
        return Array.isArray(rows) && rows.length;
      })
      .toBe(1);
    await page.getByRole('button', { name: 'Create user' }).click();
    await desktop.tell({ kind: 'showIncident', incidentId });
    await expect(news(desk)).toContainText('Close this dialog to see the incident.');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('Gate 4');
    await expect(page.getByLabel('Camera, file or incident')).toHaveValue('');
    await desktop.tell({ kind: 'showIncident', incidentId: 'gone' });
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('NOT_FOUND');
  },
);

test('folders and commands that come before the page has loaded are not lost', async ({ desk }) => {
  const { page } = desk;
  const place = await exportsBeside(desk, ['Gate 4']);
  await giveDesktop(desk, { early: [{ kind: 'addFolders', paths: [join(place, 'Gate 4')] }] });
  await desk.open('/health');
  await expect(page.getByRole('dialog', { name: 'What would be sent' })).toContainText('Gate 4');
});

test(
  'an operator shows a clip in its folder with the key O, and reads why that is not possible',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    const desktop = await giveDesktop(desk);
    desktop.answer('revealClip', () => failed('FILE_GONE', 'The file is no longer there.'));
    await desk.open('/uploads?open=true');
    await showClips(page);
    await clipRows(page).getByText('cam1.mp4').click();
    await expect(page.getByRole('button', { name: 'Show in folder' })).toBeVisible();
    await page.keyboard.press('o');
    await expect(news(desk)).toContainText('The file is no longer there. Look for it elsewhere.');
    expect(desktop.orders.at(-1)).toMatchObject({
      call: 'revealClip',
      input: { clipId: expect.any(String) },
    });
  },
);

test(
  'a table and the diagnostics are saved where the system says, and nothing is claimed when that was left',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const desktop = await giveDesktop(desk);
    desktop.answer('saveText', () => ({ ok: true, value: { isSaved: true } }));
    await desk.open('/users');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(news(desk)).toContainText('users were exported.');
    expect(desktop.orders.at(-1)).toMatchObject({
      call: 'saveText',
      input: { name: expect.stringMatching(/^users-[\d-]{10}\.csv$/) },
    });
    desktop.answer('saveText', () => ({ ok: true, value: { isSaved: false } }));
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('button', { name: 'Diagnostics bundle' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save to a file' });
    await save.click();
    const saves = () => desktop.orders.filter(({ call }) => call === 'saveText').length;
    await expect.poll(saves).toBe(2);
    desktop.answer('saveText', () => failed('DISK_FULL', 'The disk is full.'));
    // The dialog is still there: nothing was saved
    await save.click();
    await expect(news(desk)).toContainText('The disk is full.');
    desktop.answer('saveText', () => ({ ok: true, value: { isSaved: true } }));
    await save.click();
    await expect(news(desk)).toContainText('Bundle saved.');
    await expect(dialog).toBeHidden();
  },
);

test(
  'a user sets how the app behaves, opens its help, reads what the system made of it, looks for an update, and restarts when one is ready',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const desktop = await giveDesktop(desk);
    desktop.answer('choice.set', () => failed('DATA_FOLDER', 'The choice could not be written.'));
    await desk.open('/settings');
    await page.getByRole('tab', { name: 'Connection' }).focus();
    for (let steps = 0; steps < 8; steps += 1) await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('tab', { name: 'Desktop' })).toHaveAttribute('aria-selected', 'true');
    const tray = page.getByRole('switch', { name: 'Keep sending when the window is closed' });
    await tray.focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('The choice could not be written.')).toBeVisible();
    await expect(tray).toBeChecked();
    await expectNoAxeFindings(page);
    desktop.answer('choice.set', (input) => ({
      ok: true,
      value: {
        closeToTray: false,
        startAtLogin: false,
        notifyFinished: false,
        isGpuUsed: true,
        ...Object(input),
      },
    }));
    await page.getByRole('switch', { name: 'Notify about finished incidents too' }).press('Space');
    await expect(page.getByRole('switch', { name: 'Notify about finished incidents too' })).toBeChecked();
    await expect(tray).not.toBeChecked();
    await page.getByRole('button', { name: "What's new" }).press('Enter');
    await expect
      .poll(() => desktop.orders.at(-1))
      .toEqual({ call: 'openHelp', input: { page: 'changelog' } });
    await page.getByRole('tab', { name: 'Notifications' }).click();
    await expect(page.getByText('System notifications are set under Desktop')).toBeVisible();
    await expect(page.getByRole('switch')).toHaveCount(0);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('tab', { name: 'Desktop' }).click();
    await expectNoAxeFindings(page);
    await page.emulateMedia({ colorScheme: 'dark' });

    desktop.answer('update.state', () => ({
      ok: true,
      value: { kind: 'current', checkedAt: '2026-05-01T18:00:00Z' },
    }));
    desktop.answer('update.check', () => ({ ok: true, value: { kind: 'loading', version: '1.2.0' } }));
    desktop.answer('update.install', () => failed('CANCELLED', 'Uploads are running.'));
    await desk.open('/settings?part=updates');
    const part = page.getByRole('tabpanel', { name: 'Updates' });
    await expect(part).toContainText('You have the latest version. Last checked');
    await part.getByRole('button', { name: 'Check for updates' }).press('Enter');
    await expect(part).toContainText('Downloading version 1.2.0.');
    await page.getByRole('link', { name: 'Uploads' }).click();
    await desktop.tell({ kind: 'updateState', state: { kind: 'ready', version: '1.2.0' } });
    const strip = page.getByRole('contentinfo');
    await expect(strip).toContainText('Version 1.2.0 is ready');
    await expectNoAxeFindings(page);
    await strip.getByRole('button', { name: 'Restart to update' }).press('Enter');
    await expect(news(desk)).toContainText('Uploads are running.');
    expect(desktop.orders.at(-1)?.call).toBe('update.install');
    await desk.open('/settings?part=updates');
    await expect(part).toContainText('You have the latest version.');
    desktop.answer('update.state', () => ({ ok: true, value: { kind: 'off', reason: 'Managed.' } }));
    await page.keyboard.press('F5');
    await expect(part).toContainText('Updates are off. Managed.');
  },
);
