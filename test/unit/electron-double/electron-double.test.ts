import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPTIONS_VARIABLE, type DoubleOptions } from '../../electron-double/control.ts';

const register = resolve('test/electron-double/register.ts');

/** The members of Electron that the desktop app says it uses, by its own type. */
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

  /** Runs a main script on the double until it exits. No window is opened, so Chromium is not needed. */
  function run(script: string, installed: Partial<DoubleOptions> = {}, args: readonly string[] = []) {
    const file = join(home, installed.isPackaged === true ? 'app.asar' : '', 'main.mjs');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${script}\nprocess.exit(0);`);
    const options: DoubleOptions = {
      home,
      appPath: resolve('.'),
      chromium: { kind: 'own', executable: '/nonexistent' },
      isPackaged: false,
      keyBackend: 'gnome_libsecret',
      keyStore: 'keyring',
      ...installed,
    };
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', register, file, ...args], {
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

  test.each([
    ['asks the system for links', `app.setAsDefaultProtocolClient('x');`, 'for Windows and macOS'],
    ['sets a login item', `app.setLoginItemSettings({ openAtLogin: true });`, 'for Windows and macOS'],
    [
      'gives an item a role and a click',
      `Menu.buildFromTemplate([{ role: 'copy', click() {} }]);`,
      'no click of an item with the role copy',
    ],
    [
      'relies on a role that nothing carries out',
      `Menu.buildFromTemplate([{ role: 'toggleDevTools' }]).items[0].click();`,
      'no role toggleDevTools',
    ],
  ])('ends an app that %s', (_what, statement, said) => {
    const { stderr, status } = run(`import { app, Menu } from 'electron/main'; ${statement}`);
    expect(stderr).toContain(said);
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

  describe('relaunch', () => {
    const written = (name: string): readonly string[] =>
      existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8').trim().split('\n') : [];
    /**
     * A program that records each of its starts with its arguments, and whether the first one still runs. A process
     * that has exited but was not yet reaped (state Z) counts as ended.
     */
    const noting = (name: string, relaunch: string): string => `
      import { app } from 'electron/main'; import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
      const pidFile = ${JSON.stringify(join(home, name))} + '.pid'; const isFirst = !existsSync(pidFile);
      const pid = isFirst ? 0 : Number(readFileSync(pidFile)); const status = '/proc/' + pid + '/stat';
      let isAlive = false; try { isAlive = !isFirst && process.kill(pid, 0); } catch {}
      try { if (readFileSync(status, 'utf8').includes(') Z ')) isAlive = false; } catch {}
      if (isFirst) writeFileSync(pidFile, String(process.pid));
      const given = process.argv.slice(app.isPackaged ? 1 : 2); const [, entry] = process.argv;
      appendFileSync(${JSON.stringify(join(home, name))}, JSON.stringify({ given, isAlive }) + '\\n');
      if (isFirst) { ${relaunch} await new Promise((done) => setTimeout(done, 300)); }`;
    const first = (...given: readonly string[]): string => JSON.stringify({ given, isAlive: false });

    test.each([
      ['in development', false, 'app.relaunch({ args: [entry, "--hidden"] });'],
      ['packaged', true, 'app.relaunch({ args: ["--hidden"] });'],
      [
        'packaged, ended by force',
        true,
        'app.relaunch({ args: ["--hidden"] }); process.kill(process.pid, 9);',
      ],
    ])(
      'starts the program with the given arguments once the app is gone: %s',
      async (what, isPackaged, call) => {
        run(noting(what, call), { isPackaged }, ['--first']);
        await expect.poll(() => written(what)).toEqual([first('--first'), first('--hidden')]);
      },
    );

    test('starts it as often as it was asked, and with the same arguments when none are given', async () => {
      run(noting('twice', 'app.relaunch({ args: [] }); app.relaunch({ args: [] });'), { isPackaged: true });
      await expect.poll(() => written('twice')).toEqual([first(), first(), first()]);
      run(noting('same', 'process.argv.push("--later"); app.relaunch();'), { isPackaged: true }, [
        '--hidden',
      ]);
      await expect.poll(() => written('same')).toEqual([first('--hidden'), first('--hidden')]);
    });

    test('comes back from no mounted image, which goes away with the app', () => {
      const lost = `process.env.APPDIR = ${JSON.stringify(home)}; app.relaunch({ args: [] });`;
      const { stdout } = run(`import { app } from 'electron/main'; ${lost}`, {
        isPackaged: true,
        resourcesPath: join(home, 'resources'),
      });
      expect(stdout).toContain('a relaunch from a mounted image is lost');
    });
  });

  describe('paths inside an archive', () => {
    const head = `import childProcess from 'node:child_process'; import fs from 'node:fs'; import { open, readFile, stat, statfs } from 'node:fs/promises';
      import { createRequire } from 'node:module'; import { fileURLToPath } from 'node:url';
      const at = (name) => fileURLToPath(new URL(name, import.meta.url)); fs.writeFileSync('/dev/null', at('data'));`;
    function put(name: string, text: string): void {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text, { mode: 0o755 });
    }
    beforeAll(() => {
      put('app.asar/data', 'packed');
      put('app.asar/tool', '#!/bin/sh\necho ran\n');
      put('app.asar/native.node', '');
      put('app.asar.unpacked/native.node', 'unpacked');
      put('app.asar/packed.node', '');
    });

    test('are read as in a folder, and from beside it where a file was left unpacked', () => {
      const { stdout, stderr } = run(
        `${head} console.log(await readFile(at('data'), 'utf8'), await readFile(at('native.node'), 'utf8'),
          (await stat(at('native.node'))).size, fs.realpathSync(at('data')).endsWith('app.asar/data'),
          childProcess.execFileSync(at('tool')).toString().trim());`,
        { isPackaged: true },
      );
      expect(stdout, stderr).toBe('packed unpacked 8 true ran');
    });

    test.each([
      ['writing', `fs.writeFileSync(at('data'), 'x');`, 'ENOTDIR'],
      ['opening to write', `await open(at('data'), 'a');`, 'EACCES'],
      ['asking to write', `fs.accessSync(at('data'), fs.constants.W_OK);`, 'EACCES'],
      ['making a folder', `fs.mkdirSync(at('new'));`, 'ENOTDIR'],
      ['copying into it', `fs.copyFileSync(at('data'), at('other'));`, 'ENOTDIR'],
      ['watching', `fs.watch(at('data'));`, 'ENOTDIR'],
      ['asking for the disk', `await statfs(at('.'));`, 'ENOTDIR'],
      ['working there', `process.chdir(at('.'));`, 'ENOTDIR'],
      ['starting a program', `childProcess.spawn(at('tool'));`, 'ENOTDIR'],
      [
        'a program that works there',
        `childProcess.execFileSync('/bin/true', [], { cwd: at('.') });`,
        'ENOTDIR',
      ],
      ['a program of Node’s', `childProcess.fork(at('data'));`, 'does not run as Node'],
      ['the app as Node', `childProcess.spawn(process.execPath, ['-v']);`, 'does not run as Node'],
      ['a packed native module', `createRequire(import.meta.url)('./packed.node');`, 'ENOTDIR: dlopen'],
    ])('fail for what Electron cannot do there: %s', (_what, statement, said) => {
      const { stderr, status } = run(`${head} ${statement}`, { isPackaged: true });
      expect(stderr).toContain(said);
      expect(status).not.toBe(0);
    });

    test('lead a native module to the file beside the archive', () => {
      const { stderr } = run(`${head} createRequire(import.meta.url)('./native.node');`, {
        isPackaged: true,
      });
      expect(stderr).toMatch(/app\.asar\.unpacked\/native\.node.*(file too short|invalid ELF)/s);
    });
  });
});
