import { posix } from 'node:path';
import type { SourceFacts } from './source-facts.ts';

/** Which folders and packages the files of a folder (or one file) may import. */
interface Room {
  readonly path: string;
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Node's own modules; `http` needs to be named, it belongs to few. */
  readonly node: 'none' | 'all but http' | 'all';
}

/** What the command line may use of the agent: its face, what is pure, and what a host brings: clock, settings, log. */
const OPEN_TO_CLI = [
  'electron/agent/index.ts',
  'electron/agent/system-clock.ts',
  'electron/agent/core',
  'electron/agent/settings',
  'electron/agent/log',
  'electron/agent/calls',
];

const AGENT = ['shared', 'electron/agent'];
const AGENT_PACKAGES = ['zod', 'uuid', '@internationalized/date'];
const HOST = ['shared', 'electron/agent/index.ts'];
/** What the console shares with the shell: the built pages as files, and the headers that go with them. */
const PAGES = ['electron/console/find-asset.ts', 'electron/console/security-headers.ts'];

/** The longest path that fits a file decides. A file that fits none is a mistake: it stands in no room. */
const rooms: readonly Room[] = [
  { path: 'shared', folders: ['shared'], packages: ['zod'], node: 'none' },
  { path: 'electron/agent', folders: AGENT, packages: AGENT_PACKAGES, node: 'all but http' },
  {
    path: 'electron/agent/core',
    folders: ['shared', 'electron/agent/core'],
    packages: ['@internationalized/date'],
    node: 'none',
  },
  {
    path: 'electron/agent/service',
    folders: AGENT,
    packages: [...AGENT_PACKAGES, 'got', 'file-type'],
    node: 'all',
  },
  {
    path: 'electron/agent/calls',
    folders: AGENT,
    packages: [...AGENT_PACKAGES, 'file-type'],
    node: 'all but http',
  },
  { path: 'electron/agent/store', folders: AGENT, packages: ['better-sqlite3', 'zod'], node: 'all but http' },
  {
    path: 'electron/agent/watch',
    folders: AGENT,
    packages: [...AGENT_PACKAGES, 'chokidar'],
    node: 'all but http',
  },
  {
    path: 'electron/agent/files/containers',
    folders: AGENT,
    packages: [...AGENT_PACKAGES, 'mediainfo.js'],
    node: 'all but http',
  },
  {
    path: 'electron/cli',
    folders: ['shared', 'electron/cli', ...OPEN_TO_CLI],
    packages: ['papaparse'],
    node: 'all but http',
  },
  {
    // An entry wires a host together: what the command line may not import itself is handed to it here.
    path: 'electron/headless.ts',
    folders: [...AGENT, 'electron/cli', 'electron/console', 'package.json'],
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
    path: 'electron/shell',
    folders: [...HOST, ...PAGES, 'electron/shell'],
    packages: ['electron', 'electron-updater', 'zod'],
    node: 'all but http',
  },
  {
    path: 'electron/main.ts',
    folders: [...HOST, 'electron/shell'],
    packages: ['electron'],
    node: 'all but http',
  },
  { path: 'electron/preload.ts', folders: ['shared'], packages: ['electron'], node: 'none' },
  {
    path: 'scripts',
    // The sum that the program makes of its native module is the one that the look at a package makes
    folders: ['scripts', 'test', 'shared', 'package.json', 'electron/shell/native-digest.ts'],
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

/** The renderer is a room for each feature: features never import one another. */
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

/** One line for each import that its room may not have. */
export function forbiddenImports(file: SourceFacts): readonly string[] {
  const room = roomOf(file.path);
  return file.imports
    .filter((specifier) => !isAllowed(file.path, room, specifier))
    .map((specifier) => `${file.path} imports ${specifier}`);
}
