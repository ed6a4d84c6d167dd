import type { Failure, FailureCode } from '../../shared/domain/failure.ts';
import type { AgentEvents } from './events.ts';
import type { LanePause } from './queue/lanes.ts';
import type { Clock } from './ports.ts';
import type { Running } from './running.ts';

/** How often a run that is to end looks whether it may, milliseconds. */
const IDLE_LOOK_MS = 100;

/** Pauses in a row after which a side counts as out of reach for a run that is to end: some ten seconds. */
const UNREACHABLE_AFTER_PAUSES = 4;

const setupTrouble: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'KEY_REFUSED',
  'KEY_MISSING',
  'KEY_STORE',
  'NOT_SET_UP',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'PERMISSION_MISSING',
  'VIDEO_PERMISSION_MISSING',
  'PROXY_AUTH',
  'CONFIG_PROXY',
]);

/** Why a run that is to end by itself should not wait any longer; undefined while waiting makes sense. */
function hopeless(pauses: readonly LanePause[]): Failure | undefined {
  const refused = pauses.find((pause) => setupTrouble.has(pause.failure.code));
  if (refused !== undefined) return refused.failure;
  return pauses.find((pause) => pause.times >= UNREACHABLE_AFTER_PAUSES)?.failure;
}

/** Resolves when all is done, or with the reason why waiting makes no sense; rejects with the signal's reason. */
export async function untilIdle(
  clock: Clock,
  events: AgentEvents,
  current: () => Running,
  signal: AbortSignal | undefined,
): Promise<Failure | undefined> {
  let rootTrouble: Failure | undefined;
  const unsubscribe = events.on((event) => {
    if (event.event !== 'root.offline') return;
    const { code, message } = event;
    rootTrouble = { code, message, advice: 'Check the path in the configuration.', retryable: true };
  });
  try {
    for (;;) {
      const { uploading, watchers } = current();
      const trouble = hopeless(uploading.lanes.pauses());
      if (trouble !== undefined) return trouble;
      const isOffline = watchers.some((watcher) => !watcher.state().online);
      if (isOffline && rootTrouble !== undefined) return rootTrouble;
      const isQuiet = watchers.every((watcher) => watcher.state().idle);
      if (isQuiet && uploading.runner.active() === 0 && uploading.openJobs() === 0) return undefined;
      await clock.sleep(IDLE_LOOK_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}
