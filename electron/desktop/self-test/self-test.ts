import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { createCaller } from '../../../shared/ipc/caller.ts';
import type { DesktopCommandArguments, DesktopDiagnosis } from '../../../shared/ipc/desktop.ts';
import { replaceFile, tryWorkers, type Agent, type Clock, type Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import { prefixOf } from '../keys/key-keeping.ts';
import type { LoginItem } from '../choice-store.ts';
import type { QuitProtocol } from '../quitting/quit-app.ts';
import { LINK_SCHEME, readStartArguments } from '../start-requests.ts';
import { createNativeNotifications } from '../tray/notifications.ts';
import type { AppWindow } from '../window/main-window.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import { resultSchema, selfTestTable, type SelfTestResult, type SelfTestRow } from './self-test-table.ts';

/** File with the result of the last test, in the folder of the profile. */
export const SELF_TEST_FILE = 'selftest.json';

/** Time limit of a check that uploads nothing, milliseconds; a key store may ask a person. */
const CHECK_MS = 20_000;
/** How long the export that the caller put into the watched folder may take to upload, milliseconds. */
const UPLOAD_MS = 60_000;
const POLL_MS = 100;

type PageReport = DesktopCommandArguments<'selfTest.report'>;

/** Returns its finding in a few words. Throws what is wrong. */
type Check = () => Promise<string> | string;

interface Deps {
  readonly electron: Pick<
    ElectronApi,
    'app' | 'Notification' | 'powerMonitor' | 'powerSaveBlocker' | 'safeStorage'
  >;
  readonly window: Pick<AppWindow, 'front' | 'tell'>;
  /** The report that the page sends back. */
  readonly report: Promise<PageReport>;
  readonly agent: Agent;
  readonly loginItem: LoginItem;
  readonly hasTray: boolean;
  readonly quit: Pick<QuitProtocol, 'quit'>;
  /** Folders that the result is saved in: this profile's, and the account's for Health. */
  readonly folders: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly say: Say;
}

/**
 * Checks everything that only a real system can show, saves the result and ends the app. `npm run desktop:selftest`
 * adds what needs another process: a second start, and quitting during an upload.
 */
export async function runSelfTest(deps: Deps): Promise<void> {
  const { electron, clock, quit, agent } = deps;
  const rows: SelfTestRow[] = [];
  for (const [name, check, limitMs] of checks(deps)) rows.push(await tryOne(name, check, clock, limitMs));
  let result: SelfTestResult = {
    at: new Date(clock.now()).toISOString(),
    version: electron.app.getVersion(),
    runtime: runtimeName(),
    system: `${platform()} ${release()} ${arch()}`,
    isPackaged: electron.app.isPackaged,
    rows,
  };
  const add = (more: Partial<SelfTestResult>): Promise<void> => {
    result = { ...result, ...more };
    return keep(result, deps);
  };
  await add({});
  process.stdout.write(`${selfTestTable(result)}\n`);
  electron.app.on('second-instance', (_event, argv) => {
    const { incidentId } = readStartArguments(argv.slice(1), '.');
    if (incidentId !== undefined) void add({ linksTaken: (result.linksTaken ?? 0) + 1 });
  });
  if (agent.progress().clips > 0) {
    // The caller keeps the next clip in flight
    await until(() => agent.progress().bytesInFlight > 0, UPLOAD_MS, clock).catch(() => undefined);
    await add({ quitAt: new Date(clock.now()).toISOString() });
  }
  await quit.quit('system');
}

async function tryOne(name: string, check: Check, clock: Clock, limitMs = CHECK_MS): Promise<SelfTestRow> {
  const over = new AbortController();
  try {
    const late = clock.sleep(limitMs, over.signal).then(() => {
      throw new Error('it took too long');
    });
    late.catch(() => undefined);
    const detail = await Promise.race([Promise.resolve().then(check), late]);
    return {
      name,
      state: detail.startsWith(SKIPPED) ? 'skipped' : 'ok',
      detail: detail.replace(SKIPPED, ''),
    };
  } catch (error) {
    return { name, state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    over.abort();
  }
}

const SKIPPED = 'skipped: ';

function checks(deps: Deps): readonly (readonly [name: string, check: Check, limitMs?: number])[] {
  const { electron, agent, hasTray, clock } = deps;
  const { app, safeStorage, powerSaveBlocker } = electron;
  const { call } = createCaller((request) => agent.call(request, new AbortController().signal));
  return [
    [
      'native module and database',
      async () => {
        const health = await call('health.get', {});
        if (!health.ok) throw new Error(health.error.message);
        return `SQLite ${health.value.versions.sqlite}, Node ${health.value.versions.node}`;
      },
    ],
    ['worker threads', async () => (await tryWorkers()).join(', ')],
    [
      'page and bridge',
      async () => {
        const { problem } = await askPage(deps);
        if (problem !== undefined) throw new Error(problem);
        return 'the app reaches the page, and the agent answers it';
      },
    ],
    ['thumbnail codecs', async () => (await deps.report).codecs],
    [
      'key store',
      async () => {
        if (!(await safeStorage.isAsyncEncryptionAvailable())) return `${SKIPPED}no key store`;
        const encrypted = await safeStorage.encryptStringAsync('self-test');
        const { result } = await safeStorage.decryptStringAsync(encrypted);
        if (result !== 'self-test') throw new Error('the decrypted text differs from the original');
        return `prefix ${prefixOf(encrypted)}, round trip`;
      },
    ],
    ['tray', () => (hasTray ? 'shown' : `${SKIPPED}this desktop has no tray`)],
    ['notification', () => notify(deps)],
    ['start at sign-in', () => toggleLoginItem(deps.loginItem)],
    [
      'app links',
      () =>
        app.isDefaultProtocolClient(LINK_SCHEME)
          ? 'the system opens them with this program'
          : `${SKIPPED}the system opens them with another program or none; an installed app registers them`,
    ],
    [
      'graphics processor',
      () =>
        Object.entries(app.getGPUFeatureStatus())
          .map((each) => each.join(' '))
          .join(', '),
    ],
    [
      'sleep hooks',
      () => {
        const id = powerSaveBlocker.start('prevent-app-suspension');
        const isHeld = powerSaveBlocker.isStarted(id);
        powerSaveBlocker.stop(id);
        if (!isHeld || powerSaveBlocker.isStarted(id)) throw new Error('the PC is not kept awake');
        return electron.powerMonitor.isOnBatteryPower() ? 'on battery' : 'on mains power';
      },
    ],
    [
      'upload of one export',
      async () => {
        const health = await call('health.get', {});
        if (health.ok && health.value.roots.length > 0)
          await until(() => agent.progress().clips > 0, CHECK_MS, clock).catch(() => undefined);
        if (agent.progress().clips === 0) return `${SKIPPED}no export was given`;
        await until(
          () => {
            const { clips, clipsUploaded, clipsFailed } = agent.progress();
            if (clipsFailed > 0) throw new Error(`${clipsFailed} of ${clips} clips failed`);
            return clipsUploaded === clips;
          },
          UPLOAD_MS,
          clock,
        );
        return `clips sent: ${agent.progress().clipsUploaded}`;
      },
      CHECK_MS + UPLOAD_MS,
    ],
  ];
}

/** Asks the page in the window, which answers with a command: this uses both directions of the bridge. */
async function askPage({ window, report }: Deps): Promise<PageReport> {
  await window.front();
  window.tell({ kind: 'selfTest' });
  return report;
}

function notify({ electron, logger, say }: Deps): Promise<string> | string {
  if (!electron.Notification.isSupported()) return `${SKIPPED}the system shows no notifications`;
  createNativeNotifications(
    electron,
    platform(),
    logger,
  )({ title: say('selfTest.title'), body: say('selfTest.text') }, () => undefined);
  return 'handed to the system; check whether it appeared on the screen';
}

/** Switches it and restores it. */
async function toggleLoginItem(item: LoginItem): Promise<string> {
  const before = await item.isOn();
  const after = await item.set(!before);
  const restored = await item.set(before);
  if (restored !== before) throw new Error('it could not be restored');
  return after === before ? `${SKIPPED}no start at sign-in here` : 'switched and restored';
}

async function until(isSo: () => boolean, limitMs: number, clock: Clock): Promise<void> {
  for (const end = clock.monotonic() + limitMs; !isSo(); await clock.sleep(POLL_MS))
    if (clock.monotonic() > end) throw new Error('it took too long');
}

async function keep(result: SelfTestResult, { folders, logger }: Deps): Promise<void> {
  for (const folder of folders)
    await replaceFile(join(folder, SELF_TEST_FILE), `${JSON.stringify(result, undefined, 2)}\n`).catch(
      (error: unknown) => logger.warn('The result of the self-test could not be saved', { error }),
    );
}

/**
 * The runtime and its version. Plain Node is the tests' substitute for Electron, which proves nothing about a system.
 */
export function runtimeName(): string {
  const { electron, chrome } = process.versions;
  return electron === undefined
    ? `none (development double, Node ${process.versions.node})`
    : `Electron ${electron}, Chromium ${chrome}`;
}

/** Counts of the last result in this folder; undefined when there is no valid one. */
export async function lastSelfTest(folder: string): Promise<DesktopDiagnosis['selfTest']> {
  try {
    const result = resultSchema.parse(JSON.parse(await readFile(join(folder, SELF_TEST_FILE), 'utf8')));
    const count = (state: SelfTestRow['state']): number =>
      result.rows.filter((row) => row.state === state).length;
    const { at, runtime } = result;
    return { at, runtime, ok: count('ok'), failed: count('failed'), skipped: count('skipped') };
  } catch {
    return undefined;
  }
}
