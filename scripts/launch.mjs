// Every npm script starts here. Plain JavaScript, because the system's Node may be too old for the rest:
// it installs what the lock file names when that is missing, then runs the script with the project's own Node.
//
//   node scripts/launch.mjs FILE [ARGS]         runs a TypeScript or JavaScript file
//   node scripts/launch.mjs --bin NAME [ARGS]   runs a package's program, such as vitest
//   node scripts/launch.mjs --install           only installs
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const AGENT = 'electron/headless.ts';
/**
 * As in the agent's first line. The system's certificate authorities count too, which desks behind a TLS-inspecting
 * proxy need. The agent's garbage is short-lived, and a young heap of 3 MiB retains 20 MiB less of it.
 */
const AGENT_FLAGS = ['--use-system-ca', '--max-semi-space-size=2'];
/** Parallel tests keep all processors busy: multi-threaded garbage collection would then cost a tenth more. */
const PROGRAM_FLAGS = ['--single-threaded-gc'];
/** No debugger can be opened by a signal: any account on the PC could attach to it. */
const SAFE_FLAGS = ['--disable-sigusr1'];
const BIN = join(MODULES, '.bin');
const INSTALL_LOCK = join(ROOT, '.tmp', 'install.lock');

/**
 * First Node version that runs TypeScript without a flag or a warning, and that the native modules were tested with.
 */
const LEAST_NODE = [24, 11];
/** Watched folders on a hung share block file threads: with more than libuv's default of 4, the others keep working. */
const FILE_THREADS = '16';
/**
 * By default glibc retains memory that threads and buffers have freed: some 100 MB in a day. build/systemd sets the
 * same.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
const LOCK_POLL_MS = 500;
/** Age at which the lock's owner is presumed dead: an install takes about 30 s. */
const LOCK_STALE_MS = 15 * 60_000;
/** Age at which a lock without an owner is stale: the owner writes its name right after creating the lock. */
const LOCK_UNNAMED_MS = 10_000;

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
}

/** The project's own Node, or else the running one if it is new enough; undefined if neither. */
function findNode() {
  const manifest = readJson(join(MODULES, 'node', 'package.json'));
  const own = manifest && join(MODULES, 'node', manifest.bin.node);
  if (own && existsSync(own)) return own;
  return isNewEnough(process.versions.node) ? process.execPath : undefined;
}

/**
 * Whether the installed packages match the lock file. Compares contents, not times: a checkout touches the lock file
 * without changing it. Platform packages may be absent.
 */
function hasWhatTheLockSays() {
  const wanted = readJson(join(ROOT, 'package-lock.json'))?.packages;
  const present = readJson(join(MODULES, '.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    return found ? found.version === version : optional === true;
  });
}

const isInstalled = () => hasWhatTheLockSays() && findNode() !== undefined;

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** How many processes have owned the lock in turn: each leaves a file in it. */
function countOwners() {
  try {
    return readdirSync(INSTALL_LOCK).length;
  } catch {
    return 0;
  }
}

const ownerFile = (turn) => join(INSTALL_LOCK, `owner-${turn}.json`);

function isStale(owners) {
  const owner = readJson(ownerFile(owners - 1));
  const made = statSync(INSTALL_LOCK, { throwIfNoEntry: false });
  if (!made) return false;
  const ageMs = Date.now() - made.mtimeMs;
  if (!owner) return ageMs > LOCK_UNNAMED_MS;
  return ageMs > LOCK_STALE_MS || (owner.host === hostname() && !isAlive(owner.pid));
}

/** Owns the lock after so many others. Of several processes that find it stale, only one can create the file. */
function ownAfter(owners) {
  const text = JSON.stringify({ pid: process.pid, host: hostname() });
  try {
    writeFileSync(ownerFile(owners), text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
    return false;
  }
}

function tryLock() {
  mkdirSync(dirname(INSTALL_LOCK), { recursive: true });
  try {
    mkdirSync(INSTALL_LOCK);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const owners = countOwners();
    return isStale(owners) && ownAfter(owners);
  }
  return ownAfter(0);
}

/** Renames the lock before removing it, so that nobody takes over what is left of it meanwhile. */
function unlock() {
  const aside = `${INSTALL_LOCK}.${process.pid}`;
  try {
    renameSync(INSTALL_LOCK, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Another process takes it over once this one has ended.
  }
}

/** True when this process owns the lock; false when another one finished the install meanwhile. */
async function lockOrWait() {
  let told = false;
  while (!tryLock()) {
    if (!told) say('Another process is installing the packages; waiting for it.');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    if (!existsSync(INSTALL_LOCK) && isInstalled()) return false;
  }
  return true;
}

/** npm replaces node_modules while it runs, so it must not be run by the Node that lives there. */
function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(MODULES + sep))
    .join(delimiter);
  const outside = node && !node.startsWith(MODULES + sep) ? node : undefined;
  return npm && outside
    ? { file: outside, args: [npm], path, shell: false }
    : { file: 'npm', args: [], path, shell: process.platform === 'win32' };
}

