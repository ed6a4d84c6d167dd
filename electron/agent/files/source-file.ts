import { join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import type { PartHash } from './hashing/hash-pool.ts';
import type { SnapshotRequest } from './snapshot-file.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { judgeFileFailure } from './judge-file-failure.ts';
import { DEADLINE_MS, type RootGate, type RootGates } from './root-gate.ts';
import { rootHung } from './root-failures.ts';
import { fileChanged } from './file-failures.ts';
import { differenceOf, openFile, type OpenedFile } from './opened-file.ts';

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

/**
 * Opens a small file whole, read and hashed by a thread: `readExactly` returns bytes from memory, and `verifyUnchanged`
 * checks the path once more.
 */
export async function openSnapshot(
  gates: RootGates,
  reader: SnapshotReader,
  source: SourceRef & Pick<SnapshotRequest, 'withMd5'>,
  signal: AbortSignal,
): Promise<Result<OpenedSnapshot, Failure>> {
  const { rootPath, path: name, version, withMd5 = false } = source;
  const judged = judgedFile(gates, source, signal);
  const problem = judged.gate.problem();
  if (problem !== undefined) return err(problem);
  const taken = await failuresAsValues(reader.read({ path: judged.path, rootPath, name, version, withMd5 }));
  if (!taken.ok) return err(await judged.judge(taken.error));
  judged.gate.noteReadable(judged.path);
  const { bytes, version: read, ...sums } = taken.value;
  return ok({
    file: snapshotFile(bytes, { ...judged, reader, rootPath, name, version: read }, signal),
    bytes,
    sums: { ...sums, sizeBytes: bytes.length },
  });
}

/** A small file in memory, and its sums. */
export interface OpenedSnapshot {
  readonly file: SourceFile;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sums: PartHash;
}

interface SnapshotOf extends Judged {
  readonly reader: SnapshotReader;
  readonly rootPath: string;
  readonly name: string;
  readonly version: FileVersion;
}

function snapshotFile(
  bytes: Uint8Array,
  { gate, path, reader, rootPath, name, version, judge }: SnapshotOf,
  signal: AbortSignal,
): SourceFile {
  const copy = (into: Uint8Array, offset: number, length: number, position: number): number => {
    const piece = bytes.subarray(position, position + length);
    into.set(piece, offset);
    return piece.length;
  };
  return {
    name,
    version,
    isOffline: false,
    fd: -1,
    read: async (into, offset, length, position) => copy(into, offset, length, position),
    readExactly: async (into, length, position) => {
      copy(into, 0, length, position);
      return ok(undefined);
    },
    async verifyUnchanged() {
      // While another operation on the root hangs, no further one starts
      if (gate.isHung()) return err(await judge(rootHung(rootPath, DEADLINE_MS)));
      const looking = failuresAsValues(reader.look({ path, rootPath, name, version }));
      const seen = await unlessAborted(looking, signal);
      if (!seen.ok) return err(await judge(seen.error));
      const change = differenceOf(version, seen.value.version);
      if (change !== undefined) return err(fileChanged(name, change));
      return ok({ isTouched: false, ctimeNs: seen.value.ctimeNs });
    },
    judge,
    retain: () => undefined,
    release: () => undefined,
  };
}

/** Rejects with the signal's reason when that comes first: a hung share is not waited for. */
function unlessAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void running.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Small files opened together, and the number of opened ones left at which the next are opened. */
const OPENED_AT_ONCE = 4;
const FEW_OPENED = 4;

/**
 * Opens small files in order before they are needed, some at a time: one message to the thread and back costs as much
 * as a file. Returns a function that takes each of them once; a file that is not among them is opened when it is taken.
 */
export function openAhead<Source>(
  sources: readonly Source[],
  open: (source: Source) => Promise<Result<OpenedSnapshot, Failure>>,
): (source: Source) => Promise<Result<OpenedSnapshot, Failure>> {
  const opened = new Map<Source, Promise<Result<OpenedSnapshot, Failure>>>();
  let next = 0;
  return (source) => {
    while (opened.size <= FEW_OPENED && next < sources.length) {
      for (const one of sources.slice(next, next + OPENED_AT_ONCE)) {
        const opening = open(one);
        // Whoever takes it gets the error
        opening.catch(() => undefined);
        opened.set(one, opening);
      }
      next += OPENED_AT_ONCE;
    }
    const mine = opened.get(source) ?? open(source);
    opened.delete(source);
    return mine;
  };
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
