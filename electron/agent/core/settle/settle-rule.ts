import type { FileVersion } from './file-seen.ts';
import type { Alteration } from '../../../../shared/domain/upload-view.ts';

/** Fewest looks that must agree: two could fall into the same pause of the writer. */
const LEAST_LOOKS = 3;
/** Extra looks required after a gap: what was seen before a sleep says nothing about a writer that slept too. */
const LOOKS_AFTER_GAP = 2;
/**
 * A pause of this many look intervals is a gap: the machine slept or the share was away. A look that took this long on
 * a busy machine or slow share cannot be told from that, and also costs two more looks, as nothing is known of the time
 * in between.
 */
const GAP_INTERVALS = 10;
/** A gap must also be this many times the pause before it, or every pause on a permanently slow share would be one. */
const GAP_PAUSES = 2;
/** A look sooner than this share of the interval after the last one does not count: hints and scans may coincide. */
const LEAST_PAUSE_SHARE = 0.5;
/** A time up to this far ahead of our clock still counts as now, milliseconds: FAT rounds to two seconds. */
const FUTURE_TOLERANCE_MS = 2_000;
/** The file must stay unchanged this many times as long if its modification time lies ahead and so proves nothing. */
const FUTURE_FACTOR = 2;
/** Looks per settle time: the three that must agree, and one to spare. */
const LOOKS_PER_SETTLING = 4;
const SHORTEST_LOOK_INTERVAL_MS = 100;
/**
 * Longest pause between looks, milliseconds: growth is noticed soon enough to show it even if the settle time is long.
 */
const LONGEST_LOOK_INTERVAL_MS = 5_000;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Settle time that is enough if a file's container proves that its writer has closed it, seconds. */
const CLOSED_SETTLE_SECONDS = 5;

/**
 * How long a file must be quiet, seconds: at most five if it is proven closed, and never more than the folder's settle
 * time.
 */
export function settleSecondsFor(settleSeconds: number, isClosed: boolean): number {
  return isClosed ? Math.min(CLOSED_SETTLE_SECONDS, settleSeconds) : settleSeconds;
}

/** One look at a file that may still be written. */
export interface Look {
  readonly sizeBytes: number;
  /** Nanoseconds since 1970 as decimal text. */
  readonly mtimeNs: string;
  readonly inode: string;
  /** Monotonic time of the look, milliseconds. */
  readonly atMs: number;
  /**
   * Wall-clock time of the look, milliseconds since 1970; used only to recognise a modification time that lies ahead.
   */
  readonly wallMs: number;
}

/** The result of all looks at one file so far. */
export interface Observation {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  readonly inode: string;
  /** Monotonic time of the first look that saw it in its present state, milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Pause before the last look that counted, milliseconds; 0 if it was the first. */
  readonly pauseMs: number;
  readonly looks: number;
  /** Extra looks still required since the last gap. */
  readonly looksOwed: number;
  /** Looks that found it larger than the one before, since it last shrank or was replaced. */
  readonly grownLooks: number;
}

/** How long a file must be quiet. */
export interface SettleTerms {
  readonly settleSeconds: number;
  /** Planned pause between looks, milliseconds; default: that of `lookIntervalMs`. */
  readonly lookIntervalMs?: number;
}

/** The result of one more look: the observation to keep, and whether the file may be queued. */
export interface Settling {
  readonly observation: Observation;
  readonly state: 'changing' | 'quiet';
}

/** Pause between two looks at a settling file, milliseconds. */
export function lookIntervalMs(settleSeconds: number): number {
  const wantedMs = (settleSeconds * 1_000) / LOOKS_PER_SETTLING;
  return Math.min(LONGEST_LOOK_INTERVAL_MS, Math.max(SHORTEST_LOOK_INTERVAL_MS, wantedMs));
}

/**
 * Adds a look. Quiet means that size, modification time and inode stayed the same for the settle time, over at least
 * three looks without a gap.
 */
export function observe(previous: Observation | undefined, look: Look, terms: SettleTerms): Settling {
  if (previous === undefined || !isUnchanged(previous, look)) return startOver(look, previous);
  const observation = countLook(previous, look, terms);
  return { observation, state: isQuiet(observation, look, terms) ? 'quiet' : 'changing' };
}

/**
 * Whether two versions count as the same bytes of the same file: none has replaced it. The device is ignored: its number
 * changes when a disk or share is mounted again, and everything would be sent once more.
 */
export function isSameInPlace(one: FileVersion, other: FileVersion): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeNs === other.mtimeNs && one.inode === other.inode;
}

