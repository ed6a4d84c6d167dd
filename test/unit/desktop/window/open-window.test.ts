import { globSync, readFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createOpenWindow,
  fitBounds,
  type Bounds,
  createWindowPlace,
  securityPreferences,
} from '../../../../electron/desktop/window/open-window.ts';
import { collectLog, makeFolder } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const expected = {
  allowRunningInsecureContent: false,
  backgroundThrottling: true,
  contextIsolation: true,
  devTools: false,
  disableBlinkFeatures: '',
  disableDialogs: true,
  enableBlinkFeatures: '',
  enableDeprecatedPaste: false,
  experimentalFeatures: false,
  javascript: true,
  navigateOnDragDrop: false,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  plugins: false,
  preload: '/app/preload.cjs',
  safeDialogs: true,
  sandbox: true,
  spellcheck: false,
  webgl: false,
  webSecurity: true,
  webviewTag: false,
};

describe('checklist 1: the security preferences of a page', () => {
  it('are these and no others, and nothing can move them', () => {
    const preferences = securityPreferences('/app/preload.cjs', true);
    expect(preferences).toStrictEqual(expected);
    expect(Object.isFrozen(preferences)).toBe(true);
  });

  it('have developer tools in development only', () => {
    expect(securityPreferences('/app/preload.cjs', false)).toStrictEqual({ ...expected, devTools: true });
  });

  it('stand around every window, whatever it looks like', () => {
    const made: unknown[] = [];
    function BrowserWindow(options: unknown): void {
      made.push(options);
    }
    const electron = { BrowserWindow, app: { isPackaged: true } };
    // There is no real Electron window here; the options that it is created with are what matters
    const openWindow = createOpenWindow(electron as never, '/app/preload.cjs');
    openWindow({ width: 800 });
    openWindow({ show: false, webPreferences: { sandbox: false } } as never);
    expect(made).toStrictEqual([
      { width: 800, webPreferences: expected },
      { show: false, webPreferences: expected },
    ]);
  });

  it('stand around a window in a box too, which has a session of its own and no script of ours', () => {
    const made: unknown[] = [];
    function BrowserWindow(options: unknown): void {
      made.push(options);
    }
    const electron = { BrowserWindow, app: { isPackaged: true } };
    const openWindow = createOpenWindow(electron as never, '/app/preload.cjs');
    openWindow({ show: false }, { partition: 'box' });
    const { preload: _preload, ...others } = expected;
    expect(made).toStrictEqual([
      { show: false, webPreferences: { ...others, backgroundThrottling: false, partition: 'box' } },
    ]);
  });

  it('are put up in one file: windows are made nowhere else', () => {
    expect(filesWith(/new\s+(?:\w+\.)*(?:BrowserWindow|BaseWindow|WebContentsView|BrowserView)\b/)).toEqual([
      'electron/desktop/window/open-window.ts',
    ]);
  });

  it('have one door for messages: handlers are set in one file', () => {
    expect(filesWith(/\bipcMain\s*\.|\.\s*ipc\s*\.|\bhandleOnce\b/)).toEqual([
      'electron/desktop/security/ipc-gateway.ts',
    ]);
  });

  it('have one way to a browser, and none to programs', () => {
    expect(filesWith(/\.openExternal\(/)).toEqual(['electron/desktop/window/app-menu.ts']);
    expect(filesWith(/\.openPath\(/)).toEqual([]);
  });

  it('never start the reporter of crashes: a dump would hold the key', () => {
    expect(filesWith(/crashReporter/)).toEqual([]);
  });
});

function filesWith(pattern: RegExp): readonly string[] {
  return globSync('electron/**/*.ts')
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .map((file) => file.replaceAll('\\', '/'));
}

const rectangle = (x: number, y: number, width: number, height: number): Bounds => ({ x, y, width, height });
const main = rectangle(0, 25, 1920, 1055);
const left = rectangle(-1280, 0, 1280, 1024);

describe('where the window opens', () => {
  it.each([
    ['the first time, in the middle', undefined, [main], rectangle(320, 153, 1280, 800)],
    ['as it was', rectangle(100, 100, 1000, 700), [main], rectangle(100, 100, 1000, 700)],
    ['on the second screen', rectangle(-1000, 50, 900, 700), [main, left], rectangle(-1000, 50, 900, 700)],
    [
      'when that screen is gone, in the middle',
      rectangle(-1000, 50, 900, 700),
      [main],
      rectangle(320, 153, 1280, 800),
    ],
    [
      'to the right of it, in the middle',
      rectangle(2400, 100, 1000, 700),
      [main],
      rectangle(320, 153, 1280, 800),
    ],
    ['half outside, as it was', rectangle(1700, 100, 1000, 700), [main], rectangle(1700, 100, 1000, 700)],
    [
      'with nothing to grasp, in the middle',
      rectangle(1850, 100, 1000, 700),
      [main],
      rectangle(320, 153, 1280, 800),
    ],
    [
      'below the screen, in the middle',
      rectangle(100, 1060, 1000, 700),
      [main],
      rectangle(320, 153, 1280, 800),
    ],
    [
      'with its title under the bar, below it',
      rectangle(100, 0, 1000, 700),
      [main],
      rectangle(100, 25, 1000, 700),
    ],
    ['larger than the screen, as large', rectangle(0, 25, 4000, 3000), [main], rectangle(0, 25, 1920, 1055)],
    ['too small, at its least', rectangle(100, 100, 10, 10), [main], rectangle(320, 153, 1280, 800)],
    ['narrow, at its least', rectangle(100, 100, 300, 300), [main], rectangle(100, 100, 720, 480)],
    ['on a small screen', undefined, [rectangle(0, 0, 800, 600)], rectangle(0, 0, 800, 600)],
    ['without any screen', undefined, [], rectangle(0, 0, 1280, 800)],
  ])('%s', (_name, kept, areas, bounds) => {
    expect(fitBounds(kept, areas)).toEqual(bounds);
  });
});

describe('the place of the window', () => {
  async function openDesk() {
    const folder = await makeFolder();
    const file = join(folder, 'window.json');
    const clock = createFakeClock();
    const { logger } = collectLog();
    const place = createWindowPlace({ file, areas: () => [main], clock, logger });
    let bounds = rectangle(10, 30, 1000, 700);
    let isMaximised = false;
    const window = Object.assign(new EventEmitter(), {
      getNormalBounds: () => bounds,
      isMaximized: () => isMaximised,
      setBounds: (to: Bounds) => void (bounds = to),
      isDestroyed: () => false,
    });
    place.follow(window);
    const moveTo = (to: Bounds, maximised = false): void => {
      [bounds, isMaximised] = [to, maximised];
      window.emit('move');
    };
    return { folder, file, clock, place, window, moveTo };
  }

  it('is kept once it rests, not at each step of a drag', async () => {
    const desk = await openDesk();
    for (let x = 0; x < 5; x += 1) {
      desk.moveTo(rectangle(x, 30, 1000, 700));
      await desk.clock.advance(100);
    }
    expect(await readdir(desk.folder)).toEqual([]);
    await desk.clock.advance(500);
    await expect.poll(() => desk.place.read()).toMatchObject({ bounds: rectangle(4, 30, 1000, 700) });
  });

  it('is on a screen that is there when that of a hidden window is gone', async () => {
    const desk = await openDesk();
    desk.place.rescue(desk.window);
    expect(desk.window.getNormalBounds()).toEqual(rectangle(10, 30, 1000, 700));
    desk.moveTo(rectangle(-1000, 50, 900, 700));
    desk.place.rescue(desk.window);
    expect(desk.window.getNormalBounds()).toEqual(rectangle(320, 153, 1280, 800));
  });

  it('is kept when the window is closed, with whether it was maximised', async () => {
    const desk = await openDesk();
    desk.moveTo(rectangle(50, 60, 1000, 700), true);
    desk.window.emit('close');
    await expect
      .poll(() => desk.place.read())
      .toEqual({ bounds: rectangle(50, 60, 1000, 700), isMaximised: true });
  });

  it('is kept when the app ends before the window rests, and nothing is kept of one that was not moved', async () => {
    const desk = await openDesk();
    await desk.place.settle();
    expect(await readdir(desk.folder)).toEqual([]);
    desk.moveTo(rectangle(70, 80, 900, 650));
    await desk.place.settle();
    expect(JSON.parse(await readFile(desk.file, 'utf8'))).toEqual({
      bounds: rectangle(70, 80, 900, 650),
      isMaximised: false,
    });
  });

  it.each(['{', '{"bounds": {"x": 1e99, "y": 0, "width": 1, "height": 1}, "isMaximised": false}'])(
    'is the middle when the file says %s',
    async (text) => {
      const desk = await openDesk();
      await writeFile(desk.file, text);
      expect(await desk.place.read()).toEqual({ bounds: rectangle(320, 153, 1280, 800), isMaximised: false });
      expect(await readdir(desk.folder)).toEqual(['window.json.broken']);
    },
  );
});
