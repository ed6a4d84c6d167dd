import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { answerQuestion } from './helpers/answer-question.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Users of the team' });
const inspector = (page: Page): Locator => page.getByRole('complementary', { name: 'User' });

/** Lists a single user by phone number, and selects them. */
async function chooseByPhone(page: Page, phone: string): Promise<void> {
  await page.getByRole('searchbox', { name: /^Name, phone/ }).fill(phone);
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await grid(page).getByText(phone).click();
}

test('an administrator creates a steward, and the password is shown once; of someone the service knows, the new name is given on demand', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  await desk.open('/users');
  await page.getByRole('button', { name: /Create user/ }).click();
  const form = page.getByRole('dialog', { name: 'Create a user' });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('Required.')).toHaveCount(3);
  await expectNoAxeFindings(page);
  await form.getByLabel('First name').fill('Ada');
  await form.getByLabel('Last name').fill('Lovelace');
  await form.getByLabel('Phone number').fill('+1 (415) 555-01 00');
  await expect(form.getByText(/United States: \+1 415 555 0100/)).toBeVisible();
  await form.getByText('Send an SMS invitation').click();
  await form.getByLabel('Last name').press('Enter');
  const shown = page.getByRole('alertdialog', { name: 'Ada Lovelace was created' });
  const password = (await shown.locator('code').textContent()) ?? '';
  expect(password).toMatch(/^\w{12}$/);
  await expectNoAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect(shown).toBeHidden();
  const kept = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      JSON.stringify([localStorage, sessionStorage]),
      location.href,
    ].join(),
  );
  expect(kept).not.toContain(password);
  await chooseByPhone(page, '+14155550100');
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  for (const time of await inspector(page).locator('time').all()) await expect(time).toHaveText(/GMT.*UTC/);
  expect(await page.content()).not.toContain(password);
  expect(simulator.invitations()).toMatchObject([{ phoneNumber: '+14155550100' }]);

  const known = simulator.team().outsiders.find(({ login_type }) => login_type === 'PHONE_NUMBER');
  const phone = known?.phone_number ?? '';
  await page.getByRole('button', { name: /Create user/ }).click();
  await form.getByLabel('First name').fill('Grace');
  await form.getByLabel('Last name').fill('Hopper');
  await form.getByLabel('Phone number').fill(phone);
  await form.getByRole('button', { name: 'Create' }).click();
  const told = page.getByRole('dialog', { name: /already exists/ });
  await expect(told.getByText(/not "Hopper"/)).toBeVisible();
  await expectNoAxeFindings(page);
  await told.getByRole('button', { name: 'Update now' }).click();
  await expect(told).toBeHidden();
  expect(simulator.team().users.find(({ phone_number }) => phone_number === phone)).toMatchObject({
    first_name: 'Grace',
    last_name: 'Hopper',
  });
});

test(
  'an administrator learns at the field what the service refused, and mends it',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    const [one, other] = simulator
      .team()
      .users.filter(({ login_type, is_active }) => login_type === 'PHONE_NUMBER' && is_active);
    await desk.open('/users');
    await chooseByPhone(page, one?.phone_number ?? '');
    const name = (await inspector(page).getByRole('heading').textContent()) ?? '';
    await inspector(page).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: /^Edit/ });
    const phone = form.getByLabel('Phone number');
    await phone.fill(other?.phone_number ?? '');
    await form.getByRole('button', { name: 'Save' }).click();
    await answerQuestion(page, `Let ${other?.phone_number} sign in as ${name}?`, 'Change sign-in');
    await expect(phone).toHaveAccessibleDescription(/has already been taken/i);
    await expectNoAxeFindings(page);
    await phone.fill(one?.phone_number ?? '');
    await form.getByLabel('First name').fill('Mended');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(inspector(page).getByRole('heading', { name: /^Mended/ })).toBeVisible();
  },
);

test('an administrator takes access away and thinks again, and saves on top of what somebody else changed', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  const user = simulator.team().users.find(({ is_active, phone_number }) => is_active && phone_number !== '');
  const isActive = () => simulator.team().users.find(({ id }) => id === user?.id)?.is_active;
  await desk.open('/users?inactive=true');
  await chooseByPhone(page, user?.phone_number ?? '');
  await inspector(page).getByRole('button', { name: 'Deactivate' }).click();
  await expect(inspector(page).getByText('○ Inactive')).toBeVisible();
  expect(isActive()).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(inspector(page).getByText('● Active')).toBeVisible();
  expect(isActive()).toBe(true);

  const isNow = () => simulator.team().users.find(({ id }) => id === user?.id);
  await inspector(page).getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: /^Edit/ });
  await form.getByLabel('First name').fill('Mended');
  await fetch(new URL(`users/${user?.id}`, simulator.baseUrl.replace(/\/?$/, '/')), {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ last_name: 'Elsewhere' }),
  });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(
    form.getByText(/This user was changed in the meantime.*last name is now "Elsewhere"/),
  ).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  expect(isNow()).toMatchObject({ first_name: 'Mended', last_name: 'Elsewhere' });
});

