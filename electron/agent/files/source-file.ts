import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { rootOffline } from '../core/failures/upload-failure.ts';
import type { PartHash } from './hashing/hash-pool.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import type { RootGates } from './root-gate.ts';
import { fileChanged, fileFailure } from './file-failures.ts';
import { differenceOf, openFile, versionOf, type OpenedFile } from './opened-file.ts';

/** A file of an export: where it is and which version is meant. */
export interface SourceRef {
  readonly rootPath: string;
  readonly exportPath: string;
  /** Inside the export. */
  readonly path: string;
  readonly version: FileVersion;
  /** Watching saw that the export folder was taken away while its root was there. */
  readonly isFolderGone: boolean;
}

/** An open file of an export that threads may still be reading when its job has ended. */
export interface SourceFile extends Omit<OpenedFile, 'close'> {
  /** The descriptor stays open until `use` has ended, however it ends. */
  retain(use: Promise<unknown>): void;
  /** Closes the file as soon as nothing reads it any more. Waits for nothing: a share may hang for hours. */
  release(): void;
}

function sourceFile(opened: OpenedFile, judge: (failure: Failure) => Promise<Failure>): SourceFile {
  const uses = new Set<Promise<unknown>>();
  return {
    ...opened,
    async verifyUnchanged() {
      const result = await opened.verifyUnchanged();
      return result.ok ? result : err(await judge(result.error));
    },
    retain(use) {
      const ended = use.catch(() => undefined).finally(() => uses.delete(ended));
      uses.add(ended);
    },
    release() {
      void Promise.allSettled(uses).then(() => opened.close());
    },
  };
}

/** A missing file of a root that is away is ROOT_OFFLINE, never FILE_GONE. */
export async function judgeMissing(
  gates: RootGates,
  source: SourceRef,
  failure: Failure,
  signal: AbortSignal,
): Promise<Failure> {
  if (agentPolicyOf(failure.code).file !== 'gone' || source.isFolderGone) return failure;
  const isAway = await gates.of(source.rootPath).run(() => isRootAway(source.rootPath), signal);
  return isAway ? rootOffline(source.rootPath) : failure;
}

/**
 * A small file whole, read and hashed by a thread: `readExactly` answers from memory, and `verifyUnchanged` asks the
 * path once more.
 */
export async function openSnapshot(
  gates: RootGates,
  reader: SnapshotReader,
  source: SourceRef,
  signal: AbortSignal,
): Promise<Result<{ readonly file: SourceFile; readonly sums: PartHash }, Failure>> {
  const { rootPath, path: name, version } = source;
  const path = join(rootPath, source.exportPath, name);
  const judge = (failure: Failure): Promise<Failure> => judgeMissing(gates, source, failure, signal);
  try {
    const taken = await reader.read({ path, rootPath, name, version });
    if (!taken.ok) return err(await judge(taken.error));
    const { bytes, ...sums } = taken.value;
    return ok({
      file: snapshotFile(bytes, { path, name, version, judge }),
      sums: { ...sums, sizeBytes: bytes.length },
    });
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

interface SnapshotOf {
  readonly path: string;
  readonly name: string;
  readonly version: FileVersion;
  readonly judge: (failure: Failure) => Promise<Failure>;
}

function snapshotFile(bytes: Uint8Array, { path, name, version, judge }: SnapshotOf): SourceFile {
  const copy = (into: Uint8Array, offset: number, length: number, position: number): number => {
    const piece = bytes.subarray(position, position + length);
    into.set(piece, offset);
    return piece.length;
  };
  return {
    name,
    version,
    links: 1,
    fd: -1,
    read: async (into, offset, length, position) => copy(into, offset, length, position),
    readExactly: async (into, length, position) => {
      copy(into, 0, length, position);
      return ok(undefined);
    },
    async verifyUnchanged() {
      try {
        const found = versionOf(await lstat(path, { bigint: true }));
        const change = differenceOf(version, found);
        return change === undefined ? ok({ isTouched: false }) : err(fileChanged(name, change));
      } catch (error) {
        return err(await judge(fileFailure(error, name)));
      }
    },
    retain: () => undefined,
    release: () => undefined,
  };
}

/** Opens the file through its root's gate. A missing file of a root that is away is ROOT_OFFLINE, never FILE_GONE. */
export async function openSource(
  gates: RootGates,
  source: SourceRef,
  signal: AbortSignal,
): Promise<Result<SourceFile, Failure>> {
  const gate = gates.of(source.rootPath);
  const path = join(source.rootPath, source.exportPath, source.path);
  const judge = (failure: Failure): Promise<Failure> => judgeMissing(gates, source, failure, signal);
  const closeLate = (late: Result<OpenedFile, Failure>): void => void (late.ok && late.value.close());
  try {
    const opened = await gate.run(
      () => openFile(path, source.version, source.rootPath, source.path),
      signal,
      closeLate,
    );
    return opened.ok ? ok(sourceFile(opened.value, judge)) : err(await judge(opened.error));
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

/** An empty folder may be the mount point of a share that is gone: nothing is concluded from it. */
async function isRootAway(rootPath: string): Promise<boolean> {
  try {
    const stats = await stat(rootPath);
    return !stats.isDirectory() || (await readdir(rootPath)).length === 0;
  } catch {
    return true;
  }
}
