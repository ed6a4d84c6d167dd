import { parentPort } from 'node:worker_threads';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { takeSnapshot, type Snapshot, type SnapshotRequest } from './snapshot-file.ts';

/** Files asked for together: one message there and one back. */
export interface SnapshotBatch {
  readonly id: number;
  readonly files: readonly SnapshotRequest[];
}

/** The files of a batch in the same order. */
export interface SnapshotAnswer {
  readonly id: number;
  readonly results: readonly Result<Snapshot, Failure>[];
}

parentPort?.on('message', ({ id, files }: SnapshotBatch) => {
  const results = files.map(takeSnapshot);
  const answer: SnapshotAnswer = { id, results };
  parentPort?.postMessage(
    answer,
    results.flatMap((result) => (result.ok ? [result.value.bytes.buffer] : [])),
  );
});
