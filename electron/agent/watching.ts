import { join } from 'node:path';
import type { WatchSettings } from '../../shared/domain/settings.ts';
import type { PushRequest } from './agent.ts';
import type { AgentEvents } from './events.ts';
import { rootIdOf } from './intake/identity.ts';
import type { IntakeRules } from './intake/intake-rules.ts';
import type { Intake } from './intake/intake.ts';
import { pushPlace, rulesOf } from './intake/push-place.ts';
import type { Ports } from './ports.ts';
import type { Running } from './running.ts';
import { createClipCheck } from './watch/check-clip.ts';
import { createFolderWatcher, createRootWatcher } from './watch/watch-root.ts';

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

/** Watches one export folder by the same rule. */
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
}
