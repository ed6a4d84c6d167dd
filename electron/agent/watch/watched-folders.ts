import { join } from 'node:path';
import type { RootId } from '../../../shared/domain/ids.ts';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import { extraFileRules } from '../core/naming/account-files.ts';
import type { IntakeRules } from '../core/naming/described-export.ts';
import type { ExportRef, ExportSnapshot } from '../core/settle/file-seen.ts';
import { AgentEvents } from '../events.ts';
import { createClipCheck, createClosedCheck } from '../files/containers/check-clip.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { SiteRules } from '../core/naming/recognisers.ts';
import { loosePlace, pushPlace, rulesOf, type PushRequest, type WatchedRoot } from '../files/watched-root.ts';
import type { Clock, Logger } from '../ports.ts';
import { incidentOf } from '../store/incident-rows.ts';
import { knownFiles } from '../store/sent-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { StandingListener } from './export-standing.ts';
import { createFolderWatcher, createRootWatcher } from './root-watcher.ts';
import { createEarlyEnds, type EarlyEnds } from './early-end.ts';
import type { GrowthListener, Watcher } from './watcher.ts';

/** How often to check whether a pushed folder has settled, milliseconds: its events arrive within this time. */
const SETTLED_CHECK_MS = 1_000;
/** Most clips of one export that failed as gone and are looked for among its files. */
const MOST_GONE = 1_000;

interface Deps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly gates: RootGates;
  readonly tables: Pick<Tables, 'clips' | 'sent' | 'incidents' | 'earlyEnds' | 'write'>;
  readonly roots: readonly WatchedRoot[];
  readonly rootIdOf: (rootPath: string) => RootId;
  /** The desk's rules for names. */
  readonly site?: SiteRules;
  /** Queues what has settled. When it rejects, the same export is handed over again. */
  readonly takeIn: (snapshot: ExportSnapshot, rules: IntakeRules) => Promise<'more' | undefined>;
  /** Tracks what is not completely in the queue. */
  readonly seen?: StandingListener & { pushed(rootId: string, exportPath: string): void };
  /** Sends clips while they are still being written. */
  readonly growth?: GrowthListener;
  /** A root that was away has been scanned whole again. */
  readonly onRootBack: (rootId: RootId) => Promise<void>;
  /** Called when a person sends a folder from this root. */
  readonly onPush?: (rootPath: string) => void;
  /** Aborted when the agent stops. */
  readonly stopping: AbortSignal;
}

/** A root of the settings with its watcher. */
export interface WatchedPath {
  readonly id: RootId;
  /** As the settings name it, absolute. */
  readonly path: string;
  readonly watcher: Pick<Watcher, 'state'>;
  readonly earlyEnds: Pick<EarlyEnds, 'inFull'>;
}

/** The watchers of one agent: the roots of its settings, and folders that were pushed. */
export interface WatchedFolders {
  /** Watches a root of the settings. */
  watchRoot(settings: WatchSettings): void;
  /** Watches one export folder in the same way, until it has settled and nothing in it is held back. */
  push(request: PushRequest): void;
  /** The roots of the settings, without pushed folders. */
  readonly roots: readonly WatchedPath[];
  /** All running watchers, including those of pushed folders. */
  readonly watchers: readonly Watcher[];
  stop(): Promise<void>;
}

