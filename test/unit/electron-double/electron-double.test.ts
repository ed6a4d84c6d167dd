import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPTIONS_VARIABLE, type DoubleOptions } from '../../electron-double/control.ts';

const register = resolve('test/electron-double/register.ts');

/** Names of the type by which the desktop app says what it uses of Electron. */
function usedNames(): readonly string[] {
  const source = readFileSync('electron/desktop/electron-api.ts', 'utf8');
  const type = source.slice(source.indexOf('export type ElectronApi'));
  return [...type.matchAll(/'([A-Za-z]+)'/g)].map(([, name = '']) => name).toSorted();
}

describe('the double of Electron', () => {
  let home = '';
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'electron-double-'));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** Runs a main script on the double until it ends itself. No window is opened, so Chromium is not needed. */
  function run(script: string) {
    const file = join(home, 'main.mjs');
    writeFileSync(file, `${script}\nprocess.exit(0);`);
    const options: DoubleOptions = {
      home,
      appPath: resolve('.'),
      chromium: { kind: 'own', executable: '/nonexistent' },
      isPackaged: false,
      keyBackend: 'gnome_libsecret',
      keyStore: 'keyring',
    };
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', register, file], {
      encoding: 'utf8',
      env: { ...process.env, [OPTIONS_VARIABLE]: JSON.stringify(options) },
    });
    return { stdout: stdout.trim(), stderr, status };
  }

  test.each(['electron', 'electron/main', 'electron/common'])('stands in for %s', (name) => {
    const { stdout } = run(`import { app } from '${name}'; console.log(app.getVersion());`);
    expect(stdout).toBe('0.1.0');
  });

  test('has exactly what the desktop app uses of Electron', () => {
    const { stdout } = run(
      `import * as electron from 'electron/main'; console.log(JSON.stringify(Object.keys(electron).toSorted()));`,
    );
    expect(JSON.parse(stdout)).toEqual(usedNames());
    expect(usedNames()).toContain('BrowserWindow');
  });

  test.each([
    ['a member', 'electron.app.hide();', 'app.hide'],
    ['a member that Electron has not', 'electron.app.nope();', 'app.nope'],
    ['a static member', 'electron.Menu.sendActionToFirstResponder("x");', 'Menu.sendActionToFirstResponder'],
    ['a member of what it makes', 'electron.Menu.buildFromTemplate([]).append(1);', 'Menu.append'],
    ['a member of a member', 'electron.session.defaultSession.cookies;', 'session.cookies'],
    ['writing one', 'electron.nativeTheme.nope = 1;', 'nativeTheme.nope'],
  ])('throws on %s that it does not have', (_what, statement, named) => {
    const { stderr, status } = run(`import * as electron from 'electron/main'; ${statement}`);
    expect(stderr).toContain(`electron-double has no ${named};`);
    expect(status).not.toBe(0);
  });

  test('opens no window without its walls', () => {
    const { stderr } = run(
      `import { app, BrowserWindow } from 'electron/main'; await app.whenReady();
       new BrowserWindow({ webPreferences: { sandbox: false } });`,
    );
    expect(stderr).toContain('sandboxed, isolated pages only');
  });

  test('keeps Electron’s order: schemes before ready, their handlers after it', () => {
    const scheme = `[{ scheme: 'app', privileges: { standard: true, secure: true } }]`;
    const late = `await app.whenReady(); protocol.registerSchemesAsPrivileged(${scheme});`;
    const early = `protocol.registerSchemesAsPrivileged(${scheme}); protocol.handle('app', () => new Response());`;
    const head = `import { app, protocol } from 'electron/main';`;
    expect(run(`${head} ${late}`).stderr).toContain('before app is ready');
    expect(run(`${head} ${early}`).stderr).toContain('the app is not ready');
  });
});
