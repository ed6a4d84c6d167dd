import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleClip } from '../helpers/sample-clips.ts';
import { incidentRow } from '../helpers/uploads-list.ts';
import { startSimulator } from '../../simulator/index.ts';
import { callInPage, expect, saveSettings, test, type Desktop } from './desktop.ts';

const configOf = (desktop: Desktop): Promise<string> =>
  readFile(join(desktop.userData, 'vms-export-agent.json'), 'utf8');
const keyOf = (desktop: Pick<Desktop, 'userData'>): Promise<string> =>
  readFile(join(desktop.userData, 'key.txt'), 'utf8');

test('an operator who changes the service is asked where the key goes; leaving the question keeps it here', async ({
  desktop,
}) => {
  const other = await startSimulator({ apiKey: desktop.simulator.apiKey });
  try {
    const { app, page } = await desktop.start();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Service address').fill(other.baseUrl);
    await app.system.answerDialog({ kind: 'cancelled' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const refused = page.getByRole('region', { name: 'Saving' });
    await expect(refused).toContainText('you chose Cancel');
    const [question] = await app.system.dialogs();
    expect(question?.message).toBe(`Send the key and the clips to ${new URL(other.baseUrl).origin}?`);
    expect(question?.detail).toContain(`They currently go to ${new URL(desktop.simulator.baseUrl).origin}.`);
    expect(question?.buttons).toEqual(['Cancel', 'Change service']);
    expect(await configOf(desktop)).toContain(desktop.simulator.baseUrl);
    await desktop.export('Before', { 'cam1.mp4': await sampleClip() });
    await expect.poll(() => desktop.simulator.incidents().size, { timeout: 20_000 }).toBe(1);
    expect(other.requests.all()).toEqual([]);

    await app.system.answerDialog({ kind: 'button', button: 'Change service' });
    await saveSettings(page);
    await desktop.export('After', { 'cam1.mp4': await sampleClip() });
    const titles = () => [...other.incidents().values()].map(({ title }) => title);
    await expect.poll(titles, { timeout: 20_000 }).toContain('After');
    expect(await configOf(desktop)).toContain(other.baseUrl);
  } finally {
    await other.stop();
  }
});

/** Selects the first user listed for a phone number and asks to delete them, typing the name. */
async function askForDeletion(page: Page, phone: string, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('searchbox', { name: /^Name, phone/ }).fill(phone);
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await page.getByRole('grid', { name: 'Users of the team' }).getByText(phone).click();
  const inspector = page.getByRole('complementary', { name: 'User' });
  await inspector.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('textbox').fill(name);
}

test(
  'an administrator who deletes a user is asked by the system too, and exactly that user goes',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    const { simulator } = desktop;
    const before = simulator.team().users;
    const user = before.find((each) => each.login_type === 'PHONE_NUMBER' && each.is_active);
    if (user?.login_type !== 'PHONE_NUMBER') throw new Error('The sample team has no such user.');
    const name = `${user.first_name} ${user.last_name}`;
    await askForDeletion(page, user.phone_number, name);
    const question = page.getByRole('alertdialog', { name: `Delete ${name}?` });
    await app.system.answerDialog({ kind: 'cancelled' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(question).toContainText('you chose Cancel');
    expect(simulator.team().users).toHaveLength(before.length);
    expect(simulator.requests.of('deleteUser')).toEqual([]);

    await app.system.answerDialog({ kind: 'button', button: 'Delete user' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(question).toBeHidden();
    expect(simulator.team().users).toEqual(before.filter(({ id }) => id !== user.id));
    for (const asked of await app.system.dialogs()) {
      expect(asked.message).toBe(`Delete ${name}?`);
      expect(asked.detail).toContain(user.id);
      expect(asked.detail).toContain("can't be undone");
    }
  },
);

test(
  'the system’s question shows what in a user’s name would hide or turn its text',
  { tag: '@long' },
  async ({ standing }) => {
    const { app, page, simulator } = standing;
    const [user] = simulator.team().users;
    // As another program may have stored it
    const named = {
      ...user,
      login_type: 'PHONE_NUMBER',
      first_name: 'Ada\u202e?ecila\u2066',
      last_name: 'Low\u200bell',
    };
    simulator.faults.add({
      match: { call: 'getUser' },
      action: { kind: 'answer', status: 200, body: { user: named }, when: 'before' },
    });
    await app.system.answerDialog({ kind: 'cancelled' });
    expect(await callInPage(page, 'users.remove', { userId: user?.id })).toMatchObject({ ok: false });
    const [question] = await app.system.dialogs();
    expect(question?.message).toBe('Delete Ada<U+202E>?ecila<U+2066> Low<U+200B>ell?');
    expect(simulator.requests.of('deleteUser')).toEqual([]);
  },
);

test(
  'an administrator replaces the key: cancelled the one before it stays in use; forgotten it stays when cancelled, and confirmed its file is gone',
  { tag: '@long' },
  async ({ desktop }) => {
    const { app, page } = await desktop.start();
    await page.getByRole('link', { name: 'Settings' }).click();
    const fingerprint = await page.getByText('A key is set.').textContent();
    await page.getByLabel('New key').fill('canary-replaced-0815');
    await app.system.answerDialog({ kind: 'cancelled' });
    await page.getByRole('button', { name: 'Save the key' }).click();
    await expect(page.getByText('you chose Cancel')).toBeVisible();
    expect(await keyOf(desktop)).toBe(desktop.simulator.apiKey);
    await expect(page.getByText('A key is set.')).toHaveText(fingerprint ?? '');

    await page.getByRole('button', { name: 'Delete the key' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete the key?' });
    await app.system.answerDialog({ kind: 'cancelled' });
    await question.getByRole('button', { name: 'Delete the key' }).click();
    await expect(question).toContainText('you chose Cancel');
    expect(await keyOf(desktop)).toBe(desktop.simulator.apiKey);
    await question.getByRole('button', { name: 'Cancel' }).click();

    await page.getByLabel('New key').fill('canary-replaced-0815');
    await app.system.answerDialog({ kind: 'button', button: 'Replace key' });
    await page.getByRole('button', { name: 'Save the key' }).click();
    await expect(page.getByText('API key saved.')).toBeVisible();
    await expect(page.getByText('A key is set.')).not.toHaveText(fingerprint ?? '');
    expect((await keyOf(desktop)).trim()).toBe('canary-replaced-0815');

    await page.getByRole('button', { name: 'Delete the key' }).click();
    await app.system.answerDialog({ kind: 'button', button: 'Delete key' });
    await question.getByRole('button', { name: 'Delete the key' }).click();
    await expect(page.getByText('No key is set. Nothing can be sent until you add one.')).toBeVisible();
    await expect(keyOf(desktop)).rejects.toThrow('ENOENT');
  },
);

test('while one question is open, a second request is refused and nobody is buried under questions', async ({
  standing,
}) => {
  const { app, page } = standing;
  const first = callInPage(page, 'settings.forgetKey');
  await expect.poll(() => app.system.dialogs()).toHaveLength(1);
  const [user] = standing.simulator.team().users;
  for (const [call, input] of [
    ['settings.forgetKey', {}],
    ['settings.setKey', { key: 'canary-second-0815' }],
    ['users.remove', { userId: user?.id }],
  ] as const)
    expect(await callInPage(page, call, input), call).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED', message: expect.stringContaining('already asking another question') },
    });
  expect(await app.system.dialogs()).toHaveLength(1);
  await app.system.answerDialog({ kind: 'cancelled' });
  expect(await first).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(await keyOf(standing)).toBe(standing.simulator.apiKey);
  expect(standing.simulator.requests.of('deleteUser')).toEqual([]);
});

test.describe('where self-playing films may be sent', () => {
  test.use({ desktopOptions: { watch: { alsoSend: ['selfPlaying'] } } });

  test('an operator sends one after the system asked about that very file, and not before', async ({
    desktop,
  }) => {
    const { app, page } = await desktop.start();
    await desktop.export('Fight', {
      'film.exe': Buffer.from('MZ film'),
      'other.exe': Buffer.from('MZ other'),
    });
    await incidentRow(page, 'Fight', 'Not recognised').getByText('Fight').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await app.system.answerDialog({ kind: 'cancelled' });
    await details.getByRole('button', { name: 'Send the program film.exe' }).press('Enter');
    await expect(page.getByText('Nothing was changed: you chose Cancel.')).toBeVisible();
    const [question] = await app.system.dialogs();
    expect(question).toMatchObject({ message: 'Send film.exe?', buttons: ['Cancel', 'Send program'] });
    expect(question?.detail).toContain(`From ${join(desktop.root, 'Fight')}. This is a program`);
    expect(desktop.simulator.incidents().size).toBe(0);

    await app.system.answerDialog({ kind: 'button', button: 'Send program' });
    await details.getByRole('button', { name: 'Send the program film.exe' }).press('Enter');
    const sent = () => [...desktop.simulator.incidents().values()][0]?.uploaded_videos.length;
    await expect.poll(sent, { timeout: 20_000 }).toBe(1);
  });
});

const OLD = 'the page as it was';

test(
  'a question whose page is loaded again or crashes is over: what it asked for is not carried out',
  { tag: '@long' },
  async ({ desktop }) => {
    const started = await desktop.start();
    const { app } = started;
    let { page } = started;
    for (const [what, leave] of [
      ['is loaded again', () => page.evaluate(() => location.reload())],
      ['crashes', () => app.system.crashPage()],
    ] as const)
      await test.step(what, async () => {
        const before = (await app.system.dialogs()).length;
        // Its page is gone before there is an answer
        callInPage(page, 'settings.forgetKey').catch(() => undefined);
        await expect.poll(() => app.system.dialogs()).toHaveLength(before + 1);
        await page.evaluate((text) => document.body.append(text), OLD);
        await leave();
        const shown = () => app.system.windowText().catch(() => OLD);
        await expect.poll(shown, { timeout: 20_000 }).not.toContain(OLD);
        await expect.poll(shown).toContain('Nothing here yet');
        // Asked again: the earlier dialog is closed and does not block another one
        page = await app.page();
        const again = callInPage(page, 'settings.forgetKey');
        await expect.poll(() => app.system.dialogs()).toHaveLength(before + 2);
        await app.system.answerDialog({ kind: 'cancelled' });
        expect(await again).toMatchObject({ ok: false });
        expect(await keyOf(desktop)).toBe(desktop.simulator.apiKey);
        expect(await callInPage(page, 'settings.key')).toMatchObject({ ok: true, value: { isSet: true } });
      });
  },
);