test(
  'an administrator is told no more of a user than the service said',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    // A service that creates users with another role, and does not say who can sign in
    await page.route(/\/call$/, async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replaceAll(/,"isActive":(?:true|false)/g, '');
      const isNew = /"call":"users.create"/.test(route.request().postData() ?? '');
      const keptFields = '"keptFields":[{"name":"role","asked":"admin","kept":"member"}]';
      const body = isNew ? text.replace('"keptFields":[]', keptFields) : text;
      await route.fulfill({ response: answer, body });
    });
    await desk.open('/users');
    await page.getByRole('button', { name: /Create user/ }).click();
    const form = page.getByRole('dialog', { name: 'Create a user' });
    await form.getByText('Device', { exact: true }).click();
    await form.getByLabel('Device name').fill('Gate tablet');
    await form.getByLabel('Device ID').fill('gate-tablet-1');
    await form.getByRole('button', { name: 'Create' }).click();
    const created = page.getByRole('dialog', { name: 'Gate tablet was created' });
    await expect(created.getByText('is "Member", not "Admin"')).toBeVisible();
    await expect(created.getByText('can sign in now')).toBeHidden();
    await expect(created.getByText('already')).toBeHidden();
    await created.getByRole('button', { name: 'Close' }).click();
    const user = simulator
      .team()
      .users.find(({ is_active, phone_number }) => is_active && phone_number !== '');
    await chooseByPhone(page, user?.phone_number ?? '');
    await inspector(page).getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByText(/was updated\.$/)).toBeVisible();
  },
);

test('an administrator deletes a user only after typing the name', async ({ desk }) => {
  const { page, simulator } = desk;
  const user = simulator
    .team()
    .users.find((each) => each.login_type === 'PHONE_NUMBER' && each.is_active && each.first_name === 'Jack');
  await desk.open('/users');
  await chooseByPhone(page, user?.phone_number ?? '');
  const name = (await inspector(page).getByRole('heading').textContent()) ?? '';
  await inspector(page).getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: `Delete ${name}?` });
  const sure = question.getByRole('button', { name: 'Delete' });
  await question.getByRole('textbox').fill(name.toLowerCase());
  await expect(sure).toBeDisabled();
  await expectNoAxeFindings(page);
  await question.getByRole('textbox').fill(name);
  await sure.click();
  const asked = page
    .getByRole('alertdialog', { name: `Delete ${name}?` })
    .filter({ hasText: 'separate tab' });
  await expectNoAxeFindings(page);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(question.getByText('the change was not confirmed')).toBeVisible();
  expect(simulator.team().users.some(({ id }) => id === user?.id)).toBe(true);
  await sure.click();
  await answerQuestion(page, `Delete ${name}?`, 'Delete user');
  await expect(inspector(page)).toBeHidden();
  expect(simulator.team().users.some(({ id }) => id === user?.id)).toBe(false);
  expect(simulator.requests.of('getUser', { status: 404 })).toEqual([]);
});

test('an administrator finds users by a part of a name, number or device, sorts them, and takes all of them along as a file', async ({
  desk,
}) => {
  const { page, simulator } = desk;
  const { users } = simulator.team();
  const tablet = users.find(
    (user) => user.login_type === 'DEVICE' && user.phone_number !== '' && user.is_active,
  );
  await desk.open('/users');
  await expect(page.getByText(`${users.filter(({ is_active }) => is_active).length} users`)).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByText('Show inactive').click();
  await expect(page.getByText('250 users')).toBeVisible();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '251');
  const asked = simulator.requests.of('getUsers').length;
  const search = page.getByRole('searchbox', { name: /^Name, phone/ });
  await search.pressSequentially('jack');
  await expect(grid(page).getByRole('row').filter({ hasText: 'Jack' }).first()).toBeVisible();
  await expect(grid(page).getByRole('row').filter({ hasNotText: 'Jack' })).toHaveCount(1);
  await search.fill(tablet?.device_id?.toLowerCase() ?? '');
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await search.fill('nobody at all');
  await expect(page.getByText('No users match.')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(search).toHaveValue('');
  await page.getByRole('columnheader', { name: 'Role' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Role' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(grid(page).getByRole('row').nth(1)).toContainText('Admin');
  // Users that were loaded once are searched and sorted here
  expect(simulator.requests.of('getUsers')).toHaveLength(asked);
  await search.fill(tablet?.phone_number ?? '');
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();

  await desk.open('/users?inactive=true');
  await grid(page).waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.startsWith('\uFEFF"Signs in with","First name"')).toBe(true);
  expect(text).toContain(`"'=1+1","'@SUM(A1:A9)"`);
  for (const { id } of simulator.team().users) expect(text).toContain(id);
  await expect(page.getByText('250 users were exported.')).toBeVisible();
});

test(
  'what is said about a user who could not be read is not under the button that closes it',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    simulator.faults.add({ match: { call: 'getUser' }, action: { kind: 'answer', status: 403, body: {} } });
    await desk.open('/users');
    await grid(page).getByRole('row').nth(1).click();
    const said = inspector(page).getByRole('region', { name: 'What went wrong' });
    await expect(said).toBeVisible();
    const close = await inspector(page)
      .getByRole('button', { name: /^Close/ })
      .boundingBox();
    const text = await said.boundingBox();
    expect(text?.y).toBeGreaterThanOrEqual((close?.y ?? 0) + (close?.height ?? Infinity));
  },
);
