import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { WorkerThreads } from '../../../electron/agent/ports.ts';
import type { SendQuestion } from '../../../electron/agent/upload/send-worker.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Enough of one incident for a thread to send them whole. */
const files = Object.fromEntries(
  Array.from({ length: 12 }, (_unused, index) => [`Ramp/clip-${index + 10}.avi`, 100_000 + index]),
);

/** Threads of the tests that write down how many files they were given to send whole. */
function overheardThreads(): WorkerThreads & { readonly batches: number[] } {
  const batches: number[] = [];
  const post = new WeakMap<Worker, Worker['postMessage']>();
  return {
    batches,
    take(entry, options) {
      const worker = sharedThreads.take(entry, options);
      const original = worker.postMessage.bind(worker);
      post.set(worker, original);
      worker.postMessage = (message: SendQuestion, ...rest: []) => {
        if (message.kind === 'send') batches.push(message.files.length);
        original(message, ...rest);
      };
      return worker;
    },
    giveBack(worker, isClean) {
      worker.postMessage = post.get(worker) ?? worker.postMessage;
      return sharedThreads.giveBack(worker, isClean);
    },
  };
}

test.concurrent(
  'small clips of an incident go to their thread together, and arrive whole',
  async (context) => {
    const threads = overheardThreads();
    const bench = await startBench(context, { files, threads });
    await bench.untilIdle();
    await bench.expectWhole();
    expect(threads.batches).toEqual([12]);
    expect(bench.simulator.requests.of('putObject')).toHaveLength(12);
  },
);

test.concurrent('with a limit nothing is handed to a thread, which does not know it', async (context) => {
  const threads = overheardThreads();
  const settings = { upload: { maxBytesPerSecond: 20_000_000 } };
  const bench = await startBench(context, { files, threads, settings });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(threads.batches).toEqual([]);
});

test.concurrent(
  'a clip that is written to while its thread sends it is not completed as it was',
  async (context) => {
    const threads = overheardThreads();
    const match = { call: 'putObject', pathContains: 'clip-13-' } as const;
    const bench = await startBench(context, { files, threads, hold: { ...match, when: 'after' } });
    await bench.hold.arrived;
    await bench.write('Ramp/clip-13.avi', 120_000);
    bench.hold.release();
    await bench.untilIdle();
    await bench.expectWhole({ files: { ...files, 'Ramp/clip-13.avi': 120_000 } });
    expect(threads.batches[0]).toBe(12);
    expect(bench.simulator.requests.of('putObject').length).toBeGreaterThan(12);
  },
);

test.concurrent('URLs that lapse while a thread sends are asked for again', async (context) => {
  const threads = overheardThreads();
  const bench = await startBench(context, {
    files,
    threads,
    before: ({ faults }) =>
      faults.add({
        match: { call: 'putObject' },
        times: 3,
        action: { kind: 'answer', status: 403, code: 'ExpiredToken', when: 'before' },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(threads.batches[0]).toBe(12);
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
});

test.concurrent(
  'clips whose thread is told to stop are in the queue again at once, and sent when they may be',
  async (context) => {
    const threads = overheardThreads();
    const bench = await startBench(context, { files, threads, hold: { call: 'putObject' } });
    await bench.hold.arrived;
    const { incidentId, clipId } = await bench.ids('Ramp/clip-10.avi');
    const target = { kind: 'clips' as const, clipIds: [clipId] };
    expect(await bench.call('uploads.cancel', { target })).toEqual({ changed: 1 });
    bench.hold.release();
    await bench.untilIdle();
    await bench.expectWhole({ failed: ['Ramp/clip-10.avi'] });
    expect(bench.simulator.incidents().get(incidentId)?.uploaded_videos).toHaveLength(11);
    expect(threads.batches[0]).toBe(12);
  },
);
