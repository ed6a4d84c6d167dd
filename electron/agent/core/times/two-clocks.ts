import { isTimeZone, wallTimeAt, type WallTime } from './zoned-time.ts';

/** What the difference between two times of the same moment says. */
export type ClockVerdict =
  | { readonly kind: 'agree' }
  /** They differ as clocks of two zones do; `zone` is one that would make them agree, when one is known. */
  | { readonly kind: 'zone'; readonly zone?: string }
  | { readonly kind: 'differ' };

/** Exports begin on a key frame, a few seconds before what was asked for, milliseconds. */
const SAME_MS = 10_000;
/** Offsets of zones are whole quarters of an hour, milliseconds. */
const QUARTER_MS = 900_000;
/** No two zones are further apart, milliseconds. */
const WIDEST_MS = 26 * 3_600_000;

/**
 * Compares the time that a clock without zone shows, as it was placed in `timeZone`, with the same moment by a clock
 * that states its zone. Milliseconds since 1970 UTC.
 */
export function compareClocks(localMs: number, knownMs: number, timeZone: string): ClockVerdict {
  const apartMs = localMs - knownMs;
  if (Math.abs(apartMs) <= SAME_MS) return { kind: 'agree' };
  const quarters = Math.round(apartMs / QUARTER_MS);
  const isOfZone =
    quarters !== 0 && Math.abs(apartMs - quarters * QUARTER_MS) <= SAME_MS && Math.abs(apartMs) <= WIDEST_MS;
  if (!isOfZone) return { kind: 'differ' };
  const zone = zoneThatFits(knownMs, offsetMs(knownMs, timeZone) + quarters * QUARTER_MS, timeZone);
  return { kind: 'zone', ...(zone !== undefined && { zone }) };
}

/** Zones that a desk is likely to be in, the most likely of each offset first. */
const LIKELY_ZONES =
  'UTC Europe/London Europe/Berlin Europe/Athens Europe/Moscow America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix America/Anchorage Pacific/Honolulu America/Halifax America/St_Johns America/Sao_Paulo America/Bogota America/Mexico_City Atlantic/Azores Africa/Lagos Africa/Johannesburg Africa/Nairobi Africa/Cairo Asia/Dubai Asia/Tehran Asia/Kabul Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Yangon Asia/Bangkok Asia/Singapore Asia/Shanghai Asia/Tokyo Australia/Perth Australia/Adelaide Australia/Darwin Australia/Brisbane Australia/Sydney Australia/Eucla Australia/Lord_Howe Pacific/Noumea Pacific/Auckland Pacific/Chatham Pacific/Tongatapu Pacific/Apia Pacific/Kiritimati Pacific/Marquesas Pacific/Pago_Pago Atlantic/South_Georgia'.split(
    ' ',
  );

/** Prefers the continent of the zone that is set: most wrong zones are a neighbour's, or UTC. */
function zoneThatFits(atMs: number, wantedMs: number, timeZone: string): string | undefined {
  const area = timeZone.split('/')[0];
  const fitting = LIKELY_ZONES.filter((zone) => isTimeZone(zone) && offsetMs(atMs, zone) === wantedMs);
  return fitting.find((zone) => zone.startsWith(`${area}/`)) ?? fitting[0];
}

function offsetMs(atMs: number, zone: string): number {
  const seconds = Math.floor(atMs / 1000) * 1000;
  return asUtc(wallTimeAt(seconds, zone)) - seconds;
}

const asUtc = ({ year, month, day, hour, minute, second }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);
