import { homedir } from 'node:os';
import { dirname, isAbsolute, relative, sep, join } from 'node:path';
import { fs, fsPromises } from './plain-fs.ts';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import { nestedUnits } from '../../../shared/domain/seen-export.ts';
import { settingsSchema, type WatchSettings } from '../../../shared/domain/settings.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { IntakeRules } from '../core/naming/described-export.ts';
import { takesLoose } from '../core/settle/split-units.ts';
import { noSiteRules, type SiteRules } from '../core/naming/recognisers.ts';
import { checkRoots, type RootFacts } from '../core/settings/check-roots.ts';
import type { Clock } from '../ports.ts';
import { z } from 'zod';
import type { AgentConfig } from '../settings/load-settings.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { systemZone } from '../system-clock.ts';

/** Longest wait for one folder, milliseconds: a hung share counts as missing here, and its watch reports the rest. */
const DEADLINE_MS = 5_000;

/** A root of the settings; `realPath` is its path without links. */
export interface WatchedRoot {
  readonly settings: WatchSettings;
  readonly realPath: string;
}

/** The roots in the settings with their real paths. A missing one may return; a forbidden one is a `FailureError`. */
export async function findRoots(
  watched: readonly WatchSettings[],
  dataDir: string,
  clock: Clock,
): Promise<readonly WatchedRoot[]> {
  const facts = await inspectRoots(
    watched.map(({ path }) => path),
    dataDir,
    clock,
  );
  for (const root of facts) if (!root.ok) throw new FailureError(root.error);
  return watched.map((settings, index) => {
    const found = facts[index];
    return {
      settings,
      realPath: (found?.ok === true ? found.value.realPath : undefined) ?? settings.path,
    };
  });
}

/** Judges each folder that is to be watched; a missing one is accepted, because it may come back. */
export async function inspectRoots(
  paths: readonly string[],
  dataDir: string,
  clock: Clock,
): Promise<readonly Result<RootFacts, Failure>[]> {
  const facts = await Promise.all(paths.map((path) => inTime(path, clock)));
  const platform = process.platform === 'win32' ? 'win32' : 'posix';
  return checkRoots(facts, { platform, dataDir, homeDir: homedir() });
}

async function inTime(path: string, clock: Clock): Promise<RootFacts> {
  const answered = new AbortController();
  const late = clock.sleep(DEADLINE_MS, answered.signal).then(
    () => ({ path }),
    () => ({ path }),
  );
  const facts = await Promise.race([factsOf(path), late]);
  answered.abort();
  return facts;
}

async function factsOf(path: string): Promise<RootFacts> {
  try {
    const [real, stats] = await Promise.all([fsPromises.realpath(path), fsPromises.lstat(path)]);
    return { path, realPath: real, isLink: stats.isSymbolicLink() };
  } catch {
    return { path };
  }
}

/** A folder that is sent once, as one incident, with details that override the folder's. */
export interface PushRequest {
  /** Absolute path of the export folder. */
  readonly folder: string;
  readonly title?: string;
  readonly description?: string;
  /** ISO 8601, UTC. */
  readonly incidentAt?: string;
  /** Files of unknown kinds and parts of projects are sent too. */
  readonly asEvidence?: boolean;
  /**
   * `folder` is a watched folder, and each file in it that is outside any other folder is sent as an incident. Or it is
   * the path of one incident without its own folder in a watched folder: then only that is sent.
   */
  readonly loose?: boolean;
  /** Programs that a person confirmed, by their paths inside the folder; sent where the folder's settings allow it. */
  readonly programs?: readonly string[];
}

/** Where a pushed folder belongs, and the rules by which it is read. */
export interface PushPlace {
  readonly settings: WatchSettings;
  /** Path of its root: that of the settings, or its parent. */
  readonly rootPath: string;
  /** Path inside the root, with slashes. */
  readonly exportPath: string;
  readonly rules: IntakeRules;
}

/** The watched folder whose loose files are sent, or that holds the one incident without its own folder (`only`). */
export function loosePlace(
  roots: readonly WatchedRoot[],
  folder: string,
  site?: SiteRules,
): PushPlace & { readonly only?: string } {
  const holder = roots.find((each) => isLooseIn(each, folder));
  if (holder !== undefined) {
    const { settings } = holder;
    const only = slashed(settings.path, folder);
    return { settings, rootPath: settings.path, exportPath: '', rules: rulesOf(settings, site), only };
  }
  const root = roots.find(({ realPath }) => realPath === folder);
  const settings = { ...(root?.settings ?? defaultWatch(folder)), unit: 'file' as const };
  return { settings, rootPath: settings.path, exportPath: '', rules: rulesOf(settings, site) };
}

