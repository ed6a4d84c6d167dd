/**
 * A sooner end: a clip whose container proves that its writer has closed it is taken after a few seconds of quiet
 * instead of the folder's settling time. It is looked into as soon as it stops changing, so that what is said of the wait
 * is right, and waits with all that belongs to it: while a report, a list or a picture of the export still changes, no
 * clip of it ends sooner.
 */
import { baseName, fileKindOf } from '../core/naming/file-kinds.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { isQuiet, settleSecondsFor } from '../core/settle/settle-rule.ts';
import { isProvable } from '../files/containers/prove-closed.ts';
import type { FileState, InspectionTimes, TrackedExport } from './export-record.ts';

type Changing = FileState & { readonly kind: 'changing' };

/** Whether a file of the export that may prove itself closed has changed within so many milliseconds. */
export function mayEndSoon({ changing, files }: TrackedExport, nowMs: number, withinMs: number): boolean {
  if (changing === 0) return false;
  for (const state of files.values())
    if (state.kind === 'changing' && nowMs - state.observation.sinceMs <= withinMs && isProvableFile(state))
      return true;
  return false;
}

/** Files that were seen unchanged for the first time: it is to be looked into whether they are closed. */
export function unproven({ files }: TrackedExport): readonly Changing[] {
  const found: Changing[] = [];
  for (const state of files.values()) {
    if (state.kind !== 'changing' || state.isClosed !== undefined) continue;
    if (state.observation.looks > 1 && isProvableFile(state)) found.push(state);
  }
  return found;
}

/** Closed files that have been quiet for long enough, besides those that are `quiet` by the settling time. */
export function endedSooner(
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

function isProvableFile({ seen, isTemporary }: Changing): boolean {
  const kind = fileKindOf(baseName(seen.path));
  return !isTemporary && kind.kind === 'clip' && isProvable(kind.container);
}
