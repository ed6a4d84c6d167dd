import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSystemClock, noProgress, type Clock } from '../../../../electron/agent/index.ts';
import { runSelfTest, SELF_TEST_FILE } from '../../../../electron/desktop/self-test/self-test.ts';
import { resultSchema } from '../../../../electron/desktop/self-test/self-test-table.ts';
import { collectLog, makeFolder, say } from '../../../helpers/desk-tools.ts';

const CHECKS_WITHOUT_UPLOAD = 11;
/** How much faster the clock of the test goes. */
const SPEED = 100;

const silent = (): void => undefined;
const never = new Promise<never>(silent);

it('gives a check that uploads nothing 20 s: its caller waits three minutes for the whole test', async () => {
  const printing = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printing.mockRestore());
  const folder = await makeFolder();
  const limits: number[] = [];
  const real = createSystemClock();
  const clock: Clock = {
    ...real,
    sleep(delayMs, signal) {
      limits.push(delayMs);
      return real.sleep(delayMs / SPEED, signal);
    },
  };
  await runSelfTest({
    electron: {
      app: {
        getVersion: () => '0.1.0',
        isPackaged: false,
        on: silent,
        isDefaultProtocolClient: () => false,
        getGPUFeatureStatus: () => ({}),
      },
      Notification: { isSupported: () => false },
      powerSaveBlocker: { start: () => 1, isStarted: () => false, stop: silent },
      safeStorage: { isAsyncEncryptionAvailable: () => never },
    } as never,
    window: { front: async () => undefined, tell: silent },
    report: never,
    agent: { call: async () => never, progress: () => noProgress } as never,
    loginItem: { isOn: async () => false, set: async () => false, wasUsed: () => false },
    hasTray: false,
    quit: { quit: async () => undefined },
    folders: [folder],
    clock,
    logger: collectLog().logger,
    say,
  });
  expect(limits).toEqual([...Array.from({ length: CHECKS_WITHOUT_UPLOAD }, () => 20_000), 80_000]);
  const { rows } = resultSchema.parse(JSON.parse(await readFile(join(folder, SELF_TEST_FILE), 'utf8')));
  for (const name of ['page and bridge', 'thumbnail codecs', 'key store', 'upload of one export'])
    expect(rows).toContainEqual({ name, state: 'failed', detail: 'it took too long' });
});