function install() {
  // npm empties the folder that the link leads to, which others may be working with
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      'node_modules is a link to packages that do not match the lock file. Install them there, or remove the link.',
    );
  if (process.platform === 'win32' && process.execPath.startsWith(MODULES + sep))
    fail(
      'The packages are out of date, and Windows cannot replace the Node that is running this. Run: npm ci',
    );
  say('Installing the packages that package-lock.json names (npm ci, about half a minute) ...');
  const npm = npmCommand();
  const args = [...npm.args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, PATH: npm.path };
  // Standard output is kept for the script itself: it may print JSON that another program reads.
  const done = spawnSync(npm.file, args, { cwd: ROOT, env, shell: npm.shell, stdio: ['ignore', 2, 2] });
  if (done.error) fail(`npm cannot be started (${done.error.message}). Install npm and run this again.`);
  if (done.status !== 0)
    fail(`npm ci failed (exit code ${done.status ?? done.signal}); its message is above.`);
  if (!findNode())
    fail(
      'npm ci ran, but Node 24 is missing: npm skips install scripts here. Run: npm ci --ignore-scripts=false',
    );
}

async function ensureInstalled() {
  if (isInstalled() || !(await lockOrWait())) return;
  process.once('exit', unlock);
  if (!isInstalled()) install();
  // Later it may be that of another process
  process.off('exit', unlock);
  unlock();
}

/** The file of a program by its name: from the package with that name, or else from one that declares it. */
function findProgram(name) {
  const packages = readdirSync(MODULES).flatMap((entry) =>
    entry.startsWith('@') ? readdirSync(join(MODULES, entry)).map((scoped) => `${entry}/${scoped}`) : [entry],
  );
  for (const candidate of [name, ...packages]) {
    const manifest = readJson(join(MODULES, candidate, 'package.json'));
    const bin = manifest?.bin;
    const file = typeof bin === 'string' ? manifest.name === name && bin : bin?.[name];
    if (file) return join(MODULES, candidate, file);
  }
  return fail(`No installed package has a program named ${name}.`);
}

/** A terminal sends Ctrl+C to the whole process group, including the child: forwarding it would deliver it twice. */
const terminalSendsInterrupt = () =>
  [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);

/**
 * Builds the pages that the console of `run` shows, which a fresh checkout lacks. If this fails, the agent still works.
 */
function buildPages([command, ...options]) {
  const isWithout = options.some((each) => each === '--once' || each === '--json' || each === 'off');
  if (command !== 'run' || (isWithout && !options.includes('--console'))) return;
  spawnSync(findNode(), [join(ROOT, 'scripts', 'ensure-built.ts')], { cwd: ROOT, stdio: ['ignore', 2, 2] });
}

function run(file, args, flags = []) {
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` };
  env.UV_THREADPOOL_SIZE ??= FILE_THREADS;
  for (const [name, value] of Object.entries(ALLOCATOR)) env[name] ??= value;
  // Stripping types costs each thread some 20 MB and a tenth of a second; cached, that happens once instead of at every
  // start.
  env.NODE_COMPILE_CACHE ??= join(MODULES, '.cache', 'node');
  const child = spawn(findNode(), [...SAFE_FLAGS, ...flags, file, ...args], { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !terminalSendsInterrupt()) child.kill(signal);
    });
  child.on('error', (error) => fail(`${file} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

// The Node running this may be too old for the flag
process.on('SIGUSR1', () => undefined);
const [first, ...rest] = process.argv.slice(2);
if (first === undefined || (first === '--bin' && rest.length === 0))
  fail('Usage: node scripts/launch.mjs FILE [ARGS] | --bin NAME [ARGS] | --install');
await ensureInstalled();
if (first === '--bin') run(findProgram(rest[0]), rest.slice(1), PROGRAM_FLAGS);
else if (first !== '--install') {
  const file = join(ROOT, first);
  if (!existsSync(file)) fail(`There is no ${first} in this version.`);
  if (first === AGENT) buildPages(rest);
  run(file, rest, first === AGENT ? AGENT_FLAGS : []);
}
