import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { OPTIONS_VARIABLE, type DoubleOptions } from '../../electron-double/control.ts';
import { chromiumPath } from './double-driver.ts';
import { expect, test } from './desktop.ts';

test.beforeEach(({ driver }) => test.skip(driver === 'electron', 'it tries the double'));

/** Opens a window of the double with the app's guards, on a foreign page, which the app itself never shows. */
async function openGuarded(statements: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'guarded-window-'));
  const file = join(home, 'main.mjs');
  await writeFile(
    file,
    `import { app, BrowserWindow, session } from 'electron/main';
     import { guardContents, guardSession } from ${JSON.stringify(resolve('electron/desktop/security/guards.ts'))};
     const said = [];
     const logger = { info() {}, warn: (_, { what }) => said.push(what) };
     await app.whenReady();
     const window = new BrowserWindow({ show: false });
     const load = (url) => window.loadURL(url).then(() => 'loaded', ({ code, message }) => code ?? message);
     ${statements}
     process.exit(0);`,
  );
  const options: DoubleOptions = {
    home,
    appPath: resolve('.'),
    chromium: { kind: 'own', executable: chromiumPath },
    isPackaged: false,
    keyBackend: 'gnome_libsecret',
    keyStore: 'keyring',
  };
  const child = spawn(process.execPath, ['--import', resolve('test/electron-double/register.ts'), file], {
    env: { ...process.env, [OPTIONS_VARIABLE]: JSON.stringify(options) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((done) => child.once('close', done));
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
  return output.trim();
}

/** Runs `use` with the address of a page that redirects. */
async function withServer(use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer(({ url }, response) => {
    if (url === '/') response.writeHead(302, { location: '/elsewhere' }).end();
    else response.end('elsewhere');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await use(`http://127.0.0.1:${port}`);
  server.close();
}

test('a window is not led elsewhere by the answer of a page', () =>
  withServer(async (address) => {
    const go = `console.log(await load('${address}/'), said.join());`;
    expect(await openGuarded(go)).toBe('loaded');
    expect(await openGuarded(`guardContents(window.webContents, logger); ${go}`)).toBe(
      'ERR_ABORTED redirect',
    );
  }));

test('no page gets at a device or sees the screen', () =>
  withServer(async (address) => {
    const go = `console.log(await load('${address}/elsewhere'));`;
    const own = 'session.defaultSession';
    // Without the guard's request filter, which would refuse this server's page too
    const guard = `guardSession(${own}, { isPackaged: true, logger }); ${own}.webRequest.onBeforeRequest(undefined);`;
    expect(await openGuarded(`${guard} ${go}`)).toBe('loaded');
    const give = `${own}.setDevicePermissionHandler(() => true);`;
    expect(await openGuarded(`${give} ${go}`)).toContain('has no devices');
    const show = `${own}.setDisplayMediaRequestHandler((_, answer) => answer({ video: {} }));`;
    expect(await openGuarded(`${show} ${go}`)).toContain('has no screen');
  }));
