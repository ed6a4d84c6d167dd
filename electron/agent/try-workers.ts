import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ProbeQuestion } from './files/containers/probe-worker.ts';
import type { HashRequest } from './files/hashing/hash-engine.ts';
import type { TaskBatch } from './files/snapshot-tasks.ts';
import type { CheckpointQuestion } from './store/checkpoint-worker.ts';

/** A worker that has not answered by then will not, milliseconds: the certificate store takes half a second. */
const ANSWER_MS = 15_000;

const NO_FILE = 'self-test-without-a-file';

/** Each worker thread of the agent with the smallest request that it answers; the last one answers unasked. */
const workers: readonly (readonly [URL, unknown?])[] = [
  [new URL('./files/hashing/hash-worker.ts', import.meta.url), { kind: 'ping', id: 1 } satisfies HashRequest],
  [new URL('./upload/thread/send-worker.ts', import.meta.url), { id: 1, asked: [] } satisfies TaskBatch],
  [
    new URL('./files/containers/probe-worker.ts', import.meta.url),
    { id: 1, path: NO_FILE } satisfies ProbeQuestion,
  ],
  [new URL('./store/check-worker.ts', import.meta.url), NO_FILE],
  [
    new URL('./store/checkpoint-worker.ts', import.meta.url),
    { file: NO_FILE, identity: '', logLimitBytes: 0, restartsLog: false } satisfies CheckpointQuestion,
  ],
  [new URL('./service/system-certificates-worker.ts', import.meta.url)],
];

/**
 * Starts each worker thread of the agent and waits for its answer: a packaged program may lack a worker's file, or be
 * unable to run it from its archive. Returns their names. Rejects with the name of the first that fails.
 */
export async function tryWorkers(): Promise<readonly string[]> {
  return Promise.all(workers.map(([url, question]) => tryWorker(url, question)));
}

async function tryWorker(url: URL, question: unknown): Promise<string> {
  const name = /([a-z-]+)-worker\.[jt]s$/.exec(url.pathname)?.[1] ?? url.pathname;
  const worker = new Worker(url, { execArgv: [] });
  try {
    const answer = once(worker, 'message', { signal: AbortSignal.timeout(ANSWER_MS) });
    if (question !== undefined) worker.postMessage(question);
    await answer;
    return name;
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await worker.terminate();
  }
}
