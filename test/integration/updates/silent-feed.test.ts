import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeFolder } from '../../helpers/desk-tools.ts';
import { OPTIONS_VARIABLE, type DoubleOptions } from '../../electron-double/control.ts';
import { feedAuthority, startUpdateFeed } from '../../e2e/helpers/update-feed.ts';

const probe = fileURLToPath(new URL('look-probe.ts', import.meta.url));

it('a look that a silent feed leaves without an answer can be given up, and the next one is a new one', async (context) => {
  const home = await makeFolder();
  const feed = await startUpdateFeed();
  context.onTestFinished(() => feed.stop());
  await writeFile(join(home, 'app-update.yml'), `provider: generic\nurl: ${feed.url}\n`);
  feed.put('latest-linux.yml', { kind: 'silence' });
  const options: DoubleOptions = {
    home,
    appPath: resolve('.'),
    // No window is opened
    chromium: { kind: 'own', executable: 'none' },
    isPackaged: true,
    resourcesPath: home,
    keyBackend: 'unknown',
    keyStore: 'nothing',
  };
  const child = spawn(process.execPath, ['--import', resolve('test/electron-double/register.ts'), probe], {
    env: {
      ...process.env,
      [OPTIONS_VARIABLE]: JSON.stringify(options),
      APPIMAGE: join(home, 'agent.AppImage'),
      FEED: `${feed.url}/`,
      NODE_EXTRA_CA_CERTS: feedAuthority,
      XDG_CACHE_HOME: home,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => feed.requests.length, { timeout: 15_000 }).toBe(1);
  const list = 'version: 99.1.0\nfiles: [{ url: a.AppImage, sha512: AA==, size: 1 }]\n';
  feed.put('latest-linux.yml', { kind: 'file', body: Buffer.from(list) });
  child.stdin.write('give up');
  await expect.poll(() => said, { timeout: 15_000 }).toBe('first: net::ERR_ABORTED\nsecond: 99.1.0\n');
});
