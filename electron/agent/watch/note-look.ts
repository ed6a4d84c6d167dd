import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { baseName, isTemporaryName } from '../core/naming/file-kinds.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { isSameVersion, observe, type SettleTerms } from '../core/settle/settle-rule.ts';
import type { ExportRecord, FileState } from './export-record.ts';
import type { ExportLook } from '../files/look-at-export.ts';

/** When a look was taken, milliseconds: monotonic and wall clock. */
export interface LookTimes {
  readonly atMs: number;
  readonly wallMs: number;
}

/** Enters one look into the record. Answers the files that are quiet now and wait for their check. */
export function noteLook(
  record: ExportRecord,
  look: ExportLook,
  times: LookTimes,
  terms: SettleTerms,
): readonly FileSeen[] {
  const quiet: FileSeen[] = [];
  const files = look.files.filter((file) => file.kind === 'file');
  record.others = look.files.length === files.length ? [] : look.files.filter((file) => file.kind !== 'file');
  for (const file of files) {
    const before = record.files.get(file.path);
    const after = nextState(before, file, times, terms);
    if (before?.kind === 'settled' && after.state.kind !== 'settled') record.isDirty = true;
    if (before?.kind === 'held' && after.state.kind === 'settled') record.isDirty = true;
    record.files.set(file.path, after.state);
    if (after.isQuiet) quiet.push(file);
  }
  if (record.files.size > files.length) dropMissing(record, files, look.unseen);
  return quiet;
}

interface Next {
  readonly state: FileState;
  readonly isQuiet: boolean;
}

function nextState(
  before: FileState | undefined,
  seen: FileSeen,
  times: LookTimes,
  terms: SettleTerms,
): Next {
  if (before === undefined) return changing(undefined, seen, times, terms);
  if (before.kind === 'changing') return changing(before, seen, times, terms);
  if (!isSameVersion(before.seen, seen)) return changing(undefined, seen, times, terms);
  if (before.kind === 'held') return { state: stillHeld(before, seen, times.atMs), isQuiet: false };
  if (before.kind === 'left-out') return { state: before, isQuiet: false };
  const isIncomplete = before.seen.incomplete === true;
  return {
    state: { kind: 'settled', seen: isIncomplete ? { ...seen, incomplete: true } : seen },
    isQuiet: false,
  };
}

function changing(
  before: (FileState & { kind: 'changing' }) | undefined,
  seen: FileSeen,
  times: LookTimes,
  terms: SettleTerms,
): Next {
  const { observation, state } = observe(before?.observation, { ...seen, ...times }, terms);
  const isTemporary = isTemporaryName(baseName(seen.path));
  const seenAtMs = before?.seenAtMs ?? times.wallMs;
  return {
    state: { kind: 'changing', seen, observation, isTemporary, seenAtMs },
    isQuiet: state === 'quiet',
  };
}

function stillHeld(before: FileState & { kind: 'held' }, seen: FileSeen, atMs: number): FileState {
  const { wait } = agentPolicyOf(before.failure.code);
  if (wait.kind !== 'held' || atMs - before.sinceMs < wait.ms) return { ...before, seen };
  return { kind: 'settled', seen: { ...seen, incomplete: true } };
}

function dropMissing(record: ExportRecord, files: readonly FileSeen[], unseen: readonly string[]): void {
  const present = new Set(files.map((file) => file.path));
  for (const [path, state] of record.files) {
    if (present.has(path) || isUnseen(path, unseen)) continue;
    record.files.delete(path);
    if (state.kind === 'settled') record.isDirty = true;
  }
}

/** Whether nothing is known about a path, because it or a folder above could not be looked at. */
function isUnseen(path: string, unseen: readonly string[]): boolean {
  return unseen.some(
    (prefix) => prefix === '' || prefix === path || (prefix.endsWith('/') && path.startsWith(prefix)),
  );
}