/** Whether a path, as the list of exports gives it, can be an incident in this root without its own folder. */
export const isLooseIn = ({ settings }: WatchedRoot, path: string): boolean =>
  takesLoose(settings.unit) && isWithin(settings.path, path);

const slashed = (parent: string, path: string): string => relative(parent, path).split(sep).join('/');

/**
 * Inside a root of the settings, this is the place of the very export that watching that root would find: same ID, zone
 * and profile. `folder` is a real path.
 */
export function pushPlace(roots: readonly WatchedRoot[], folder: string, site?: SiteRules): PushPlace {
  const parent = dirname(folder);
  const root =
    roots.find(({ realPath }) => realPath === parent) ??
    roots.find(({ realPath, settings }) => nestedUnits.has(settings.unit) && isWithin(realPath, folder));
  const settings = root?.settings ?? defaultWatch(parent);
  const inRoot = slashed(root?.realPath ?? parent, folder);
  return { settings, rootPath: settings.path, exportPath: inRoot, rules: rulesOf(settings, site) };
}

function isWithin(parent: string, path: string): boolean {
  const inside = relative(parent, path);
  return inside !== '' && inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

/** The rules by which the exports of a root are read. */
export function rulesOf(watch: WatchSettings, site: SiteRules = noSiteRules): IntakeRules {
  const { profile, clockOffsetSeconds, timeZone, dateOrder, latitude, longitude } = watch;
  const patterns = site.patternsFor(watch.path);
  const findCamera = site.findCameraIn(watch.path);
  return {
    watch: {
      profile,
      clockOffsetSeconds,
      timeZone: timeZone ?? systemZone(),
      ...(dateOrder !== undefined && { dateOrder }),
      ...(latitude !== undefined && longitude !== undefined && { position: { latitude, longitude } }),
      ...(patterns.length > 0 && { patterns }),
      ...(findCamera && { findCamera }),
      ...(site.sendsFileTimes && { sendsFileTimes: true }),
    },
    extraFiles: { kinds: new Set(watch.alsoSend), patterns },
  };
}

function defaultWatch(path: string): WatchSettings {
  const [watch] = settingsSchema.parse({ watch: [{ path }] }).watch;
  if (watch === undefined) throw new Error('A watched folder was specified but not read');
  return watch;
}

const PUSHED_FILE = 'pushed-roots.json';
/** Most folders that are remembered; a person pushes from few. */
const MOST_PUSHED = 1_000;
const pushedSchema = z.array(z.string());

/** The folders that files may be sent from; the root in each queue row is checked against them. */
interface KnownRoots {
  /** Why nothing below this folder may be opened; undefined if it may. */
  refusal(rootPath: string): Failure | undefined;
  /** Remembers a folder that a person pushes from, so that sending continues after a restart. */
  add(rootPath: string): void;
}

/**
 * The roots of the settings, and the folder that the program makes thumbnails in. Folders that somebody pushed from are
 * kept in a separate file: a row of the queue alone cannot add one.
 */
export function createKnownRoots(
  { dataDir, settings }: Pick<AgentConfig, 'dataDir' | 'settings'>,
  ownFolder: string,
): KnownRoots {
  const configured = [...settings.watch.map(({ path }) => path), ownFolder];
  const file = join(dataDir, PUSHED_FILE);
  const pushed = readPushed(file);
  return {
    refusal(rootPath) {
      return configured.includes(rootPath) || pushed.has(rootPath) ? undefined : notKnown(rootPath);
    },
    add(rootPath) {
      if (configured.includes(rootPath) || pushed.has(rootPath)) return;
      pushed.add(rootPath);
      // Killed in the middle of a write, the agent would forget all of them
      const part = `${file}.part`;
      fs.writeFileSync(part, JSON.stringify([...pushed].slice(-MOST_PUSHED)), { mode: 0o600, flush: true });
      fs.renameSync(part, file);
    },
  };
}

function readPushed(file: string): Set<string> {
  try {
    return new Set(pushedSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8'))));
  } catch {
    // Missing or damaged: whatever was pushed must be pushed again
    return new Set();
  }
}

const notKnown = (rootPath: string): Failure => ({
  code: 'ROOT_FORBIDDEN',
  message: `Nothing in ${visibleName(rootPath)} is opened or sent: it is not a watched folder.`,
  advice:
    'Add the folder to the watched folders, or send the export again; waiting clips are then sent automatically. If nobody removed the folder, the queue database may have been tampered with.',
  retryable: false,
});
