import { posix } from 'node:path';
import type { SourceFacts } from './source-facts.ts';

/** The folders and packages that the files of a folder (or a single file) may import. */
interface Room {
  readonly path: string;
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Node's own modules; `http` must be allowed explicitly, as only a few may use it. */
  readonly node: 'none' | 'all but http' | 'all';
}

/**
 * The parts of the agent that the command line may use: its public API, pure code, and what a host provides: clock,
 * settings, log.
 */
const OPEN_TO_CLI = [
  'electron/agent/index.ts',
  'electron/agent/system-clock.ts',
  'electron/agent/core',
  'electron/agent/settings',
  'electron/agent/log',
  'electron/agent/calls',
];

const AGENT_PACKAGES = ['zod', 'uuid', '@internationalized/date'];
const HOST = ['shared', 'electron/agent/index.ts'];
/** The part of the console that the desktop app shares: the built pages as files, with their headers. */
const PAGES = ['electron/console/page-files.ts'];

/** Packages of the agent's rooms beyond those that every room may use, and whether a room may use HTTP. */
const AGENT_EXTRAS: Readonly<Record<string, { packages?: readonly string[]; node?: Room['node'] }>> = {
  service: {
    packages: [
      ...AGENT_PACKAGES,
      'got',
      'file-type',
      'ipaddr.js',
      '@opentelemetry/api',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
    ],
    node: 'all',
  },
  calls: { packages: [...AGENT_PACKAGES, 'file-type'] },
  store: { packages: ['better-sqlite3', 'zod'] },
  watch: { packages: [...AGENT_PACKAGES, 'chokidar'] },
  files: { packages: [...AGENT_PACKAGES, 'mediainfo.js'] },
  evidence: { packages: [...AGENT_PACKAGES, 'asn1js', 'pkijs'] },
};

/**
 * The agent's floors from the bottom up. A room imports its own files, `shared`, and the rooms of lower floors, never a
 * room of its own floor: stages meet in the store, through rows and the jobs that follow from them. Type imports count.
 */
export const agentFloors: readonly (readonly string[])[] = [
  ['core'],
  ['ports.ts', 'events.ts', 'system-errors.ts'],
  ['system-clock.ts', 'log', 'settings'],
  ['files', 'service', 'store'],
  ['queue'],
  ['watch', 'intake', 'upload', 'record', 'thumbnails', 'evidence'],
  ['calls'],
  ['agent.ts', 'harden.ts', 'try-workers.ts'],
  ['wake-up.ts', 'metrics-file.ts', 'follow-schedule.ts', 'follow-policy.ts'],
  ['agent-lifecycle.ts'],
  ['create-agent.ts'],
  ['index.ts'],
];

/** The purpose of each room of the product: docs/architecture.md is generated from these lines and the floors. */
export const purposes: Readonly<Record<string, string>> = {
  shared: "the product's words, the service's wire format, the contract of the windows; no Node, no DOM",
  core: 'pure decisions: names, times, parts, records, settling, what a failure means',
  log: 'log lines without secrets',
  settings: "settings from a file, under the organisation's policy; the key file",
  files: 'evidence files, opened safely on shares that may hang; hashing, containers',
  service: 'the only HTTP: client, resources, signed PUT, proxy',
  store: 'the only SQL: a `*-rows.ts` for each table, and migrations',
  queue: 'jobs as rows, their runner, circuits, group commit',
  watch: 'watched roots: hints from the system, scans are authoritative, settling',
  intake: 'turns a settled export into an incident, clips and jobs',
  upload: 'clips and thumbnails to storage, whole or in parts',
  record: 'the incident in the service: GET, then PUT; aborted uploads',
  thumbnails: 'thumbnails made from clips that have none',
  evidence: "the chain, the desk's key, custody packs and their checks",
  calls: 'what the windows may ask: one file per subject, with handlers, audit and changes',
  'create-agent.ts': 'the composition root',
  'electron/cli': 'the command line: one file per command',
  'electron/console': 'the web console on 127.0.0.1, and the pages as files',
  'electron/desktop': 'the Electron app: window, security, keys, tray, updates, quitting',
  renderer: 'the pages: `features/` with one folder per screen, `ui/`, `stores/`, `bridge/`',
};

