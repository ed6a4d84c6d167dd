import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { answerQuestion } from './helpers/answer-question.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test, type Desk } from './helpers/desk.ts';

const readConfig = async ({ configPath }: Desk): Promise<unknown> =>
  JSON.parse(await readFile(configPath, 'utf8'));

test('an administrator tests the connection and sees each thing on its own line, replaces the key, and it counts at once and is shown nowhere', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.open('/settings');
  await page.getByRole('button', { name: 'Test connection' }).click();
  const lines = page.getByRole('list', { name: 'Connection test' }).getByRole('listitem');
  await expect(lines).toHaveCount(5);
  await expect(lines.nth(0)).toContainText('Address');
  await expect(lines.nth(1)).toContainText('TLS');
  await expect(lines.nth(2)).toContainText('Service');
  await expect(lines.nth(3)).toContainText('Video permission');
  await expect(lines.nth(4)).toContainText('Clock');
  await expect(lines.nth(2)).toContainText('OK');
  await expectNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoAxeFindings(page);

  const key = 'canary-replaced-0815';
  await expect(page.getByText('A key is set.')).toBeVisible();
  await page.getByLabel('New key').fill('two words');
  await page.getByRole('button', { name: 'Save the key' }).click();
  await expect(page.getByText('contains spaces or tabs')).toBeVisible();
  await page.getByLabel('New key').fill(key);
  await page.getByLabel('New key').press('Enter');
  await answerQuestion(page, 'Replace the API key?', 'Replace key');
  await expect(page.getByText('API key saved.')).toBeVisible();
  await expect(page.getByLabel('New key')).toHaveValue('');
  expect(await page.content()).not.toContain(key);
  // Nobody has tested this key yet
  await expect(lines).toHaveCount(0);
  expect(await readFile(join(dirname(desk.configPath), 'key.txt'), 'utf8')).toBe(`${key}\n`);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('KEY_REFUSED')).toBeVisible();
});

test(
  'an administrator limits the speed by keyboard alone, and only that section of the file changes',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const before = await readConfig(desk);
    await desk.open('/settings');
    await page.getByRole('tab', { name: 'Connection' }).focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('tab', { name: 'Uploads' })).toHaveAttribute('aria-selected', 'true');
    // Without the desktop app nothing reports that the PC is on battery
    await expect(page.getByRole('button', { name: /While the connection is metered/ })).toHaveCount(1);
    await expect(page.getByRole('button', { name: /While the PC is on battery power/ })).toHaveCount(0);
    await page.getByRole('switch', { name: 'Limit upload speed' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Limit (MB/s)')).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2.5');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    // It takes effect immediately
    await expect(page.getByRole('contentinfo')).toContainText('Limit 2.5 MB/s');
    await expect(page.getByRole('region', { name: 'Saving' })).toBeHidden();
    expect(await readConfig(desk)).toMatchObject({
      ...Object(before),
      upload: { maxBytesPerSecond: 2_500_000, concurrentFiles: 2 },
    });
    await desk.restart();
    await desk.open('/settings?part=uploads');
    await expect(page.getByLabel('Limit (MB/s)')).toHaveValue('2.5');
    await expect(page.getByRole('region', { name: 'Saving' })).toBeHidden();
  },
);

test(
  'an administrator paints a pause into the week by keyboard and by drawing, and it holds at once',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.open('/settings?part=uploads');
    await page.getByRole('button', { name: 'Paint with' }).click();
    await page.getByRole('option', { name: 'Paused' }).click();
    const week = page.getByRole('grid', { name: 'Weekly limits by hour' });
    const cell = (name: string) => week.getByRole('gridcell', { name });
    await cell('Mon 08:00').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Space');
    await expect(cell('Tue 09:00')).toHaveAccessibleName('Tue 09:00: Paused');
    await expect(page.getByRole('group', { name: 'Line 1' }).getByLabel('From')).toHaveValue('08:00');
    // The whole week, drawn from its first hour to its last
    await cell('Mon 00:00').hover();
    await page.mouse.down();
    await cell('Sun 23:00').hover();
    await page.mouse.up();
    await expect(cell('Sat 14:00')).toHaveAccessibleName('Sat 14:00: Paused');
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('contentinfo')).toContainText('Paused by the schedule');
    expect(await readConfig(desk)).toMatchObject({
      upload: {
        schedule: [
          {
            days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
            from: '00:00',
            to: '24:00',
            limit: 'pause',
          },
        ],
      },
    });
    // An invalid line is reported at its field, and the previous one stays in force
    await page.getByRole('group', { name: 'Line 1' }).getByLabel('To').fill('25:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('must be a time of day such as 19:00 or 24:00')).toBeVisible();
  },
);

