import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
/** How long to wait for a fact before giving up, milliseconds: generous, as the machine may be busy. */
const GIVE_UP_MS = 45_000;

/** Waits until `fact` returns something truthy; rejects with `what` when it does not in time. */
export async function eventually<T>(
  fact: () => T | Promise<T>,
  what = 'the fact',
  timeoutMs = GIVE_UP_MS,
): Promise<T> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const answer = await fact();
    if (answer) return answer;
    if (performance.now() > untilMs) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
