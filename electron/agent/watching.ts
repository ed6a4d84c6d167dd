import { basename, dirname, join } from 'node:path';
import { settingsSchema, type WatchSettings } from '../../shared/domain/settings.ts';
import type { PushRequest } from './agent.ts';
import type { AgentEvents } from './events.ts';
import { rootIdOf } from './intake/identity.ts';
import type { IntakeRules } from './intake/intake-rules.ts';
import type { Intake } from './intake/intake.ts';
import type { Ports } from './ports.ts';
import type { Running } from './running.ts';
import { createClipCheck } from './watch/check-clip.ts';
import { createFolderWatcher, createRootWatcher } from './watch/watch-root.ts';

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function rulesOf(watch: WatchSettings): IntakeRules {
  const { profile, clockOffsetSeconds, timeZone } = watch;
  return { watch: { profile, clockOffsetSeconds, timeZone: timeZone ?? systemZone() } };
}

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

/**
 * Watches one export folder by the same rule. Inside a root of the settings it is the very export that watching
 * that root would find: same id, zone and profile.
 */
export function pushFolder(ports: Ports, events: AgentEvents, running: Running, request: PushRequest): void {
  const parent = dirname(request.folder);
  const root = running.roots.find(({ realPath }) => realPath === parent);
  const settings = root?.settings ?? defaultWatch(parent);
  const overrides = {
    ...(request.title === undefined ? {} : { title: request.title }),
    ...(request.description === undefined ? {} : { description: request.description }),
    ...(request.incidentAt === undefined ? {} : { incidentAtMs: Date.parse(request.incidentAt) }),
  };
  const common = watcherParts(ports, events, running, settings.path, { ...rulesOf(settings), overrides });
  const rootId = rootIdOf(running.deskId, settings.path);
  const path = join(settings.path, basename(request.folder));
  // What is known already is told again: the words on the command line may be new.
  const watcher = createFolderWatcher({
    ...common,
    known: () => new Map(),
    folder: { rootId, path, settings },
  });
  running.watchers.push(watcher);
  watcher.start();
}

function defaultWatch(path: string): WatchSettings {
  const [watch] = settingsSchema.parse({ baseUrl: 'https://unused.invalid', watch: [{ path }] }).watch;
  if (watch === undefined) throw new Error('A watch was given and not read');
  return watch;
}
