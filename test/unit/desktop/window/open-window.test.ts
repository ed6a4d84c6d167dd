import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOpenWindow } from '../../../../electron/desktop/window/open-window.ts';
import { securityPreferences } from '../../../../electron/desktop/window/open-window.ts';

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
    // A window of Electron cannot be had here; what it is asked for is what matters
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
