import { join } from 'node:path';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import type { ExportRecord, FileState } from './export-record.ts';
import { fileEmpty, fileIncomplete } from '../files/watch-failures.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import type { CheckComplete, Completeness, KnownFiles } from './watch-types.ts';

export interface SettlingOptions {
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly isComplete: CheckComplete;
  readonly known: KnownFiles;
  readonly settleSeconds: number;
}

/** Containers checked at once: each check is a few reads, which queue at the gate anyway. */
const CHECKS_IN_FLIGHT = 4;
/** How long one look goes on checking, milliseconds: what settled is handed over before the rest is checked. */
const CHECK_SLICE_MS = 2_000;

/** Settles or holds the files that have gone quiet. Those that time does not reach stay as they are. */
export async function settleQuiet(
  record: ExportRecord,
  quiet: readonly FileSeen[],
  options: SettlingOptions,
  signal?: AbortSignal,
): Promise<void> {
  const untilMs = options.clock.monotonic() + CHECK_SLICE_MS;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let file = quiet[next++]; file !== undefined; file = quiet[next++]) {
      await settleOne(record, file, options, signal);
      if (options.clock.monotonic() >= untilMs) return;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: CHECKS_IN_FLIGHT }, work));
  signal?.throwIfAborted();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function settleOne(
  record: ExportRecord,
  seen: FileSeen,
  options: SettlingOptions,
  signal?: AbortSignal,
): Promise<void> {
  const before = record.files.get(seen.path);
  if (before?.kind !== 'changing') return;
  const after = before.isTemporary ? leftOut(seen) : await judge(record, before, options, signal);
  record.files.set(seen.path, after);
  if (after.kind === 'settled') record.isDirty = true;
  if (after.kind === 'held') {
    const { code, message } = after.failure;
    options.events.emit({
      event: 'file.held',
      folder: record.ref.exportPath,
      file: seen.path,
      code,
      message,
    });
  }
}

async function judge(
  record: ExportRecord,
  before: FileState & { kind: 'changing' },
  { isComplete }: SettlingOptions,
  signal?: AbortSignal,
): Promise<FileState> {
  const { seen, observation, seenAtMs } = before;
  const held = (failure: Failure): FileState => ({
    kind: 'held',
    seen,
    failure,
    sinceMs: observation.sinceMs,
  });
  if (seen.sizeBytes === 0) return held(fileEmpty(seen.path));
  const { rootPath, exportPath } = record.ref;
  const path = join(rootPath, exportPath, seen.path);
  const answer = await isComplete(path, seen).catch((error: unknown) => unreadable(error, signal));
  if (answer.kind === 'incomplete') return held(fileIncomplete(seen.path, answer.reason));
  if (answer.kind === 'unreadable' && !isAboutFile(answer.failure)) return before;
  // a file that cannot be read is taken all the same: its upload says so to whoever waits for it
  return { kind: 'settled', seen: { ...seen, seenAtMs } };
}

/** A root that is away, or a file that is gone or another one by now, tell nothing: the next look decides. */
function isAboutFile({ code }: Failure): boolean {
  const { file } = agentPolicyOf(code);
  return policyOf(code).scope === 'clip' && file !== 'gone' && file !== 'changed';
}

function leftOut(seen: FileSeen): FileState {
  return { kind: 'left-out', seen };
}

function unreadable(error: unknown, signal?: AbortSignal): Completeness {
  signal?.throwIfAborted();
  if (error instanceof FailureError) return { kind: 'unreadable', failure: error.failure };
  throw error;
}
