import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Users of the team' });

/** Thirty users as another system writes them; four rows are wrong, and one user is known to the service. */
function thirtyUsers(knownPhone: string): Buffer {
  const row = (index: number): readonly string[] => [
    `Given ${index}`,
    `Family ${index}`,
    `+44 7700 9${String(10_000 + index)}`,
    'staff',
  ];
  const rows = Array.from({ length: 30 }, (_, index) => row(index));
  rows[3] = ['No', 'Country code', '07700 912345', 'staff'];
  rows[7] = ['', 'Without first name', '+447700912346', 'staff'];
  rows[11] = ['Same', 'Number', '+447700910000', 'member'];
  rows[19] = ['Wrong', 'Role', '+447700912347', 'boss'];
  rows[20] = ['=HYPERLINK("x")', 'Known', knownPhone, 'member'];
  const lines = [['Forename', 'Surname', 'Mobile', 'Role'], ...rows].map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'),
  );
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8');
}

async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await (await choosing).setFiles({ name, mimeType: 'text/csv', buffer });
}

test('an administrator is told why a file is no table, then imports thirty users of which four are wrong', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  const known = simulator.team().outsiders.find(({ login_type }) => login_type === 'PHONE_NUMBER');
  await desk.open('/users');
  await chooseFile(page, 'users.xlsx', Buffer.from('PK\u0003\u0004\u0000\u0000'));
  const told = page.getByRole('dialog', { name: 'users.xlsx cannot be imported' });
  await expect(told.getByText(/Save the spreadsheet as CSV first/)).toBeVisible();
  await expectNoAxeFindings(page);
  await told.getByRole('button', { name: 'Close' }).click();
  await chooseFile(page, 'stewards.csv', thirtyUsers(known?.phone_number ?? ''));
  const check = page.getByRole('alertdialog', { name: 'Import users from stewards.csv' });
  await expect(check.getByRole('radio', { name: 'All 30' })).toBeVisible();
  await check.getByRole('radio', { name: 'Errors 4' }).click();
  const wrong = check.getByRole('row').filter({ hasText: '✕' });
  await expect(wrong).toHaveText([
    /^5✕ "07700 912345" is not a valid phone number/,
    /^9✕ First name is missing/,
    /^13✕ The same phone or device is also in row 2/,
    /^21✕ "boss" is not a valid role/,
  ]);
  await expectNoAxeFindings(page);
  expect(simulator.requests.of('createUser')).toEqual([]);
  await check.getByRole('button', { name: 'Import 26 users' }).click();
  const result = page.getByRole('alertdialog', { name: 'Import result' });
  await expect(result.getByText('25 created · 1 already exists · 4 skipped')).toBeVisible();
  await expect(result.getByText(/First name is "/)).toBeVisible();
  await expectNoAxeFindings(page);
  expect(simulator.requests.of('createUser', { status: 201 })).toHaveLength(26);

  const withoutPasswords = await saveResult(page, result);
  expect(withoutPasswords.split('\r\n')).toHaveLength(32);
  expect(withoutPasswords).not.toContain('Temporary password');
  expect(withoutPasswords).toContain(`"'=HYPERLINK(""x"") Known"`);
  await result.getByText('Show temporary passwords').click();
  await expect(result.getByText(/Anyone with the saved file can sign in/)).toBeVisible();
  const password = (await result.locator('td code').first().textContent()) ?? '';
  expect(password).toMatch(/^\w{12}$/);
  expect(await saveResult(page, result)).toContain(password);
  await result.getByRole('button', { name: 'Close' }).click();
  await expect(result).toBeHidden();
  expect(await page.content()).not.toContain(password);
});

async function saveResult(page: Page, result: Locator): Promise<string> {
  const saving = page.waitForEvent('download');
  await result.getByRole('button', { name: 'Save the result as CSV' }).click();
  return readFile(await (await saving).path(), 'utf8');
}

test(
  'an administrator tells the columns apart and stops an import on the way',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    simulator.faults.add({ match: { call: 'createUser' }, action: { kind: 'delay', ms: 150 } });
    const lines = Array.from({ length: 40 }, (_, index) => `Kiosk ${index},X-${index}`);
    await desk.open('/users');
    await chooseFile(page, 'kiosks.csv', Buffer.from(['What,Number', ...lines].join('\n')));
    const check = page.getByRole('alertdialog', { name: /kiosks/ });
    await expect(check.getByText('A phone number or a device ID is required.').first()).toBeVisible();
    await expect(check.getByRole('button', { name: /^Import 0/ })).toBeDisabled();
    for (const [field, column] of [
      ['Device name', 'What'],
      ['Device ID', 'Number'],
    ] as const) {
      await check.getByRole('button', { name: field }).click();
      await page.getByRole('option', { name: column }).click();
    }
    await check.getByRole('button', { name: 'Import 40 users' }).click();
    const running = page.getByRole('alertdialog', { name: 'Importing users' });
    await expect(running.getByText(/^[1-9]\d* of 40$/)).toBeVisible();
    await expectNoAxeFindings(page);
    await running.getByRole('button', { name: 'Stop the import' }).click();
    const result = page.getByRole('alertdialog', { name: 'Import result' });
    await expect(result.getByText(/^\d+ created · \d+ not attempted$/)).toBeVisible();
    const created = simulator.requests.of('createUser').length;
    expect(created).toBeLessThan(40);
    await expect(result.getByText(`${created} created · ${40 - created} not attempted`)).toBeVisible();
  },
);