/** Makes the set; nothing is watched yet. */
export function createWatchedFolders(deps: Deps): WatchedFolders {
  const { clock, logger, events, gates, tables, stopping } = deps;
  const watchers: Watcher[] = [];
  const roots: WatchedPath[] = [];
  const rescans = new Map<string, () => void>();

  function optionsFor(rootPath: string, rules: IntakeRules) {
    const gate = gates.of(rootPath);
    const earlyEnds = createEarlyEnds(tables, clock, deps.rootIdOf(rootPath));
    return {
      clock,
      logger,
      events,
      gate,
      isComplete: createClipCheck(gate, rootPath),
      isClosed: createClosedCheck(gate, rootPath, earlyEnds.isTrusted),
      earlyEnds,
      onOnline: () => deps.onRootBack(deps.rootIdOf(rootPath)),
      onExport: (snapshot: ExportSnapshot) => deps.takeIn(snapshot, rules),
      ...(rules.extraFiles && { extraFiles: rules.extraFiles }),
      standings: deps.seen,
      growth: deps.growth,
      gonePaths: (ref: ExportRef) => {
        const incident = incidentOf(tables, ref);
        return incident === undefined ? [] : tables.clips.gonePaths(incident.id, MOST_GONE);
      },
    };
  }

  function start(watcher: Watcher): Watcher {
    watchers.push(watcher);
    watcher.start();
    return watcher;
  }

  const isTaken = (rootId: string, name: string): boolean =>
    tables.incidents.inFolder(rootId, name)?.folderGone === 0;

  const rescan = (rootPath: string): void => rescans.get(rootPath)?.();

  return {
    roots,
    watchers,
    watchRoot(settings) {
      const options = optionsFor(settings.path, rulesOf(settings, deps.site));
      const watcher = createRootWatcher({
        ...options,
        rules: rulesOf(settings, deps.site).watch,
        isTaken,
        known: (ref) => knownFiles(tables, ref),
        root: { id: deps.rootIdOf(settings.path), path: settings.path, settings },
      });
      const { earlyEnds } = options;
      rescans.set(settings.path, () => watcher.requestRescan());
      const id = deps.rootIdOf(settings.path);
      roots.push({ id, path: settings.path, watcher: start(watcher), earlyEnds });
    },
    push(request) {
      const isLoose = request.loose === true;
      const placeOf = isLoose ? loosePlace : pushPlace;
      const place: ReturnType<typeof loosePlace> = placeOf(deps.roots, request.folder, deps.site);
      const { settings, rootPath, exportPath, rules, only } = place;
      deps.onPush?.(rootPath);
      const path = join(rootPath, only ?? exportPath);
      const isInRoot = deps.roots.some((root) => root.settings.path === rootPath);
      if (!isInRoot) deps.seen?.pushed(deps.rootIdOf(rootPath), exportPath);
      const options = optionsFor(rootPath, {
        ...rules,
        extraFiles: extraFileRules(rules.extraFiles, request),
        overrides: overridesOf(request),
      });
      const watcher = start(
        createFolderWatcher({
          ...options,
          rules: rules.watch,
          ...(only !== undefined && { isTaken, ...onlyOf(only, options) }),
          // Files that are already known are reported again: the details on the command line may be new
          known: (ref) => (isLoose ? knownFiles(tables, ref) : new Map()),
          // One folder is one incident, however its root is divided
          folder: {
            rootId: deps.rootIdOf(rootPath),
            rootPath,
            exportPath,
            settings: isLoose ? settings : { ...settings, unit: 'folder' },
          },
        }),
      );
      const ended = endWhenSettled(clock, watchers, watcher, stopping, only === undefined);
      // The root's own watch still reports its loose files as not sent
      if (isLoose)
        ended.then(
          () => rescan(rootPath),
          () => undefined,
        );
      ended.catch((error: unknown) => {
        if (!stopping.aborted) logger.error('Watching a pushed folder could not be ended', { path, error });
      });
    },
    async stop() {
      await Promise.all(watchers.map((watcher) => watcher.stop()));
    },
  };
}

/** Limits a watcher to one incident of a root that is watched already; the root's own watcher handles the rest. */
function onlyOf(
  exportPath: string,
  { events, onExport }: Pick<Parameters<typeof createFolderWatcher>[0], 'events' | 'onExport'>,
) {
  const own = new AgentEvents();
  own.on((event) => {
    if (event.event !== 'file.held' || event.folder === exportPath) events.emit(event);
  });
  return {
    events: own,
    onExport: (snapshot: ExportSnapshot) =>
      snapshot.ref.exportPath === exportPath ? onExport(snapshot) : Promise.resolve(undefined),
    growth: undefined,
  };
}

function overridesOf({ title, description, incidentAt }: PushRequest): NonNullable<IntakeRules['overrides']> {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(incidentAt !== undefined && { incidentAtMs: Date.parse(incidentAt) }),
  };
}

/**
 * Stops the watcher of a pushed folder once it has settled, and takes it off the list. A file that is held back may
 * still be fixed, so its folder stays watched, unless another watcher watches it (`waitsForHeld`). Rejects when the
 * agent stops first.
 */
export async function endWhenSettled(
  clock: Pick<Clock, 'sleep'>,
  watchers: Watcher[],
  watcher: Watcher,
  stopping: AbortSignal,
  waitsForHeld = true,
): Promise<void> {
  let quietChecks = 0;
  while (quietChecks < 2) {
    await clock.sleep(SETTLED_CHECK_MS, stopping);
    const { idle, held } = watcher.state();
    quietChecks = idle && (held === 0 || !waitsForHeld) ? quietChecks + 1 : 0;
  }
  await watcher.stop();
  watchers.splice(watchers.indexOf(watcher), 1);
}
