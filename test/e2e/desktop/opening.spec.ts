import { expectNoAxeFindings } from '../helpers/axe.ts';
import { callInPage, expect, test } from './desktop.ts';

test('an operator opens the app and sees the empty queue', async ({ desktop }) => {
  const startedMs = performance.now();
  const { app, page } = await desktop.start();
  const tookMs = Math.round(performance.now() - startedMs);
  // Not a valid measurement with others at work, but on the real runtime the only one
  test
    .info()
    .annotations.push({ type: 'figure', description: `start to first screen: ${tookMs} ms (${app.kind})` });
  await expect(page.getByText('Nothing here yet')).toBeVisible();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  expect(await page.title()).toBe('VMS Export Agent');
  await expectNoAxeFindings(page);
});

test('the window has the functions of the bridge and nothing else of the system', async ({ standing }) => {
  const { page } = standing;
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

test('the agent answers the page, and refuses what is no call', async ({ standing }) => {
  const { page } = standing;
  expect(await callInPage(page, 'uploads.listIncidents', {})).toMatchObject({ ok: true });
  for (const [call, input, code] of [
    ['no.such.call', {}, 'CALL_UNKNOWN'],
    ['uploads.getClip', { clipId: 5 }, 'CALL_INPUT'],
  ] as const)
    expect(await callInPage(page, call, input)).toMatchObject({ ok: false, error: { code } });
});

test.describe('on a new PC', () => {
  test.use({ desktopOptions: { isNew: true } });

  test('an operator is led through the first settings', { tag: '@long' }, async ({ desktop }) => {
    const { page } = await desktop.start();
    await expect(page.getByRole('heading', { level: 1, name: 'Set up this desk' })).toBeVisible();
    await expect(page.getByLabel('Service address')).toBeVisible();
    await expectNoAxeFindings(page);
  });
});
