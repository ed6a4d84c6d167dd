/** Least wait before a retry, milliseconds: a fault that lasts a moment is over by then. */
export const MIN_RETRY_DELAY_MS = 1_000;
/** Longest wait, milliseconds (15 min): a service that comes back is noticed within a coffee break. */
export const MAX_RETRY_DELAY_MS = 15 * 60 * 1_000;
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * How long to wait after the `failures`th failure in a row (1 for the first): drawn evenly between 1 s and
 * 2, 4, 8 ... s, at most 15 min, and never less than the other side asked for. `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, random: number, retryAfterMs = 0): number {
  const ceilingMs = Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** Math.max(1, failures));
  const drawnMs = MIN_RETRY_DELAY_MS + random * (ceilingMs - MIN_RETRY_DELAY_MS);
  return Math.round(Math.max(drawnMs, Math.min(retryAfterMs, MAX_RETRY_DELAY_MS)));
}

/**
 * `Retry-After` in milliseconds, seconds or date form (service.md gap 26); at most 15 min. Undefined for anything
 * else. A date is compared with `nowMs`, which is on the other side's clock when its `Date` header is known.
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (/^\d+$/.test(trimmed)) return Math.min(Number(trimmed) * 1000, MAX_RETRY_DELAY_MS);
  if (!HTTP_DATE.test(trimmed)) return undefined;
  const atMs = Date.parse(trimmed.endsWith('GMT') ? trimmed : `${trimmed} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(0, atMs - nowMs), MAX_RETRY_DELAY_MS);
}