test('an administrator learns at the field what is wrong with a folder, and tries a file name with another time zone before it is saved', async ({
  desk,
}) => {
  const { page, dataDir } = desk;
  const before = await readConfig(desk);
  await desk.open('/settings?part=folders');
  await page.getByRole('button', { name: 'Add a folder' }).click();
  const folder = page.getByRole('group', { name: 'Folder 2' });
  await folder.getByLabel('Path').fill(dataDir);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert', { name: 'Not saved' })).toBeVisible();
  await expect(folder.getByLabel('Path')).toHaveAttribute('aria-invalid', 'true');
  await expectNoAxeFindings(page);
  expect(await readConfig(desk)).toEqual(before);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(folder).toBeHidden();

  await page.getByRole('combobox', { name: 'Time zone used in file names' }).fill('Asia/Tokyo');
  await page.keyboard.press('Escape');
  await page.getByLabel('File name to try').fill('C:\\exports\\Gate 4 North_2026_05_01_19_30_05.mkv');
  const tester = page.getByRole('region', { name: 'Try a file name' });
  await expect(tester).toContainText('Gate 4 North');
  await expect(tester).toContainText('10:30:05 UTC');
  await page.getByLabel('File name to try').fill('holiday.mp4');
  await expect(tester).toContainText('No camera or times can be read from this name');
  await expectNoAxeFindings(page);
});

test('an administrator whose file is broken sees where, and goes on when it is mended', async ({ desk }) => {
  const { page } = desk;
  const good = await readFile(desk.configPath, 'utf8');
  await writeFile(desk.configPath, '{ "baseUrl": ');
  await desk.open('/settings');
  await expect(page.getByText('CONFIG_BROKEN')).toBeVisible();
  await writeFile(desk.configPath, good);
  // If part of the page is drawn late, it reads the file again itself, and there is no button left to press
  const again = page.getByRole('button', { name: 'Try again' });
  const address = page.getByLabel('Service address');
  await again.click({ timeout: 5_000 }).catch(async () => expect(address).toBeVisible());
  await expect(address).toBeVisible();
});

test(
  'a user chooses light, dense and local times, and finds them again',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.open('/settings?part=display');
    for (const [field, choice] of [
      ['Theme', 'Light'],
      ['Row height', 'Compact'],
      ['Times', 'Local'],
    ] as const) {
      await page.getByRole('button', { name: new RegExp(`${field}$`) }).click();
      await page.getByRole('option', { name: choice }).click();
    }
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
    await expectNoAxeFindings(page);
    await desk.open('/settings?part=notifications');
    await expectNoAxeFindings(page);
    await desk.open('/settings?part=shortcuts');
    await expect(page.getByText('Ctrl+K').first()).toBeVisible();
    await expectNoAxeFindings(page);
  },
);

test('an administrator who goes elsewhere with unsaved settings is asked, and loses them only by choice', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.open('/settings');
  await expect(page.getByRole('tab', { name: 'Desktop' })).toHaveCount(0);
  await page.getByLabel('Service address').fill('https://other.example/v1');
  await page.getByRole('tab', { name: 'Uploads' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect(question).toBeHidden();
  await page.keyboard.press('ControlOrMeta+6');
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused();
  await expectNoAxeFindings(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tabpanel', { name: 'Uploads' })).toBeVisible();
  await page.getByRole('tab', { name: 'Connection' }).click();
  await expect(page.getByLabel('Service address')).toHaveValue('https://other.example/v1');
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('link', { name: 'Health' }).click();
  await question.getByRole('button', { name: 'Discard and leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Service address')).not.toHaveValue('https://other.example/v1');
});

test('an administrator who types another address over unsaved settings and then stays loses nothing', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.open('/settings');
  const address = page.getByLabel('Service address');
  await address.fill('https://other.example/v1');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  for (const typed of ['#/users', '#/health'])
    await page.evaluate((hash) => {
      location.hash = hash;
    }, typed);
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/#\/settings/);
  await expect(address).toHaveValue('https://other.example/v1');
  await page.evaluate(() => {
    location.hash = '#/users';
  });
  await question.getByRole('button', { name: 'Discard and leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
});
