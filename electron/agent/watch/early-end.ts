/**
 * An early end: a clip whose container proves that its writer has closed it is queued after a few seconds of quiet
 * instead of the folder's settle time. It is checked as soon as it stops changing, so that the reported wait is right,
 * and it waits with everything that belongs to it: while a report, a list or a picture of the export still changes, no
 * clip of it ends early. Recorders whose clips change even after that get the full wait again.
 */
import { baseName, fileKindOf, type Container } from '../core/naming/file-kinds.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { isQuiet, isSameInPlace, settleSecondsFor } from '../core/settle/settle-rule.ts';
import { isProvable } from '../files/containers/prove-closed.ts';
import type { Clock } from '../ports.ts';
import { isOwnFault } from '../store/store-failures.ts';
import type { Tables } from '../store/tables.ts';
import {
  setFile,
  type ExportRecord,
  type FileState,
  type InspectionTimes,
  type TrackedExport,
} from './export-record.ts';

type Changing = FileState & { readonly kind: 'changing' };

/** Whether a file of the export that may prove itself closed has changed within this many milliseconds. */
export function mayEndSoon({ changing, files }: TrackedExport, nowMs: number, withinMs: number): boolean {
  if (changing === 0) return false;
  for (const state of files.values())
    if (state.kind === 'changing' && nowMs - state.observation.sinceMs <= withinMs && isProvableFile(state))
      return true;
  return false;
}

/** Files that have been seen unchanged for the first time, for which it must be checked whether they are closed. */
export function unproven({ files }: TrackedExport): readonly Changing[] {
  const found: Changing[] = [];
  for (const state of files.values()) {
    if (state.kind !== 'changing' || state.isClosed !== undefined) continue;
    if (state.observation.looks > 1 && isProvableFile(state)) found.push(state);
  }
  return found;
}

/** Closed files that have been quiet for long enough, besides those that are `quiet` by the settling time. */
export function endedEarly(
  { files }: TrackedExport,
  quiet: readonly FileSeen[],
  times: InspectionTimes,
  settleSeconds: number,
): readonly FileSeen[] {
  const isQuietByTime = new Set(quiet.map(({ path }) => path));
  const terms = { settleSeconds: settleSecondsFor(settleSeconds, true) };
  const ended: FileSeen[] = [];
  for (const [path, state] of files) {
    if (state.kind !== 'changing' || isQuietByTime.has(path)) continue;
    if (state.isTemporary || fileKindOf(baseName(path)).kind !== 'clip') return [];
    const { seen, observation } = state;
    if (state.isClosed === true && isQuiet(observation, { ...seen, ...times }, terms)) ended.push(seen);
  }
  return ended;
}

/** Remembers that a file which has just settled did not wait for the settle time. */
export function markEarly(record: ExportRecord, path: string): void {
  const state = record.files.get(path);
  if (state?.kind === 'settled') setFile(record, path, { ...state, isEarly: true });
}

/** How many clips of one folder and container may change after an early end before none of them ends early. */
const MOST_WRONG = 2;
/** How long such a folder has the full wait, and how long one wrong end counts, milliseconds. */
const LEARNED_MS = 30 * 24 * 60 * 60_000;
const NANOSECONDS_PER_SECOND = 1e9;

/** What was learned about sooner ends in one watched folder. Survives restarts. */
export interface EarlyEnds {
  /** Whether clips of this container may end early. */
  isTrusted(container: Container): boolean;
  /** One of them changed within the settle time after it was queued. */
  wasWrong(container: Container): void;
  /** Containers whose clips have the full wait now, with the time until which, milliseconds since 1970. */
  inFull(): readonly { readonly container: string; readonly untilMs: number }[];
}

/** Creates the sooner ends of a root, from what is stored. */
export function createEarlyEnds(
  tables: Pick<Tables, 'earlyEnds' | 'write'>,
  clock: Pick<Clock, 'now'>,
  rootId: string,
): EarlyEnds {
  const inFull = () =>
    tables.earlyEnds
      .ofRoot(rootId)
      .map(({ container, wrong, wrongAt }) => ({ container, wrong, untilMs: wrongAt + LEARNED_MS }))
      .filter(({ wrong, untilMs }) => wrong >= MOST_WRONG && untilMs > clock.now())
      .map(({ container, untilMs }) => ({ container, untilMs }));
  return {
    inFull,
    isTrusted: (container) => inFull().every((each) => each.container !== container),
    wasWrong(container) {
      const wrongAt = clock.now();
      try {
        tables.write(() => {
          tables.earlyEnds.forget(wrongAt - LEARNED_MS);
          const before = tables.earlyEnds.ofRoot(rootId).find((row) => row.container === container);
          tables.earlyEnds.put(rootId, { container, wrong: (before?.wrong ?? 0) + 1, wrongAt });
        });
      } catch (error) {
        // A full disk must not end the look: the next wrong end is counted
        if (isOwnFault(error)) throw error;
      }
    },
  };
}

/** Files of a new look that had ended early, and changed while the settle time would still have been running. */
export function endedTooSoon(
  { files }: TrackedExport,
  looked: readonly FileSeen[],
  settleSeconds: number,
): readonly Container[] {
  const wrong: Container[] = [];
  for (const file of looked) {
    const state = files.get(file.path);
    if (state?.kind !== 'settled' || state.isEarly !== true || isSameInPlace(state.seen, file)) continue;
    const changedAfter = Number(BigInt(file.mtimeNs) - BigInt(state.seen.mtimeNs)) / NANOSECONDS_PER_SECOND;
    const kind = fileKindOf(baseName(file.path));
    if (kind.kind === 'clip' && changedAfter < settleSeconds) wrong.push(kind.container);
  }
  return wrong;
}

function isProvableFile({ seen, isTemporary }: Changing): boolean {
  const kind = fileKindOf(baseName(seen.path));
  return !isTemporary && kind.kind === 'clip' && isProvable(kind.container);
}
