import { join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import type { FileSums, SnapshotRequest } from './snapshot-file.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { judgeFileFailure } from './judge-file-failure.ts';
import { type RootGate, type RootGates } from './root-gate.ts';
import { openFile, type OpenedFile } from './opened-file.ts';

/** A file of an export: where it is, and which version is meant. */
export interface SourceRef {
  readonly rootPath: string;
  /** Folder in the root that the export's paths are relative to. */
  readonly folder: string;
  /** Inside the export. */
  readonly path: string;
  readonly version: FileVersion;
  /** The watch saw that the export folder was removed while its root was available. */
  readonly isFolderGone: boolean;
}

/** An open file of an export that threads may still be reading when its job has ended. */
export interface SourceFile extends Omit<OpenedFile, 'close' | 'readExactly'> {
  /**
   * As in `OpenedFile`, but through the gate. After ROOT_HUNG, and after `signal` made it reject, something may still
   * write into the buffer.
   */
  readExactly(
    buffer: Uint8Array,
    length: number,
    position: number,
    signal?: AbortSignal,
  ): Promise<Result<void, Failure>>;
  /** What a failure of a thread that read this file means: the file's failure, or that of its root. */
  judge(failure: Failure): Promise<Failure>;
  /** Keeps the descriptor open until `use` has settled. */
  retain(use: Promise<unknown>): void;
  /** Closes the file as soon as nothing reads it any more. Does not wait: a share may hang for hours. */
  release(): void;
}

/** Passes every operation through the gate: one that hangs ends the job with ROOT_HUNG, and holds no slot. */
function sourceFile(opened: OpenedFile, { gate, judge, path }: Judged, ending: AbortSignal): SourceFile {
  const uses = new Set<Promise<unknown>>();
  const retain = (use: Promise<unknown>): void => {
    const ended = use.catch(() => undefined).finally(() => uses.delete(ended));
    uses.add(ended);
  };
  const guarded = async <T>(
    operation: () => Promise<Result<T, Failure>>,
    signal?: AbortSignal,
  ): Promise<Result<T, Failure>> => {
    const result = await failuresAsValues(
      gate.run(() => {
        const use = operation();
        retain(use);
        return use;
      }, signal),
    );
    return result.ok ? result : err(await judge(result.error));
  };
  return {
    ...opened,
    readExactly: (buffer, length, position, signal) =>
      guarded(() => opened.readExactly(buffer, length, position), signal),
    async verifyUnchanged() {
      const result = await guarded(() => opened.verifyUnchanged(), ending);
      if (result.ok) gate.noteReadable(path);
      return result;
    },
    judge,
    retain,
    release() {
      void Promise.allSettled(uses).then(() => opened.close());
    },
  };
}

/** Turns what a gate rejects with into a value. Rejects with everything else. */
async function failuresAsValues<T>(running: Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

/** How problems with one file are judged. */
interface Judged {
  readonly gate: RootGate;
  /** Absolute. */
  readonly path: string;
  readonly judge: (failure: Failure) => Promise<Failure>;
}

function judgedFile(gates: RootGates, source: Omit<SourceRef, 'version'>, signal: AbortSignal): Judged {
  const gate = gates.of(source.rootPath);
  const path = join(source.rootPath, source.folder, source.path);
  const judge = async (failure: Failure): Promise<Failure> => {
    try {
      return await judgeFileFailure(gate, { ...source, path }, failure, signal);
    } catch (error) {
      if (error instanceof FailureError) return error.failure;
      // The run is over: nobody reads the reason
      if (signal.aborted) return failure;
      throw error;
    }
  };
  return { gate, path, judge };
}

/** Computes the sums of a small file in the thread of its root. Errors: as `openSource`. */
export async function sumSmall(
  gates: RootGates,
  reader: Pick<SnapshotReader, 'sum'>,
  source: SourceRef & Pick<SnapshotRequest, 'mayBeKnown'>,
  signal: AbortSignal,
): Promise<Result<FileSums, Failure>> {
  const { rootPath, path: name, version, mayBeKnown } = source;
  return inThread(gates, source, signal, (path) =>
    reader.sum({ path, rootPath, name, version, ...(mayBeKnown === true && { mayBeKnown }) }),
  );
}

/** Lets the thread of a root do something with a small file: the gate is asked first, and judges what failed. */
export async function inThread<T>(
  gates: RootGates,
  source: SourceRef,
  signal: AbortSignal,
  work: (path: string) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const { gate, path, judge } = judgedFile(gates, source, signal);
  const problem = gate.problem();
  if (problem !== undefined) return err(problem);
  const done = await failuresAsValues(work(path));
  if (!done.ok) return err(await judge(done.error));
  gate.noteReadable(path);
  return done;
}

/**
 * Opens the file through its root's gate; without a version, whatever it is now. A missing file of a root that is away
 * is ROOT_OFFLINE, never FILE_GONE.
 */
export async function openSource(
  gates: RootGates,
  source: Omit<SourceRef, 'version'> & { readonly version: FileVersion | undefined },
  signal: AbortSignal,
): Promise<Result<SourceFile, Failure>> {
  const judged = judgedFile(gates, source, signal);
  const { gate, path } = judged;
  const problem = gate.problem();
  if (problem !== undefined) return err(problem);
  const closeLate = (late: Result<OpenedFile, Failure>): void => void (late.ok && late.value.close());
  const opened = await failuresAsValues(
    gate.run(() => openFile(path, source.version, source.rootPath, source.path), signal, closeLate),
  );
  return opened.ok ? ok(sourceFile(opened.value, judged, signal)) : err(await judged.judge(opened.error));
}
