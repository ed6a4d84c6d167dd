import { readFile } from 'node:fs/promises';
import { noPolicy } from '../../electron/agent/settings/policy/policy.ts';
import { answerQuestion } from './helpers/answer-question.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';

const way = /Proxy/;

test(
  'an administrator names a proxy, learns at the field what is wrong with it, and finds it again',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.open('/settings');
    await expect(page.getByRole('button', { name: 'From environment Proxy' })).toBeVisible();
    await page.getByRole('button', { name: way }).click();
    await page.getByRole('option', { name: 'Custom' }).click();
    const address = page.getByLabel('Proxy address');
    await address.fill('socks5://proxy.example.com');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.press('Enter');
    await expect(
      page.getByText('names a SOCKS proxy; only http:// and https:// proxies can be used').first(),
    ).toBeVisible();
    await address.fill('http://desk:pass-word@proxy.example.com');
    await save.press('Enter');
    await expect(page.getByText('contains a user name or password').first()).toBeVisible();
    const bypass = page.getByLabel('Hosts to reach without the proxy');
    await address.fill('http://proxy.example.com:3128');
    await bypass.fill('storage.example.com\nhttp://wrong');
    await save.press('Enter');
    await expect(
      page.getByText('must be a host name, *.name, an IP address or a range').first(),
    ).toBeVisible();
    await expectNoAxeFindings(page);
    await bypass.fill('storage.example.com\n10.0.0.0/8\n');
    await save.press('Enter');
    const question = 'Send everything through the proxy http://proxy.example.com:3128?';
    await answerQuestion(page, question, 'Change proxy');
    await expect(page.getByText('Settings saved and in use.')).toBeVisible();
    const written = await readFile(desk.configPath, 'utf8');
    expect(JSON.parse(written)).toMatchObject({
      proxy: { url: 'http://proxy.example.com:3128', bypass: ['storage.example.com', '10.0.0.0/8'] },
    });
    expect(written).not.toContain('pass-word');
    await desk.restart();
    await desk.open('/settings');
    await expect(address).toHaveValue('http://proxy.example.com:3128');
    await expect(bypass).toHaveValue('storage.example.com\n10.0.0.0/8');
  },
);

test.describe('on a desk whose proxy an organisation set', () => {
  const managed = { proxy: { url: 'http://proxy.example.com:3128' } };
  test.use({
    deskOptions: { host: { policy: { ...noPolicy, places: ['policy.json'], count: 1, managed } } },
  });

  test('an administrator sees it locked, and adds an exception', async ({ desk }) => {
    const { page } = desk;
    await desk.open('/settings');
    await expect(page.getByRole('button', { name: way })).toBeDisabled();
    await expect(page.getByLabel('Proxy address')).toBeDisabled();
    await page.getByLabel('Hosts to reach without the proxy').fill('storage.example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(page.getByText('Settings saved and in use.')).toBeVisible();
    const { proxy } = JSON.parse(await readFile(desk.configPath, 'utf8'));
    expect(proxy, 'the policy stays out of the file').toEqual({ bypass: ['storage.example.com'] });
  });
});
