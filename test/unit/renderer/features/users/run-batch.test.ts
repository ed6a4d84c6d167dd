import { describe, expect, it } from 'vitest';
import type { Failure, FailureCode } from '../../../../../shared/domain/failure.ts';
import { err, ok } from '../../../../../shared/lib/result.ts';
import { countOutcomes, runBatch } from '../../../../../renderer/features/users/run-batch.ts';

const failure = (code: FailureCode): Failure => ({ code, message: '', advice: '', retryable: false });
const ignore = (): void => undefined;
const never = new AbortController().signal;

describe('a run over many', () => {
  it('goes one after another and tells how many are through', async () => {
    const steps: number[] = [];
    let running = 0;
    const outcomes = await runBatch(
      [1, 2, 3],
      async (item) => {
        running += 1;
        expect(running).toBe(1);
        await Promise.resolve();
        running -= 1;
        return ok(item * 10);
      },
      { signal: never, onStep: (done) => steps.push(done) },
    );
    expect(outcomes).toEqual([1, 2, 3].map((item) => ({ kind: 'done', item, output: item * 10 })));
    expect(steps).toEqual([1, 2, 3]);
  });

  it('goes on after a refusal of one', async () => {
    const act = (item: number) => Promise.resolve(item === 2 ? err(failure('VALIDATION')) : ok(item));
    const outcomes = await runBatch([1, 2, 3], act, { signal: never, onStep: ignore });
    expect(countOutcomes(outcomes)).toEqual({ done: 2, failed: 1, left: 0 });
  });

  it.each<FailureCode>(['NETWORK', 'KEY_REFUSED', 'RATE_LIMITED', 'CALL_FAULT'])(
    'stops at %s, which all others would meet too',
    async (code) => {
      const asked: number[] = [];
      const act = (item: number) => {
        asked.push(item);
        return Promise.resolve(item === 2 ? err(failure(code)) : ok(item));
      };
      const outcomes = await runBatch([1, 2, 3, 4], act, { signal: never, onStep: ignore });
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'left', 'left']);
      expect(asked).toEqual([1, 2]);
    },
  );

  it('waits for what is on its way when it is cancelled, and leaves the rest', async () => {
    const controller = new AbortController();
    const act = (item: number) => {
      if (item === 2) controller.abort();
      return Promise.resolve(ok(item));
    };
    const outcomes = await runBatch([1, 2, 3], act, { signal: controller.signal, onStep: ignore });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'left']);
  });
});