function agentRooms(): readonly Room[] {
  const place = (name: string): string => `electron/agent/${name}`;
  return agentFloors.flatMap((floor, height) => {
    const below = agentFloors.slice(0, height).flat().map(place);
    return floor.map((name): Room => {
      const folders = ['shared', place(name), ...below];
      if (name === 'core')
        return {
          path: place(name),
          folders,
          packages: ['@internationalized/date', 'uuid', 're2js', 'papaparse'],
          node: 'none',
        };
      const { packages = AGENT_PACKAGES, node = 'all but http' } = AGENT_EXTRAS[name] ?? {};
      return { path: place(name), folders, packages, node };
    });
  });
}

/** The longest matching path decides. A file that matches none is a mistake: it belongs to no room. */
const rooms: readonly Room[] = [
  { path: 'shared', folders: ['shared'], packages: ['i18next', 'papaparse', 'zod'], node: 'none' },
  ...agentRooms(),
  {
    path: 'electron/cli',
    folders: ['shared', 'electron/cli', ...OPEN_TO_CLI],
    packages: [],
    node: 'all but http',
  },
  {
    path: 'electron/headless.ts',
    folders: ['electron/headless-program.ts', 'package.json'],
    packages: [],
    node: 'none',
  },
  {
    // An entry wires a host together and passes in what the command line may not import itself.
    path: 'electron/headless-program.ts',
    folders: ['shared', 'electron/agent', 'electron/cli', 'electron/console', 'package.json'],
    packages: [],
    node: 'all but http',
  },
  ...PAGES.map((path) => ({
    path,
    folders: ['shared', ...PAGES],
    packages: [],
    node: 'all but http' as const,
  })),
  {
    path: 'electron/console',
    folders: [...HOST, 'electron/console'],
    packages: ['zod'],
    node: 'all',
  },
  {
    path: 'electron/desktop',
    folders: [...HOST, ...PAGES, 'electron/desktop'],
    packages: ['electron', 'electron-updater', 'zod'],
    node: 'all but http',
  },
  {
    path: 'electron/main.ts',
    folders: [...HOST, 'electron/desktop'],
    packages: ['electron'],
    node: 'all but http',
  },
  { path: 'electron/preload.ts', folders: ['shared'], packages: ['electron'], node: 'none' },
  {
    path: 'scripts',
    // The native module's checksum and the update key are the same for the program and for its packaging
    folders: [
      'scripts',
      'test',
      'shared',
      'package.json',
      '.oxfmtrc.json',
      'electron/desktop/security/native-module.ts',
      'electron/desktop/updates/update-key.ts',
      // The program's self-test and the tests from outside share one table
      'electron/desktop/self-test/self-test-table.ts',
      // docs/commands.md is generated from the program's help
      'electron/cli/commands.ts',
      'electron/cli/run-cli.ts',
    ],
    packages: ['*'],
    node: 'all',
  },
  {
    path: 'test',
    folders: ['shared', 'electron', 'renderer', 'scripts', 'test'],
    packages: ['*'],
    node: 'all',
  },
];

const HTTP_MODULES = new Set(['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls']);

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function roomOf(path: string): Room | undefined {
  const fitting = rooms.filter((room) => isWithin(path, room.path));
  return fitting.toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** `got/dist/x` and `@scope/name/x` belong to the packages `got` and `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Each feature of the renderer is a room of its own: features never import one another. */
function isAllowedInRenderer(path: string, target: string): boolean {
  const feature = /^renderer\/features\/[^/]+/.exec(path)?.[0];
  if (isWithin(target, 'renderer/features')) return feature === undefined || isWithin(target, feature);
  return isWithin(target, 'renderer') || isWithin(target, 'shared');
}

function isAllowed(path: string, room: Room | undefined, specifier: string): boolean {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    if (isWithin(path, 'renderer')) return isAllowedInRenderer(path, target);
    return room !== undefined && room.folders.some((folder) => isWithin(target, folder));
  }
  if (isWithin(path, 'renderer'))
    return !specifier.startsWith('node:') && packageOf(specifier) !== 'electron';
  if (room === undefined) return false;
  if (specifier.startsWith('node:'))
    return room.node === 'all' || (room.node === 'all but http' && !HTTP_MODULES.has(specifier));
  return room.packages.includes('*') || room.packages.includes(packageOf(specifier));
}

/** One line for each import that the file's room does not allow. */
export function forbiddenImports(file: SourceFacts): readonly string[] {
  const room = roomOf(file.path);
  return file.imports
    .filter((specifier) => !isAllowed(file.path, room, specifier))
    .map((specifier) => `${file.path} imports ${specifier}`);
}
