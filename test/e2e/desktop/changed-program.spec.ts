import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './desktop.ts';
import { launchDouble } from './double-driver.ts';
import type { RunningApp } from './driver.ts';

const MODULE = `prebuilds/${process.platform}-${process.arch}.node`;

/** The built app with packages of its own, of which one can be changed. */
async function installBeside(home: string): Promise<{ readonly main: string; readonly native: string }> {
  const folder = join(home, 'installed');
  const packages = join(folder, 'node_modules');
  await mkdir(packages, { recursive: true });
  await cp(resolve('dist'), join(folder, 'dist'), { recursive: true });
  for (const name of await readdir('node_modules'))
    if (name !== 'better-sqlite3') await symlink(resolve('node_modules', name), join(packages, name));
  const own = join(packages, 'better-sqlite3');
  for (const part of ['package.json', 'lib', MODULE])
    await cp(resolve('node_modules/better-sqlite3', part), join(own, part), { recursive: true });
  return { main: join(folder, 'dist/main/main.js'), native: join(own, MODULE) };
}

test.describe('the app with another native module than its own', () => {
  test.skip(process.platform === 'darwin', 'the loader of macOS refuses it');

  test('opens no queue, and says what to do', async ({ desktop, driver }) => {
    test.skip(driver === 'electron', 'its packages are those of the checkout');
    const { main, native } = await installBeside(desktop.home);
    const running: RunningApp[] = [];
    const launch = async () => {
      const app = await launchDouble({ home: desktop.home, dataHome: desktop.dataHome, args: [], main });
      running.push(app);
      return app;
    };
    try {
      const whole = await launch();
      await expect((await whole.page()).getByText('Nothing here yet')).toBeVisible({ timeout: 20_000 });
      await whole.kill();
      await writeFile(native, Buffer.concat([await readFile(native), Buffer.from('more')]));
      const changed = await launch();
      const said = async () => (await changed.system.dialogs()).map(({ message }) => message).join();
      await expect.poll(said, { timeout: 20_000 }).toContain('is missing or was replaced');
      await changed.system.answerDialog({ kind: 'button', button: 'Quit' });
      expect(await changed.ended).toBe(1);
    } finally {
      for (const app of running) await app.kill();
    }
  });
});
