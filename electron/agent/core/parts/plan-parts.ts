import {
  DEFAULT_MULTIPART_THRESHOLD_BYTES,
  MAX_PART_BYTES,
  MAX_PART_COUNT,
} from '../../../../shared/domain/settings.ts';

const MIB = 1024 * 1024;
/** First part size to try, bytes (service.md gap 5: 8 MiB): such parts are read once and sent from memory. */
const FIRST_PART_SIZE_BYTES = 8 * MIB;
/** Largest file sent in one piece, bytes (service.md "Limits"). */
export const LARGEST_SINGLE_BYTES = DEFAULT_MULTIPART_THRESHOLD_BYTES - 1;
/** Largest object, bytes (5 TiB: the limit of common S3-compatible stores). */
export const MAX_OBJECT_BYTES = 5 * 1024 * 1024 * MIB;

/** Settings that shape a plan; a part size given here is doubled while it would need too many parts. */
export interface PlanRules {
  readonly thresholdBytes?: number;
  readonly partSizeBytes?: number;
}

/** How a file is sent. A multipart plan is stored and stays as it is for that upload (service.md gap 5). */
export type PartPlan =
  | { readonly kind: 'single' }
  | { readonly kind: 'multipart'; readonly partSizeBytes: number; readonly partCount: number }
  | { readonly kind: 'too-large'; readonly limitBytes: number };

/** Chooses single piece or parts, and the part size, by service.md gaps 4 and 5. */
export function planParts(sizeBytes: number, rules: PlanRules = {}): PartPlan {
  if (sizeBytes < (rules.thresholdBytes ?? DEFAULT_MULTIPART_THRESHOLD_BYTES)) return { kind: 'single' };
  if (sizeBytes > MAX_OBJECT_BYTES) return { kind: 'too-large', limitBytes: MAX_OBJECT_BYTES };
  let partSizeBytes = rules.partSizeBytes ?? FIRST_PART_SIZE_BYTES;
  while (Math.ceil(sizeBytes / partSizeBytes) > MAX_PART_COUNT) partSizeBytes *= 2;
  partSizeBytes = Math.min(partSizeBytes, MAX_PART_BYTES);
  return { kind: 'multipart', partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) };
}

/** Bytes of a file that one part covers. */
export interface PartRange {
  readonly offset: number;
  readonly length: number;
}

/** The range of part `partNumber` (1 to `partCount`). Throws for a number outside the plan. */
export function partRange(
  plan: { readonly partSizeBytes: number; readonly partCount: number },
  partNumber: number,
  sizeBytes: number,
): PartRange {
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > plan.partCount) {
    throw new RangeError(`Part ${partNumber} is outside the range 1 to ${plan.partCount}`);
  }
  const offset = (partNumber - 1) * plan.partSizeBytes;
  return { offset, length: Math.min(plan.partSizeBytes, sizeBytes - offset) };
}

/**
 * Sending parts of a clip while it is still being written: which parts may be sent, how much of that may be wasted, and
 * when it is no longer tried. Only formats that grow benefit; which ones do is learned from earlier results, by watched
 * folder and container.
 */

/** Largest part sent ahead, bytes: such parts are held in memory while they are hashed and sent. */
const LARGEST_PART_BYTES = 8 * MIB;
/** Looks that must have seen a file grow: a copy that was given its full size at the start never does. */
const LEAST_GROWN_LOOKS = 3;
const DAY_MS = 24 * 60 * 60_000;
/** How long results count, milliseconds. */
export const RESULTS_KEPT_MS = 30 * DAY_MS;
/** A result with more than this share wasted counts against its kind; two in a row end it. */
const VOID_SHARE = 0.25;
const MOST_VOID_IN_A_ROW = 2;
/** A part that ends in this many zeros may not have been written yet, bytes. */
const HOLE_BYTES = 4096;

/** A growing file. */
interface GrownFile {
  readonly sizeBytes: number;
  /** Looks that found it larger than the one before, since it last shrank or was replaced. */
  readonly grownLooks: number;
}

/** Whether parts of the file may be sent now. */
export function mayBeginAhead({ sizeBytes, grownLooks }: GrownFile, thresholdBytes: number): boolean {
  return grownLooks >= LEAST_GROWN_LOOKS && sizeBytes > thresholdBytes;
}

/** Part size of an upload whose file does not have its final size yet, bytes. */
export function aheadPartSize(partSizeBytes: number | undefined): number {
  return Math.min(partSizeBytes ?? LARGEST_PART_BYTES, LARGEST_PART_BYTES);
}

/** Whether a file of this size fits into the allowed number of parts of that size. */
export function fitsParts(sizeBytes: number, partSizeBytes: number): boolean {
  return Math.ceil(sizeBytes / partSizeBytes) <= MAX_PART_COUNT;
}

/**
 * Numbers of the full parts that are not `begun` yet. The first and the last part are left for the end: writers return
 * to the first for their index, and the last is incomplete.
 */
export function partsToSend(
  sizeBytes: number,
  partSizeBytes: number,
  begun: ReadonlySet<number>,
): readonly number[] {
  const last = Math.min(Math.ceil(sizeBytes / partSizeBytes) - 1, MAX_PART_COUNT - 1);
  const numbers: number[] = [];
  for (let number = 2; number <= last; number += 1) if (!begun.has(number)) numbers.push(number);
  return numbers;
}

/** How many URLs to request: twice the parts that exist, so that requests are rare. */
export function urlCount(sizeBytes: number, partSizeBytes: number): number {
  return Math.min(MAX_PART_COUNT, 2 * Math.ceil(sizeBytes / partSizeBytes));
}

/** Whether a part ends in what may be a hole that a copy has yet to fill. */
export function endsInHole(part: Uint8Array): boolean {
  return part.subarray(-HOLE_BYTES).every((byte) => byte === 0);
}

/** The result of one clip that was sent ahead. */
export interface AheadResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sentBytes: number;
  readonly voidBytes: number;
}

const isVoid = ({ sentBytes, voidBytes }: AheadResult): boolean => voidBytes > sentBytes * VOID_SHARE;

/**
 * Until when clips of a kind are not sent ahead, milliseconds since 1970; undefined: they may be. Newest result first.
 */
export function waitsUntil(ofKind: readonly AheadResult[], nowMs: number): number | undefined {
  const last = ofKind.slice(0, MOST_VOID_IN_A_ROW);
  const [newest] = last;
  if (newest === undefined || last.length < MOST_VOID_IN_A_ROW || !last.every(isVoid)) return undefined;
  const untilMs = newest.at + RESULTS_KEPT_MS;
  return untilMs > nowMs ? untilMs : undefined;
}

/** The start of the window in which discarded bytes count against the daily limit, milliseconds since 1970. */
export const wasteSince = (nowMs: number): number => nowMs - DAY_MS;

/** Bytes wasted within a day, and bytes of uploads still open. */
interface Waste {
  readonly voidBytes: number;
  /** Of uploads that may turn out to be wasted. */
  readonly openBytes: number;
}

/** Whether the daily limit leaves room; open uploads count until a clip of this kind has succeeded. */
export function hasRoomForWaste(
  { voidBytes, openBytes }: Waste,
  newestOfKind: AheadResult | undefined,
  limitBytes: number,
): boolean {
  const isTrusted = newestOfKind !== undefined && !isVoid(newestOfKind);
  return voidBytes + (isTrusted ? 0 : openBytes) < limitBytes;
}
