/**
 * Tests the desktop app on this system and reports what works: `npm run desktop:selftest`. With `--packed PROGRAM`,
 * tests a packaged program. Without Electron's runtime it uses the tests' substitute, which proves nothing about a
 * system.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  resultSchema,
  selfTestTable,
  type SelfTestResult,
  type SelfTestRow,
} from '../electron/desktop/self-test/self-test-table.ts';
import { OPTIONS_VARIABLE, type DoubleOptions } from '../test/electron-double/control.ts';
import { startSimulator, type Simulator } from '../test/simulator/index.ts';
import { findElectron } from './find-runtimes.ts';
import { ensureBuilt } from './ensure-built.ts';

const CLIPS = 'test/fixtures/clips';
const RESULT = process.argv.includes('--packed')
  ? '.tmp/desktop-selftest-packed.json'
  : '.tmp/desktop-selftest.json';
/** Time limit for the whole test on a slow machine, milliseconds. */
const LIMIT_MS = 180_000;
/** Time limit for quitting during an upload, milliseconds: systems kill a program after about that long. */
const QUIT_MS = 5_000;
/** Time limit for a second start, milliseconds: it exits as soon as it finds the first one. */
const SECOND_START_MS = 30_000;
const PIECE_BYTES = 5_242_880;

/** How to start the program here: the file, and the arguments before its own. */
interface Target {
  readonly file: string;
  readonly before: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

function chooseTarget(home: string): Target {
  const [flag, packed] = process.argv.slice(2);
  if (flag === '--packed') {
    const file =
      packed ??
      globSync(
        'dist/package/*/{vms-export-agent,VMS Export Agent.exe,*.app/Contents/MacOS/VMS Export Agent}',
      )[0];
    if (file === undefined || !existsSync(file))
      throw new Error('No packaged program was found. Name its file.');
    return { file: resolve(file), before: [], environment: {} };
  }
  const electron =
    flag === '--double'
      ? undefined
      : findElectron({ packageDir: 'node_modules/electron', environment: process.env });
  if (electron !== undefined) return { file: electron, before: ['.'], environment: {} };
  console.error(
    'Electron is not installed. This run uses the substitute from the tests and proves nothing about this system.',
  );
  const executable = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const options: DoubleOptions = {
    home,
    appPath: resolve('.'),
    chromium: { kind: 'own', executable },
    isPackaged: false,
    keyStore: 'keyring',
    keyBackend: 'gnome_libsecret',
  };
  const environment = {
    [OPTIONS_VARIABLE]: JSON.stringify(options),
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
  };
  const before = ['--import', resolve('test/electron-double/register.ts'), resolve('dist/main/main.js')];
  return { file: process.execPath, before, environment };
}

async function makeProfile(folder: string, simulator: Simulator): Promise<{ profile: string; root: string }> {
  const [profile, root] = [join(folder, 'profile'), join(folder, 'exports')];
  await mkdir(profile, { recursive: true });
  await mkdir(root);
  await writeFile(join(profile, 'key.txt'), simulator.apiKey, { mode: 0o600 });
  const config = {
    baseUrl: simulator.baseUrl,
    apiKeyFile: 'key.txt',
    watch: [{ path: root, settleSeconds: 0.5 }],
    upload: { multipartThresholdBytes: PIECE_BYTES, partSizeBytes: PIECE_BYTES, concurrentParts: 1 },
  };
  await writeFile(join(profile, 'vms-export-agent.json'), JSON.stringify(config));
  return { profile, root };
}

/** The program's own table is hidden: this script prints the same rows and more. */
function start({ file, before, environment }: Target, args: readonly string[]): ChildProcess {
  return spawn(file, [...before, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((done) => {
    child.once('exit', (code) => done(code ?? -1));
    child.once('error', () => done(-1));
  });

/**
 * Resolves to the exit code; rejects after the limit, milliseconds. The timer keeps nothing alive once there is a code.
 */
async function endedWithin(limitMs: number, end: Promise<number>): Promise<number> {
  const over = new AbortController();
  const late = delay(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the program did not end within ${limitMs / 1000} s`);
  });
  try {
    return await Promise.race([end, late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
}

/** Polls until there is an answer; rejects when the time is up or the program has exited. */
async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  gone: Promise<number>,
): Promise<T> {
  let hasEnded = false;
  void gone.then(() => (hasEnded = true));
  for (const endMs = Date.now() + LIMIT_MS; Date.now() < endMs; await delay(200)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (hasEnded) throw new Error('the program ended too early');
  }
  throw new Error('it took too long');
}

async function attempt(name: string, work: () => Promise<string>): Promise<SelfTestRow> {
  try {
    return { name, state: 'ok', detail: await work() };
  } catch (error) {
    return { name, state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

async function main(folder: string, simulator: Simulator): Promise<boolean> {
  const target = chooseTarget(folder);
  const { profile, root } = await makeProfile(folder, simulator);
  await mkdir(join(root, 'Gate 4'));
  // If the program read this with Electron's own file functions, the scan would stop here
  await writeFile(join(root, 'Gate 4', 'player.asar'), 'no archive');
  await copyFile(join(CLIPS, 'gate-4-north.mp4'), join(root, 'Gate 4', 'gate-4-north.mp4'));
  const own = [`--user-data-dir=${profile}`];
  const child = start(target, [...own, '--selftest']);
  const gone = ended(child);
  const file = join(profile, 'selftest.json');
  const read = async (): Promise<SelfTestResult | undefined> => {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : resultSchema.parse(JSON.parse(text));
  };
  try {
    const tested = await until(read, gone);
    const rows = [
      ...tested.rows,
      await attempt('every byte has arrived, and a picture of it', async () => {
        const sum = createHash('sha256')
          .update(readFileSync(join(CLIPS, 'gate-4-north.mp4')))
          .digest('hex');
        const objects = await until(async () => {
          const all = await simulator.objects();
          return all.length > 1 ? all : undefined;
        }, gone);
        const sums = await Promise.all(objects.map(({ key }) => simulator.sha256OfObject(key)));
        if (!sums.includes(sum)) throw new Error('the clip in storage has different bytes');
        return `${objects.length} files in storage, from a folder with a file named *.asar`;
      }),
      await attempt('a second start hands its link over and ends', async () => {
        const link = 'vms-export-agent://incident/00000000-0000-5000-8000-000000000000';
        const code = await endedWithin(SECOND_START_MS, ended(start(target, [...own, link])));
        if (code !== 0) throw new Error(`it ended with ${code}`);
        await until(async () => (await read())?.linksTaken, gone);
        return 'taken by the first one';
      }),
      await attempt(`quits under ${QUIT_MS / 1000} s with an upload on the line`, async () => {
        simulator.faults.hold({ call: 'putPart', partNumber: 2 });
        await mkdir(join(root, 'Gate 5'));
        const clip = readFileSync(join(CLIPS, 'gate-4-north.mp4'));
        const more = Buffer.alloc(3 * PIECE_BYTES);
        more.writeUInt32BE(more.length);
        more.write('free', 4);
        await writeFile(join(root, 'Gate 5', 'gate-5.mp4'), Buffer.concat([clip, more]));
        const quitAt = await until(async () => (await read())?.quitAt, gone);
        const code = await endedWithin(LIMIT_MS, gone);
        const tookMs = Date.now() - Date.parse(quitAt);
        if (code !== 0) throw new Error(`it ended with ${code}`);
        if (tookMs > QUIT_MS) throw new Error(`it took ${tookMs} ms`);
        return `${tookMs} ms`;
      }),
    ];
    return await report({ ...tested, rows });
  } finally {
    child.kill('SIGKILL');
  }
}

async function report(result: SelfTestResult): Promise<boolean> {
  console.log(`\n${selfTestTable(result)}\n\n${RESULT}`);
  await mkdir('.tmp', { recursive: true });
  await writeFile(RESULT, `${JSON.stringify(result, undefined, 2)}\n`);
  return result.rows.every(({ state }) => state !== 'failed');
}

if (!process.argv.includes('--packed') && !(await ensureBuilt())) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), 'desktop-selftest-'));
const simulator = await startSimulator({ folder: join(folder, 'storage') });
try {
  process.exitCode = (await main(folder, simulator)) ? 0 : 1;
} catch (error) {
  console.error(`The self-test failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await simulator.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}
