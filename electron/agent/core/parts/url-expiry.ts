/** Lifetime of a signed URL that does not say how long it lives, milliseconds (service.md gap 7: 3,600 s). */
export const UNKNOWN_LIFETIME_MS = 3_600_000;
/** Longest lifetime that is believed, seconds: S3 signs for at most 7 days. */
const MAX_LIFETIME_SECONDS = 604_800;
const AMZ_DATE = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

/**
 * When a signed URL lapses, milliseconds since 1970 on the service's clock (service.md gaps 7 and 27).
 * `receivedAtMs` is when it was received, on that same clock; it counts only where the URL tells nothing usable.
 */
export function signedUrlExpiresAt(url: URL, receivedAtMs: number): number {
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  return amazonExpiry(query) ?? plainExpiry(query.get('expires')) ?? receivedAtMs + UNKNOWN_LIFETIME_MS;
}

function amazonExpiry(query: ReadonlyMap<string, string>): number | undefined {
  const lifetimeSeconds = wholeNumber(query.get('x-amz-expires'));
  const date = AMZ_DATE.exec(query.get('x-amz-date') ?? '');
  if (lifetimeSeconds === undefined || date === null) return undefined;
  const [, year, month, day, hour, minute, second] = date;
  const signedAtMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(signedAtMs)) return undefined;
  return signedAtMs + Math.min(lifetimeSeconds, MAX_LIFETIME_SECONDS) * 1000;
}

function plainExpiry(text: string | undefined): number | undefined {
  const seconds = wholeNumber(text);
  return seconds === undefined ? undefined : seconds * 1000;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
