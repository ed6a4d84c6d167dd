import { join } from 'node:path';
import type { WatchSettings } from '../../shared/domain/settings.ts';
import type { PushRequest } from './agent.ts';
import type { AgentEvents } from './events.ts';
import { rootIdOf } from './intake/identity.ts';
import type { IntakeRules } from './intake/intake-rules.ts';
import type { Intake } from './intake/intake.ts';
import { pushPlace, rulesOf } from './intake/push-place.ts';
import type { Clock, Ports } from './ports.ts';
import type { Running } from './running.ts';
import { createClipCheck } from './files/containers/check-clip.ts';
import { createFolderWatcher, createRootWatcher } from './watch/watch-root.ts';
import type { Watcher } from './watch/watch-types.ts';

/** What every watcher of this agent shares. */
function watcherParts(
  ports: Ports,
  events: AgentEvents,
  running: Running,
  rootPath: string,
  rules: IntakeRules,
) {
  const gate = running.gates.of(rootPath);
  const { clock, logger } = ports;
  return {
    clock,
    logger,
    events,
    gate,
    isComplete: createClipCheck(gate, rootPath),
    onOnline: () => running.uploading.wakeRoot(rootIdOf(running.deskId, rootPath)),
    onExport: (snapshot: Parameters<Intake['take']>[0]) =>
      running.intake.take(snapshot, rules, running.stopping.signal),
    known: (ref: Parameters<Intake['take']>[0]['ref']) =>
      new Map(running.tables.clips.ofExport(ref.rootId, ref.exportPath).map((row) => [row.path, row])),
  };
}

/** Watches a root of the settings. */
export function watchRoot(
  ports: Ports,
  events: AgentEvents,
  running: Running,
  settings: WatchSettings,
): void {
  const id = rootIdOf(running.deskId, settings.path);
  const common = watcherParts(ports, events, running, settings.path, rulesOf(settings));
  const watcher = createRootWatcher({ ...common, root: { id, path: settings.path, settings } });
  running.watchers.push(watcher);
  running.watchedPaths.push({ path: settings.path, watcher });
  watcher.start();
}

/** Watches one export folder by the same rule, until it has settled and nothing of it is left to wait for. */
export function pushFolder(ports: Ports, events: AgentEvents, running: Running, request: PushRequest): void {
  const { settings, rootPath, exportPath, rules } = pushPlace(running.roots, request.folder);
  const overrides = {
    ...(request.title === undefined ? {} : { title: request.title }),
    ...(request.description === undefined ? {} : { description: request.description }),
    ...(request.incidentAt === undefined ? {} : { incidentAtMs: Date.parse(request.incidentAt) }),
  };
  const common = watcherParts(ports, events, running, rootPath, { ...rules, overrides });
  const rootId = rootIdOf(running.deskId, rootPath);
  const path = join(rootPath, exportPath);
  // What is known already is told again: the words on the command line may be new.
  const watcher = createFolderWatcher({
    ...common,
    known: () => new Map(),
    folder: { rootId, path, settings },
  });
  running.watchers.push(watcher);
  watcher.start();
  endWhenSettled(ports.clock, running, watcher).catch((error: unknown) => {
    if (!running.stopping.signal.aborted)
      ports.logger.error('A pushed folder is watched on', { path, error });
  });
}

/** How often a pushed folder is asked whether it has settled, milliseconds: events of its files come within this time. */
const SETTLED_LOOK_MS = 1_000;

/**
 * Ends the watcher of a pushed folder once it has settled, and takes it from those that run. A file that is held may
 * still be put right, so its folder is watched on. Rejects when the agent stops before.
 */
export async function endWhenSettled(
  clock: Pick<Clock, 'sleep'>,
  running: Pick<Running, 'watchers' | 'stopping'>,
  watcher: Watcher,
): Promise<void> {
  let quietLooks = 0;
  while (quietLooks < 2) {
    await clock.sleep(SETTLED_LOOK_MS, running.stopping.signal);
    const { idle, held } = watcher.state();
    quietLooks = idle && held === 0 ? quietLooks + 1 : 0;
  }
  await watcher.stop();
  running.watchers.splice(running.watchers.indexOf(watcher), 1);
}