test(
  'behind a captive portal neither an import of 500 users nor a change goes on',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    const lines = Array.from({ length: 500 }, (_, index) => `Kiosk ${index},X-${index}`);
    await desk.open('/users');
    const marks = grid(page).getByRole('button', { name: /^Select / });
    for (const index of [0, 1, 2]) await marks.nth(index).click();
    for (const call of ['createUser', 'getUser'] as const)
      simulator.faults.add({
        match: { call },
        action: {
          kind: 'answer',
          status: 200,
          bodyBase64: Buffer.from('<html>Log in</html>').toString('base64'),
          headers: { 'content-type': 'text/html' },
        },
      });

    await chooseFile(page, 'kiosks.csv', Buffer.from(['Device name,Device ID', ...lines].join('\n')));
    await page.getByRole('button', { name: 'Import 500 users' }).click();
    const result = page.getByRole('alertdialog', { name: 'Import result' });
    await expect(result.getByText('1 may have been created · 499 not attempted')).toBeVisible();
    await expect(
      result.getByText(/a web page came back instead of data, perhaps a login page/),
    ).toBeVisible();
    expect(simulator.requests.of('createUser')).toHaveLength(1);
    await result.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Deactivate selected' }).click();
    const failed = page.getByRole('dialog', { name: 'Problems updating 1 user' });
    await expect(failed.getByText('2 more were not attempted.')).toBeVisible();
    await expect(failed.getByText('API_NOT_JSON')).toBeVisible();
    expect(simulator.requests.of('getUser')).toHaveLength(1);
  },
);

test(
  'an administrator changes many at once, learns who was refused, and takes it back',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/users');
    const marks = grid(page).getByRole('button', { name: /^Select / });
    for (const index of [0, 1, 2]) await marks.nth(index).click();
    const bar = page.getByRole('region', { name: 'Selected users' });
    await expectNoAxeFindings(page);
    simulator.faults.add({
      match: { call: 'updateUser' },
      skip: 1,
      times: 1,
      action: {
        kind: 'answer',
        status: 422,
        body: { status: 422, message: 'Validation failed: Role is locked' },
      },
    });
    await bar.getByRole('button', { name: 'Deactivate selected' }).click();
    const failed = page.getByRole('dialog', { name: 'Problems updating 1 user' });
    await expect(failed.getByText(/Role is locked/)).toBeVisible();
    await expectNoAxeFindings(page);
    await failed.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText('2 users were updated. 1 was not.')).toBeVisible();
    await expect(grid(page).getByRole('button', { pressed: true })).toHaveCount(1);
    const inactive = () => simulator.team().users.filter(({ is_active }) => !is_active).length;
    const before = inactive();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('2 users were updated.', { exact: true })).toBeVisible();
    expect(inactive()).toBe(before - 2);
  },
);

test(
  'an administrator makes a whole page staff by keyboard alone, in the light theme',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/users');
    await page.evaluate(() => localStorage.setItem('preferences', JSON.stringify({ theme: 'light' })));
    await page.reload();
    await grid(page).focus();
    await page.keyboard.press('Home');
    for (const key of ['x', 'j', 'x', 'ArrowDown', ' ']) await page.keyboard.press(key);
    await expect(page.getByText('3 selected').first()).toBeAttached();
    await expectNoAxeFindings(page);
    const bar = page.getByRole('region', { name: 'Selected users' });
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab');
    await expect(bar.getByRole('button', { name: 'Change role' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Supervisor' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('3 users were updated.')).toBeVisible();
    const supervisors = simulator.team().users.filter(({ role }) => role === 'supervisor');
    expect(supervisors.length).toBeGreaterThanOrEqual(3);
    await expectNoAxeFindings(page);
  },
);

test(
  'what was read stays in sight when the service cannot be reached',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/users');
    await expect(grid(page).getByRole('row')).not.toHaveCount(0);
    await simulator.goOffline('service');
    await page.keyboard.press('F5');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 30_000 });
    await expect(grid(page).getByRole('row')).not.toHaveCount(0);
    await expectNoAxeFindings(page);
    await simulator.goOnline('service');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
  },
);
