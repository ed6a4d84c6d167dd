import { MOST_SEEN_NAMES, type SeenFacts, type SeenState } from '../../../shared/domain/seen-export.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { baseName, fileKindOf, isTemporaryName, markerOf, splitName } from '../core/naming/file-kinds.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import type { ExportRef } from '../core/settle/file-seen.ts';
import { settleSecondsFor } from '../core/settle/settle-rule.ts';
import { fileUnfinished } from '../files/file-failures.ts';
import type { TrackedExport } from './export-record.ts';

/** The standing of an export that is not completely in the queue. */
export interface ExportStanding {
  readonly state: Exclude<SeenState, 'reading'>;
  /** Wall-clock time, milliseconds since 1970. */
  readonly sinceMs: number;
  /** Wall-clock time at which it is queued if nothing changes; set while something is changing. */
  readonly settlesAtMs: number | undefined;
  /** Stays equal as long as the files do. */
  readonly print: string;
  readonly facts: SeenFacts;
}

/** Receives the standing of exports; must be cheap, because it is called at each look. */
export interface StandingListener {
  /** Undefined: everything in it was queued, or is left out on purpose. */
  stands(ref: ExportRef, standing: ExportStanding | undefined): void;
  /** A whole scan saw the root: exports that are not there are gone. */
  scanned(rootId: string, isThere: (exportPath: string) => boolean): void;
}

/** Times of one look, taken from two clocks, differ by less than this, milliseconds. */
const SAME_LOOK_MS = 50;
/** Digits to cut off nanoseconds for milliseconds. */
const NANOSECOND_DIGITS = 6;

interface Terms {
  readonly nowMs: number;
  /** The same moment on the monotonic clock. */
  readonly monotonicMs: number;
  readonly settleMs: number;
}

/** Totals over the files of an export. */
interface Sum {
  files: number;
  sizeBytes: number;
  newestMtimeNs: string;
  hasClip: boolean;
  changing: number;
  /** One of the changing files was seen only once as it is now. */
  isFresh: boolean;
  /** When the last of the changing files has settled if nothing changes; monotonic, milliseconds. */
  settlesMs: number;
  /** When the last change was seen, and the first of the changing files; milliseconds, monotonic and wall clock. */
  lastChangeMs: number;
  firstSeenMs: number;
  heldSinceMs: number;
  readonly held: { readonly path: string; readonly failure: Failure }[];
}

/** Judges one export by what its last inspection saw. Opens nothing. */
export function standingOf(record: TrackedExport, terms: Terms): ExportStanding | undefined {
  const sum = sumUp(record, terms.settleMs);
  const { held, changing } = sum;
  const base = { print: `${sum.files} ${sum.sizeBytes} ${sum.newestMtimeNs}`, settlesAtMs: undefined };
  const facts = { files: sum.files, sizeBytes: sum.sizeBytes };
  if (record.marker === 'hold' || record.marker === 'ignore') {
    const named = namesOf(record, () => true);
    const state = record.marker === 'hold' ? 'onHold' : 'ignored';
    return { ...base, state, sinceMs: terms.nowMs, facts: { ...facts, concerned: sum.files, named } };
  }
  if (held.length > 0) {
    const sinceMs = terms.nowMs - Math.max(0, terms.monotonicMs - sum.heldSinceMs);
    const named = held
      .slice(0, MOST_SEEN_NAMES)
      .map(({ path, failure }) => ({ path, failure: brief(failure) }));
    return { ...base, state: 'held', sinceMs, facts: { ...facts, concerned: held.length, named } };
  }
  if (changing > 0) {
    const settlesAtMs = terms.nowMs - terms.monotonicMs + sum.settlesMs;
    const named = namesOf(record, (state) => state.kind === 'changing');
    return {
      ...base,
      state: isBeingWritten(sum, terms) ? 'writing' : 'settling',
      sinceMs: sum.firstSeenMs,
      settlesAtMs,
      facts: { ...facts, concerned: changing, named },
    };
  }
  if (sum.hasClip || sum.files === 0) return undefined;
  const named = namesOf(record, () => true);
  return {
    ...base,
    state: 'unrecognised',
    sinceMs: terms.nowMs,
    facts: { ...facts, concerned: sum.files, named },
  };
}

