import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type Desktop } from './desktop.ts';

/** Somewhere on the first screen, smaller than it. */
const CORNER = { x: 140, y: 90, width: 1000, height: 700 };
/** Work area of the double's only screen. */
const SCREEN = { width: 1920 };

/** The file in which the app keeps the place of its window. */
const keptIn = (desktop: Pick<Desktop, 'userData'>): string => join(desktop.userData, 'window.json');

async function quit({ app }: Awaited<ReturnType<Desktop['start']>>): Promise<void> {
  await app.system.quit();
  expect(await app.ended).toBe(0);
}

test(
  'an operator moves the window, quits at once, and finds it where it was',
  { tag: '@long' },
  async ({ desktop }) => {
    const first = await desktop.start();
    await first.app.system.placeWindow(CORNER);
    await quit(first);
    const next = await desktop.start();
    expect(await next.app.system.window()).toMatchObject({ bounds: CORNER, isMaximized: false });
  },
);

test(
  'an operator maximises the window; the next start does too, and knows its size before',
  { tag: '@long' },
  async ({ desktop, driver }) => {
    test.skip(
      driver === 'electron' && process.platform === 'linux',
      'a build server has nobody who maximises windows',
    );
    const first = await desktop.start();
    await first.app.system.placeWindow(CORNER);
    await first.app.system.maximizeWindow();
    await expect.poll(async () => (await first.app.system.window()).isMaximized).toBe(true);
    await quit(first);
    const next = await desktop.start();
    await expect.poll(async () => (await next.app.system.window()).isMaximized).toBe(true);
    if (next.app.kind === 'double') expect((await next.app.system.window()).bounds).toEqual(CORNER);
  },
);

test('a window that is brought back from the tray is where it was closed', async ({ standing }) => {
  const { app } = standing;
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  await app.system.placeWindow(CORNER);
  await app.system.closeWindow();
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(false);
  // Saved immediately: switching off the PC now loses nothing
  await expect.poll(() => readFile(keptIn(standing), 'utf8').catch(() => '')).toContain('"x": 140');
  await app.system.clickTray('Open');
  await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
  expect((await app.system.window()).bounds).toEqual(CORNER);
});

// Other places that do not fit the screens: test/unit/desktop/window/open-window.test.ts
test(
  'a window that was left on a screen which is gone comes back on the one that is there',
  { tag: '@long' },
  async ({ desktop, driver }) => {
    test.skip(driver === 'electron', 'the screens of the real runtime are those of the machine');
    const bounds = { ...CORNER, x: -1900 };
    await writeFile(keptIn(desktop), JSON.stringify({ bounds, isMaximised: false }));
    const { app } = await desktop.start();
    const shown = (await app.system.window()).bounds;
    expect(shown).toEqual({ x: 320, y: 120, width: 1280, height: 800 });
    expect(shown.x + shown.width).toBeLessThanOrEqual(SCREEN.width);
  },
);

test(
  'a file of the window’s place that nobody understands is kept aside, and the window opens',
  { tag: '@long' },
  async ({ desktop }) => {
    await writeFile(keptIn(desktop), '{"bounds": {"x": "left"');
    const { app } = await desktop.start();
    await expect.poll(async () => (await app.system.window()).isVisible).toBe(true);
    expect(await readdir(desktop.userData)).toContain('window.json.broken');
  },
);
