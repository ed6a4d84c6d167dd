import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { resultSchema } from '../../../electron/desktop/self-test/self-test-table.ts';
import { packModules } from '../helpers/packed-modules.ts';
import { expect, test } from './desktop.ts';
import { launchDouble } from './double-driver.ts';
import type { RunningApp } from './driver.ts';

/** The built app as in a package, with a native module that can be changed. */
async function installBeside(home: string): Promise<{ readonly main: string; readonly native: string }> {
  const resources = join(home, 'installed');
  const native = packModules(resources);
  const dist = join(resources, 'app.asar', 'dist');
  await cp(resolve('dist'), dist, { recursive: true });
  return { main: join(dist, 'main', 'main.js'), native };
}

/** Starts the copy, and ends everything that it started together with the test. */
const packedTest = test.extend<{ packed: Packed }>({
  packed: async ({ desktop }, use) => {
    const { main, native } = await installBeside(desktop.home);
    const installed = { main, resourcesPath: join(desktop.home, 'installed'), environment: {} };
    const { home, dataHome } = desktop;
    const running: RunningApp[] = [];
    await use({
      native,
      async start(args = []) {
        const app = await launchDouble({ home, dataHome, args, installed });
        running.push(app);
        return app;
      },
    });
    for (const app of running) await app.kill();
  },
});

interface Packed {
  /** The native module, beside the archive. */
  readonly native: string;
  start(args?: readonly string[]): Promise<RunningApp>;
}

packedTest.skip(
  ({ driver }) => driver === 'electron',
  'the packed program has a run of its own there: npm run desktop:selftest -- --packed',
);

packedTest('every part of the app works out of an archive', async ({ desktop, packed }) => {
  const profile = join(desktop.home, 'profile');
  const app = await packed.start(['--selftest', `--user-data-dir=${profile}`]);
  expect(await app.ended, app.output()).toBe(0);
  const { rows } = resultSchema.parse(JSON.parse(await readFile(join(profile, 'selftest.json'), 'utf8')));
  expect(rows.filter(({ state }) => state === 'failed')).toEqual([]);
  const detail = (name: string): string | undefined => rows.find((each) => each.name === name)?.detail;
  expect(detail('native module and database')).toContain('SQLite');
  expect(detail('worker threads')).toBe('hash, send, probe, check, checkpoint, system-certificates');
});

packedTest(
  'the app with another native module than its own opens no queue, and says what to do',
  { tag: '@long' },
  async ({ packed: { native, start } }) => {
    packedTest.skip(process.platform === 'darwin', 'the loader of macOS refuses it');
    const whole = await start();
    await expect((await whole.page()).getByText('Nothing here yet')).toBeVisible({ timeout: 20_000 });
    await whole.kill();
    await writeFile(native, Buffer.concat([await readFile(native), Buffer.from('more')]));
    const changed = await start();
    const said = async () => (await changed.system.dialogs()).map(({ message }) => message).join();
    await expect.poll(said, { timeout: 20_000 }).toContain('is missing, cannot be read or was replaced');
    await changed.system.answerDialog({ kind: 'button', button: 'Quit' });
    expect(await changed.ended).toBe(1);
  },
);
