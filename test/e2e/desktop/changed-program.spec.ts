import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { packModules } from '../helpers/packed-modules.ts';
import { expect, test } from './desktop.ts';
import { launchDouble } from './double-driver.ts';
import type { RunningApp } from './driver.ts';

/** The built app as it lies in a package, with a native module that can be changed. */
async function installBeside(home: string): Promise<{ readonly main: string; readonly native: string }> {
  const resources = join(home, 'installed');
  const native = packModules(resources);
  const dist = join(resources, 'app.asar', 'dist');
  await cp(resolve('dist'), dist, { recursive: true });
  return { main: join(dist, 'main', 'main.js'), native };
}

test.describe('the app with another native module than its own', () => {
  test.skip(process.platform === 'darwin', 'the loader of macOS refuses it');

  test('opens no queue, and says what to do', async ({ desktop, driver }) => {
    test.skip(driver === 'electron', 'its packages are those of the checkout');
    const { main, native } = await installBeside(desktop.home);
    const running: RunningApp[] = [];
    const launch = async () => {
      const installed = { main, resourcesPath: join(desktop.home, 'installed'), environment: {} };
      const app = await launchDouble({ home: desktop.home, dataHome: desktop.dataHome, args: [], installed });
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
