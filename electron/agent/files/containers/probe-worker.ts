import { parentPort } from 'node:worker_threads';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { baseName } from '../../core/naming/file-kinds.ts';
import type { MediaFacts } from '../../core/naming/file-content.ts';
import { createMediaInfoReader } from './media-info.ts';
import { fileFailure } from '../file-failures.ts';
import { closeQuietly, openRegular } from '../opened-file.ts';
import { systemErrorName } from '../../system-errors.ts';

// Entry point of the probe's worker thread: this file runs nowhere else.

/** A question to the probe worker. */
export interface ProbeQuestion {
  readonly id: number;
  /** Absolute path. */
  readonly path: string;
}

/** An answer of the probe worker. */
export interface ProbeAnswer {
  readonly id: number;
  readonly result: Result<MediaFacts, Failure>;
}

function createProbe(): (path: string) => Promise<Result<MediaFacts, Failure>> {
  let mediaInfo = createMediaInfoReader();
  return async (path) => {
    const file = openRegular(path);
    if (!file.ok) return file;
    try {
      return ok(await (await mediaInfo).facts(file.value));
    } catch (error) {
      if (systemErrorName(error) !== undefined) return err(fileFailure(error, baseName(path)));
      // A parser that stopped half-way may have left its memory in an inconsistent state.
      mediaInfo = createMediaInfoReader();
      return ok({});
    } finally {
      closeQuietly(file.value.descriptor);
    }
  };
}

const probe = createProbe();
parentPort?.on('message', (question: ProbeQuestion) => {
  void probe(question.path).then((result) => {
    parentPort?.postMessage({ id: question.id, result } satisfies ProbeAnswer);
  });
});
