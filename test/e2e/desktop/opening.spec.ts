import { expectNoAxeFindings } from '../helpers/axe.ts';
import { callInPage, expect, test } from './desktop.ts';

/** What a person waits for at most; a build server is shared and slow. */
const START_LIMIT_MS = process.env['CI'] === undefined ? 6_000 : 12_000;

test('an operator opens the app and sees the empty queue', async ({ desktop }) => {
  const startedMs = performance.now();
  const { app, page } = await desktop.start();
  const tookMs = Math.round(performance.now() - startedMs);
  test
    .info()
    .annotations.push({ type: 'start to window content', description: `${tookMs} ms (${app.kind})` });
  expect(tookMs).toBeLessThan(START_LIMIT_MS);
  await expect(page.getByText('Nothing here yet')).toBeVisible();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  expect(await page.title()).toBe('VMS Export Agent');
  await expectNoAxeFindings(page);
});

test('the window has the functions of the bridge and nothing else of the system', async ({ desktop }) => {
  const { page } = await desktop.start();
  const found = await page.evaluate(() => ({
    bridge: Object.keys(Reflect.get(globalThis, 'desktop') as object).toSorted(),
    isFixed: Object.isFrozen(Reflect.get(globalThis, 'desktop')),
    rest: ['require', 'process', 'Buffer', 'electron', 'ipcRenderer', 'module', 'global'].filter(
      (name) => name in globalThis,
    ),
  }));
  expect(found).toEqual({
    bridge: ['call', 'onEvent', 'onSignal', 'order', 'pathsOf'],
    isFixed: true,
    rest: [],
  });
});

test('the agent answers the page, and refuses what is no call', async ({ desktop }) => {
  const { page } = await desktop.start();
  expect(await callInPage(page, 'uploads.listIncidents', {})).toMatchObject({ ok: true });
  expect(await callInPage(page, 'no.such.call', {})).toMatchObject({ ok: false });
  expect(await callInPage(page, 'uploads.getClip', { clipId: 5 })).toMatchObject({ ok: false });
});

test.describe('on a new PC', () => {
  test.use({ desktopOptions: { isNew: true } });

  test('an operator is led through the first settings', async ({ desktop }) => {
    const { page } = await desktop.start();
    await expect(page.getByRole('main')).toContainText(/service|address/i);
    await expectNoAxeFindings(page);
  });
});