function grownLooksOf(previous: Observation | undefined, { sizeBytes, inode }: Look): number {
  if (previous === undefined || previous.inode !== inode || sizeBytes < previous.sizeBytes) return 0;
  return previous.grownLooks + (sizeBytes > previous.sizeBytes ? 1 : 0);
}

function startOver(look: Look, previous: Observation | undefined): Settling {
  const { sizeBytes, mtimeNs, inode, atMs } = look;
  const grownLooks = grownLooksOf(previous, look);
  return {
    observation: {
      sizeBytes,
      mtimeNs,
      inode,
      sinceMs: atMs,
      lastMs: atMs,
      pauseMs: 0,
      looks: 1,
      looksOwed: 0,
      grownLooks,
    },
    state: 'changing',
  };
}

function countLook(previous: Observation, look: Look, terms: SettleTerms): Observation {
  const intervalMs = terms.lookIntervalMs ?? lookIntervalMs(terms.settleSeconds);
  const pauseMs = look.atMs - previous.lastMs;
  if (pauseMs < intervalMs * LEAST_PAUSE_SHARE) return previous;
  const afterGap = pauseMs > Math.max(intervalMs * GAP_INTERVALS, previous.pauseMs * GAP_PAUSES);
  return {
    ...previous,
    lastMs: look.atMs,
    pauseMs,
    looks: previous.looks + 1,
    looksOwed: afterGap ? LOOKS_AFTER_GAP : Math.max(0, previous.looksOwed - 1),
  };
}

function isUnchanged(previous: Observation, look: Look): boolean {
  return (
    previous.sizeBytes === look.sizeBytes &&
    previous.mtimeNs === look.mtimeNs &&
    previous.inode === look.inode
  );
}

/** Whether all looks including the current one have seen the file unchanged for long enough. */
export function isQuiet(
  observation: Observation,
  look: Pick<Look, 'mtimeNs' | 'atMs' | 'wallMs'>,
  terms: Pick<SettleTerms, 'settleSeconds'>,
): boolean {
  if (observation.looks < LEAST_LOOKS || observation.looksOwed > 0) return false;
  const factor = isAhead(look) ? FUTURE_FACTOR : 1;
  return look.atMs - observation.sinceMs >= terms.settleSeconds * 1_000 * factor;
}

function isAhead(look: Pick<Look, 'mtimeNs' | 'wallMs'>): boolean {
  const mtimeMs = Number(BigInt(look.mtimeNs) / NANOSECONDS_PER_MILLISECOND);
  return mtimeMs > look.wallMs + FUTURE_TOLERANCE_MS;
}

/** A clip's file as it was found; null: unknown. */
interface FoundFile {
  readonly foundCtimeNs: string | null;
  readonly foundSha256: string | null;
}

/** The file as it was sent. `ctimeNs`: its change time when the last byte had been sent. */
interface SentFile {
  readonly ctimeNs: string | undefined;
  readonly sha256: string;
}

/**
 * Whether the file sent is not the one found, whatever its size and modification time say. Hashes decide, because
 * changes of name and permissions move the change time too. Without a hash, the change time is all there is to go by.
 */
export function judgeAlteration(found: FoundFile, sent: SentFile): Alteration | undefined {
  const { foundSha256, foundCtimeNs } = found;
  if (foundSha256 !== null)
    return foundSha256 === sent.sha256 ? undefined : { foundSha256, sentSha256: sent.sha256 };
  const isMoved = foundCtimeNs !== null && sent.ctimeNs !== undefined && foundCtimeNs !== sent.ctimeNs;
  return isMoved ? { sentSha256: sent.sha256 } : undefined;
}

/** The warning that is kept with the clip; it states only what is known. */
export function alterationText({ foundSha256, sentSha256 }: Alteration): string {
  return foundSha256 === undefined
    ? `The file, its name or its permissions changed after it was found and before it was sent. It was not hashed when it was found, so it is not known what changed. SHA-256 as sent: ${sentSha256}.`
    : `The file was changed after it was found and before it was sent. SHA-256 as found: ${foundSha256}; as sent: ${sentSha256}.`;
}

/** Largest clip that `auto` hashes before it is queued, bytes (256 MiB): less than a second's work on a local disk. */
export const HASHED_AT_ONCE_BYTES = 256 * 1024 * 1024;

/** Whether a clip of this size is hashed before it is queued. */
export function isHashedAtIntake(rule: 'auto' | 'always' | 'never', sizeBytes: number): boolean {
  return rule === 'always' || (rule === 'auto' && sizeBytes < HASHED_AT_ONCE_BYTES);
}
