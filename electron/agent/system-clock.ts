import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { isTimeZone } from './core/times/zoned-time.ts';
import type { Clock } from './ports.ts';

/** Longest single timer of Node, milliseconds: a longer one would fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The real clock: the one place that reads time and randomness. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: sleepFor,
    after: callAfter,
    random: () => Math.random(),
  };
}

function callAfter(delayMs: number, work: () => void): () => void {
  if (delayMs > LONGEST_TIMER_MS) throw new RangeError(`A timer cannot wait ${delayMs} ms`);
  const timer = setTimeout(work, Math.max(0, delayMs));
  return () => clearTimeout(timer);
}

async function sleepFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let leftMs = Math.max(0, delayMs);
  try {
    do {
      const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
      await delay(stepMs, undefined, signal ? { signal } : {});
      leftMs -= stepMs;
    } while (leftMs > 0);
  } catch (error) {
    // Node rejects with an AbortError of its own; the port promises the signal's reason
    signal?.throwIfAborted();
    throw error;
  }
}

/** IANA name of the time zone of this PC. */
export function systemZone(): string {
  const name: unknown = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Node gives no name, or "Etc/Unknown", for a zone that it does not know, and uses UTC
  return typeof name === 'string' && isTimeZone(name) ? name : 'UTC';
}

/**
 * Sets `TZ` to a name that Node knows, before any time is read: with a path or a rule, which other programs accept,
 * Node would silently read the times in names as UTC. Returns a warning about a value that is ignored.
 */
export function settleTimeZone(environment: NodeJS.ProcessEnv): string | undefined {
  const given = environment['TZ'];
  if (given === undefined) return undefined;
  const name =
    given === '' || given === 'UTC0' ? 'UTC' : given.replace(/^:?(?:.*\/zoneinfo\/)?(?:posix\/)?/, '');
  if (isTimeZone(name)) {
    // Node treats a name in the wrong letter case as UTC
    environment['TZ'] = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return undefined;
  }
  delete environment['TZ'];
  return name === '/etc/localtime'
    ? undefined
    : `The environment variable TZ (${visibleName(given)}) is not the name of a time zone, such as Europe/London, and is ignored. The time zone of this PC is used: ${systemZone()}.`;
}
