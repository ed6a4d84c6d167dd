import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test, type Desk } from './helpers/desk.ts';

const CHANNEL = '7301';
const text = (page: Page) => page.getByLabel('Text', { exact: true });
const channelId = (page: Page) => page.getByRole('combobox', { name: 'Channel ID' });
const news = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const history = (page: Page) => page.getByRole('complementary', { name: 'Recent messages' });

/** Someone who is in the channel and someone who is not, with their names from the list of users. */
function people({ simulator }: Desk) {
  const { users, channels } = simulator.team();
  const members = channels.find(({ id }) => id === CHANNEL)?.memberIds ?? [];
  const named = users.flatMap((user) =>
    user.is_active &&
    user.login_type === 'PHONE_NUMBER' &&
    /^[\p{Script=Latin} ]+$/u.test(user.first_name + user.last_name)
      ? [{ id: user.id, name: `${user.first_name} ${user.last_name}` }]
      : [],
  );
  const isAlone = ({ name }: { readonly name: string }) =>
    named.filter((each) => each.name.includes(name)).length === 1;
  const member = named.find((each) => isAlone(each) && members.includes(each.id));
  const stranger = named.find((each) => isAlone(each) && !members.includes(each.id));
  if (member === undefined || stranger === undefined) throw new Error('The team has no such people');
  return { member, stranger };
}

async function write(page: Page, words: string): Promise<void> {
  await channelId(page).fill(CHANNEL);
  await text(page).fill(words);
}

test('an operator writes a message and sends it, by keyboard alone', async ({ desk }) => {
  const { page, simulator } = desk;
  const { member } = people(desk);
  await desk.open('/compose');
  await expectNoAxeFindings(page);
  await page.getByRole('radio', { name: 'Channel', exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type(CHANNEL);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Control room');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Gate 4 is open');
  const sender = page.getByRole('combobox', { name: 'Send as' });
  while (!(await sender.evaluate((input) => input === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.type(member.name.slice(0, -1));
  await expect(page.getByRole('option', { name: member.name })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Sending as ${member.name}`)).toBeVisible();
  const phone = page.getByRole('region', { name: 'On a locked phone' });
  await expect(phone).toContainText(`Control roomnow${member.name}Gate 4 is open`);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(history(page)).toContainText(/Sending in [1-5] s/);
  await expect(history(page).getByRole('status')).toHaveText(/Sending in 5 seconds/);
  expect(simulator.messages()).toEqual([]);
  await expect(history(page)).toContainText('✓ Sent 5500001');
  await expect(news(page)).toContainText('Message sent.');
  expect(simulator.messages()).toMatchObject([
    { channel_id: CHANNEL, user_id: member.id, content: 'Gate 4 is open' },
  ]);
  await expect(text(page)).toHaveValue('');
  await expectNoAxeFindings(page);
});

test('an operator takes a message back in time, and rewrites it', { tag: '@long' }, async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/compose');
  await write(page, 'Evakuate the stand');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await history(page).getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(text(page)).toHaveValue('Evakuate the stand');
  await expect(text(page)).toBeFocused();
  await expect(history(page)).not.toContainText('Evakuate');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Evacuate the stand');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(history(page)).toContainText('✓ Sent');
  expect(simulator.messages().map(({ content }) => content)).toEqual(['Evacuate the stand']);
});

test(
  'a sender outside of the channel is refused; the message stays and goes out as another',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    const { member, stranger } = people(desk);
    await desk.open('/compose');
    await write(page, 'Radio check');
    const sender = page.getByRole('combobox', { name: 'Send as' });
    await sender.fill(stranger.name.slice(0, -1));
    await page.getByRole('option', { name: stranger.name }).click();
    await text(page).press('ControlOrMeta+Enter');
    await page.keyboard.press('ControlOrMeta+1');
    // A person who has moved to another screen is notified there
    await expect(news(page)).toContainText('Message not sent:');
    await expect(page.getByRole('button', { name: '1 notification' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+3');
    await expect(history(page)).toContainText('INVALID_CHANNEL_USER');
    await expectNoAxeFindings(page);
    await sender.fill(member.name.slice(0, -1));
    await page.getByRole('option', { name: member.name }).click();
    await history(page).getByRole('button', { name: 'Edit and send again' }).click();
    // The sender stays the message's own, whoever has been chosen since
    await expect(page.getByText(`Sending as ${stranger.name}`)).toBeVisible();
    await sender.fill(member.name.slice(0, -1));
    await page.getByRole('option', { name: member.name }).click();
    await text(page).press('ControlOrMeta+Enter');
    await expect(history(page)).toContainText('✓ Sent');
    expect(simulator.messages()).toMatchObject([{ user_id: member.id, content: 'Radio check' }]);
  },
);

test(
  'a draft is still there after the page was closed, what is missing is said at its field, and of an image what is wrong with it',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/compose');
    await page.evaluate(() => localStorage.setItem('preferences', JSON.stringify({ theme: 'light' })));
    await text(page).fill('Half a mess');
    await page.getByLabel('Image for wrist devices').fill('http://example.com/a.png');
    await page.reload();
    await expect(text(page)).toHaveValue('Half a mess');
    await text(page).press('ControlOrMeta+Enter');
    await expect(channelId(page)).toHaveAccessibleDescription(/Enter a channel ID/);
    await expect(page.getByLabel('Image for wrist devices')).toHaveAccessibleDescription(
      /valid link that begins with https/,
    );
    await expectNoAxeFindings(page);
    expect(simulator.messages()).toEqual([]);

    await page.getByLabel('Image for wrist devices').fill('https://127.0.0.1:9/a.png');
    await expect(page.getByText(/^! Could not check the image: /)).toBeVisible();
    await page.getByLabel('Image for wrist devices').fill('https://me:secret@example.com/a.png');
    await expect(page.getByText(/^✕ Not accepted: /)).toBeVisible();
    await expectNoAxeFindings(page);
  },
);

test(
  'a second tab shows what the first one sends and sends nothing, until the first is closed',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/compose');
    await write(page, 'Gate 4 is open');
    const second = await page.context().newPage();
    // A tab that is opened from another one inherits its session storage
    const token = await page.evaluate(() => sessionStorage.getItem('console-token'));
    await second.addInitScript((kept) => sessionStorage.setItem('console-token', kept ?? ''), token);
    await page.getByRole('button', { name: 'Send', exact: false }).last().click();
    await second.goto(page.url());
    await expect(history(second).getByRole('note')).toContainText('Another tab in this browser sends');
    await expect(history(second)).toContainText('Gate 4 is open');
    await expect(history(second).getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await expect(second.getByRole('button', { name: /^Send/ })).toBeDisabled();
    await expectNoAxeFindings(second);
    await expect(history(second)).toContainText('✓ Sent');
    expect(simulator.messages()).toHaveLength(1);
    await page.close();
    await expect(history(second).getByRole('note')).toBeHidden();
    await write(second, 'Gate 5 is open');
    await second.getByRole('button', { name: /^Send/ }).click();
    await expect.poll(() => simulator.messages().length).toBe(2);
  },
);
