import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileVersion } from '../core/file-seen.ts';
import { rootOffline } from '../core/upload-failure.ts';
import type { RootGate } from '../watch/root-gate.ts';
import { openEvidence, type EvidenceFile } from './evidence-file.ts';

/** A file of an export: where it is and which version is meant. */
export interface SourceRef {
  readonly rootPath: string;
  readonly exportPath: string;
  /** Inside the export. */
  readonly path: string;
  readonly version: FileVersion;
}

/** The gate of each watched root, by the root's path. */
export interface RootGates {
  of(rootPath: string): RootGate;
}

/** An open file of an export that threads may still be reading when its job has ended. */
export interface SourceFile extends Omit<EvidenceFile, 'close'> {
  /** The descriptor stays open until `use` has ended, however it ends. */
  retain(use: Promise<unknown>): void;
  /** Closes the file as soon as nothing reads it any more. Waits for nothing: a share may hang for hours. */
  letGo(): void;
}

function sourceFile(evidence: EvidenceFile): SourceFile {
  const uses = new Set<Promise<unknown>>();
  return {
    ...evidence,
    retain(use) {
      const ended = use.catch(() => undefined).finally(() => uses.delete(ended));
      uses.add(ended);
    },
    letGo() {
      void Promise.allSettled(uses).then(() => evidence.close());
    },
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
  const closeLate = (late: Result<EvidenceFile, Failure>): void => void (late.ok && late.value.close());
  try {
    const opened = await gate.run(
      () => openEvidence(path, source.version, source.rootPath, source.path),
      signal,
      closeLate,
    );
    if (opened.ok) return ok(sourceFile(opened.value));
    if (opened.error.code !== 'FILE_GONE') return opened;
    const isAway = await gate.run(() => isRootAway(source.rootPath), signal);
    return isAway ? err(rootOffline(source.rootPath)) : opened;
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
