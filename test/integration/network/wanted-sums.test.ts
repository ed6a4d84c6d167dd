import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { WorkerThreads } from '../../../electron/agent/ports.ts';
import type { ThreadMessage } from '../../../electron/agent/files/started-tasks.ts';
import type { SendRequest, SendWay } from '../../../electron/agent/upload/thread/send-worker.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Worker threads that record the files for which an MD5 was requested. */
function overheardThreads(): WorkerThreads & { readonly withMd5: string[] } {
  const withMd5: string[] = [];
  const post = new WeakMap<Worker, Worker['postMessage']>();
  return {
    withMd5,
    take(entry, options) {
      const worker = sharedThreads.take(entry, options);
      const original = worker.postMessage.bind(worker);
      post.set(worker, original);
      worker.postMessage = (message: ThreadMessage<SendRequest, SendWay>, ...rest: []) => {
        for (const { request } of 'start' in message ? message.start : [])
          if (request.withMd5) withMd5.push(request.name);
        original(message, ...rest);
      };
      return worker;
    },
    giveBack(worker, isClean) {
      const original = post.get(worker);
      if (original !== undefined) worker.postMessage = original;
      return sharedThreads.giveBack(worker, isClean);
    },
  };
}

test.concurrent.for([
  { hashing: 'none', what: 'only until its etags are known to be none' },
  { hashing: 'full', what: 'as long as its etags are one' },
] as const)('the MD5 of small clips is made for a storage $what ($hashing)', async ({ hashing }, context) => {
  const threads = overheardThreads();
  const bench = await startBench(context, {
    files: { 'Gate 4/first.avi': 100_000 },
    simulator: { hashing },
    threads,
  });
  await bench.until(() => bench.of('clip.uploaded').length === 1, 'the first clip');
  for (const path of ['Ramp/second.avi', 'Ramp/third.avi']) await bench.write(path, 100_001);
  await bench.until(() => bench.of('clip.uploaded').length === 3, 'the others');
  await bench.expectWhole({
    files: { 'Gate 4/first.avi': 100_000, 'Ramp/second.avi': 100_001, 'Ramp/third.avi': 100_001 },
  });
  const all = ['first.avi', 'second.avi', 'third.avi'];
  expect(threads.withMd5.toSorted()).toEqual(hashing === 'full' ? all : all.slice(0, 1));
});