/** The standing of the loose files in a root, which no export takes. Undefined when none of them could be evidence. */
export function standingOfLoose(loose: readonly string[], nowMs: number): ExportStanding | undefined {
  const files = loose.filter(isEvidence);
  if (files.length === 0) return undefined;
  const named = files.slice(0, MOST_SEEN_NAMES).map((path) => ({ path }));
  return {
    state: 'unrecognised',
    sinceMs: nowMs,
    settlesAtMs: undefined,
    print: files.join('\n'),
    facts: { files: files.length, sizeBytes: 0, concerned: files.length, named },
  };
}

function isEvidence(path: string): boolean {
  const { kind } = fileKindOf(baseName(path));
  return kind === 'clip' || kind === 'image' || kind === 'unknown';
}

function sumUp({ files, others, problems }: TrackedExport, settleMs: number): Sum {
  const sum: Sum = {
    files: others.length,
    sizeBytes: 0,
    newestMtimeNs: '',
    hasClip: false,
    changing: 0,
    isFresh: false,
    settlesMs: -Infinity,
    lastChangeMs: -Infinity,
    firstSeenMs: Infinity,
    heldSinceMs: Infinity,
    held: [],
  };
  for (const [path, state] of files) {
    if (markerOf(baseName(path)) !== undefined) continue;
    sum.files += 1;
    sum.sizeBytes += state.seen.sizeBytes;
    if (isLater(state.seen.mtimeNs, sum.newestMtimeNs)) sum.newestMtimeNs = state.seen.mtimeNs;
    // Evaluated until the first clip: for 100,000 files, only a few times
    if (state.kind === 'settled') sum.hasClip ||= isClipFile(state.seen);
    if (state.kind === 'changing') {
      sum.changing += 1;
      sum.isFresh ||= state.observation.looks === 1;
      const quietMs = settleSecondsFor(settleMs / 1_000, state.isClosed === true) * 1_000;
      sum.settlesMs = Math.max(sum.settlesMs, state.observation.sinceMs + quietMs);
      sum.lastChangeMs = Math.max(sum.lastChangeMs, state.observation.sinceMs);
      sum.firstSeenMs = Math.min(sum.firstSeenMs, state.seenAtMs);
    }
    if (state.kind === 'held') {
      sum.held.push({ path, failure: state.failure });
      sum.heldSinceMs = Math.min(sum.heldSinceMs, state.sinceMs);
    }
    if (state.kind === 'left-out' && isUnfinishedClip(path))
      sum.held.push({ path, failure: fileUnfinished(path) });
  }
  for (const { path, failure } of problems)
    if (agentPolicyOf(failure.code).file !== 'leftOut') sum.held.push({ path, failure });
  return sum;
}

/** Compares decimal texts of any length. */
const isLater = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;

/** `clip.mp4.part`, not `~$notes.docx`: whether it would be a clip if its copy had finished. */
export function isUnfinishedClip(path: string): boolean {
  const name = baseName(path);
  const { stem } = splitName(name);
  return isTemporaryName(name) && fileKindOf(stem).kind === 'clip';
}

/** Whether something was new at the last look: it was seen to change, or by its time was written just now. */
function isBeingWritten({ isFresh, newestMtimeNs, lastChangeMs, firstSeenMs }: Sum, terms: Terms): boolean {
  if (!isFresh) return false;
  const changedAtMs = terms.nowMs - terms.monotonicMs + lastChangeMs;
  const writtenAgoMs = terms.nowMs - Number(newestMtimeNs.slice(0, -NANOSECOND_DIGITS));
  return changedAtMs - firstSeenMs > SAME_LOOK_MS || writtenAgoMs < terms.settleMs;
}

function namesOf(
  { files, others }: TrackedExport,
  isNamed: (state: { readonly kind: string }) => boolean,
): SeenFacts['named'] {
  const named: string[] = [];
  for (const [path, state] of files) {
    if (named.length === MOST_SEEN_NAMES) break;
    if (isNamed(state) && markerOf(baseName(path)) === undefined) named.push(path);
  }
  if (isNamed({ kind: 'other' })) named.push(...others.map(({ path }) => path));
  // Two looks may find the same files in a different order
  return named
    .slice(0, MOST_SEEN_NAMES)
    .toSorted()
    .map((path) => ({ path }));
}

const brief = ({ code, message, advice, retryable }: Failure): Failure => ({
  code,
  message,
  advice,
  retryable,
});
