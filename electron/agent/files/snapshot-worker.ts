import { parentPort } from 'node:worker_threads';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import {
  lookAgain,
  takeSnapshot,
  type FileLook,
  type Snapshot,
  type SnapshotRequest,
} from './snapshot-file.ts';

/** Files asked for together: one message there and one back. */
export interface SnapshotBatch {
  readonly id: number;
  /** To be read whole. */
  readonly files: readonly SnapshotRequest[];
  /** To be looked at once more. */
  readonly looks: readonly Pick<SnapshotRequest, 'path' | 'name'>[];
}

/** The files of a batch in the same order. */
export interface SnapshotAnswer {
  readonly id: number;
  readonly files: readonly Result<Snapshot, Failure>[];
  readonly looks: readonly Result<FileLook, Failure>[];
}

parentPort?.on('message', (batch: SnapshotBatch) => {
  const looks = batch.looks.map(lookAgain);
  const files = batch.files.map(takeSnapshot);
  const answer: SnapshotAnswer = { id: batch.id, files, looks };
  parentPort?.postMessage(
    answer,
    files.flatMap((file) => (file.ok ? [file.value.bytes.buffer] : [])),
  );
});
