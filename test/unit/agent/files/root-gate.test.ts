import { describe, expect, it } from 'vitest';
import { enlargeThreadPool } from '../../../../electron/agent/files/own-threads.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

/** An operation that the test ends. */
function operation<T>(): {
  run: () => Promise<T>;
  isBegun: () => boolean;
  end(value: T): void;
  fail(error: Error): void;
} {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let isBegun = false;
  return {
    run() {
      isBegun = true;
      return promise;
    },
    isBegun: () => isBegun,
    end: resolve,
    fail: reject,
  };
}

function setUp() {
  const clock = createFakeClock();
  return { clock, gate: createRootGate({ clock, rootPath: '/exports' }) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('root gate', () => {
  it('lets two operations through at a time, the others in order', async () => {
    const { gate } = setUp();
    const operations = [operation<number>(), operation<number>(), operation<number>(), operation<number>()];
    const answers = operations.map((one) => gate.run(one.run));
    await turn();
    expect(operations.map((one) => one.isBegun())).toEqual([true, true, false, false]);
    operations[1]?.end(1);
    await turn();
    expect(operations.map((one) => one.isBegun())).toEqual([true, true, true, false]);
    for (const [index, one] of operations.entries()) one.end(index);
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3]);
    gate.close();
  });

  it('passes an error of the operation on, and goes on after it', async () => {
    const { gate } = setUp();
    await expect(gate.run(() => Promise.reject(new Error('ENOENT')))).rejects.toThrow('ENOENT');
    const throwing = (): Promise<number> => {
      throw new Error('at once');
    };
    await expect(gate.run(throwing)).rejects.toThrow('at once');
    await expect(gate.run(async () => 3)).resolves.toBe(3);
    gate.close();
  });

  it('gives up an operation after 30 s, refuses all others at once, and begins none', async () => {
    const { clock, gate } = setUp();
    const hung = operation<number>();
    const healthy = operation<number>();
    const queued = operation<number>();
    const results = [hung, healthy, queued].map((one) => gate.run(one.run).catch((error: unknown) => error));
    await turn();
    await clock.advance(29_999);
    expect(gate.isHung()).toBe(false);
    healthy.end(2);
    await turn();
    expect(queued.isBegun()).toBe(true);
    await clock.advance(1);
    expect(gate.isHung()).toBe(true);
    expect(await results[0]).toMatchObject({ failure: { code: 'ROOT_HUNG', retryable: true } });
    const refused = operation<number>();
    await expect(gate.run(refused.run)).rejects.toMatchObject({ failure: { code: 'ROOT_HUNG' } });
    expect(refused.isBegun()).toBe(false);
    queued.end(3);
    expect(await Promise.all(results.slice(1))).toEqual([2, 3]);
    gate.close();
  });

  it('refuses those that wait when one hangs', async () => {
    const { clock, gate } = setUp();
    const first = [operation<number>(), operation<number>()].map((one) => gate.run(one.run));
    const waiting = operation<number>();
    const results = [...first, gate.run(waiting.run)].map((one) => one.catch((error: unknown) => error));
    await turn();
    await clock.advance(30_000);
    for (const result of results) expect(await result).toMatchObject({ failure: { code: 'ROOT_HUNG' } });
    expect(waiting.isBegun()).toBe(false);
    gate.close();
  });

  it('opens again when the hung operation returns, and hands its late value over', async () => {
    const { clock, gate } = setUp();
    const hung = operation<string>();
    const late: string[] = [];
    const result = gate
      .run(hung.run, undefined, (value) => late.push(value))
      .catch((error: unknown) => error);
    await turn();
    await clock.advance(30_000);
    await result;
    hung.end('handle');
    await turn();
    expect(late).toEqual(['handle']);
    expect(gate.isHung()).toBe(false);
    await expect(gate.run(async () => 1)).resolves.toBe(1);
    gate.close();
  });

  it('opens again when the hung operation fails late', async () => {
    const { clock, gate } = setUp();
    const hung = operation<string>();
    const result = gate.run(hung.run).catch((error: unknown) => error);
    await turn();
    await clock.advance(30_000);
    await result;
    hung.fail(new Error('ESTALE'));
    await turn();
    await expect(gate.run(async () => 1)).resolves.toBe(1);
    gate.close();
  });

  it('lets go of a caller whose signal comes, but still counts the operation', async () => {
    const { clock, gate } = setUp();
    const slow = operation<number>();
    const other = operation<number>();
    const stop = new AbortController();
    const results = [slow, other].map((one) =>
      gate.run(one.run, stop.signal).catch((error: unknown) => error),
    );
    const waiting = operation<number>();
    const third = gate.run(waiting.run);
    await turn();
    stop.abort(new Error('stopped'));
    expect(await Promise.all(results)).toEqual([new Error('stopped'), new Error('stopped')]);
    await turn();
    expect(waiting.isBegun()).toBe(false);
    slow.end(1);
    await turn();
    expect(waiting.isBegun()).toBe(true);
    waiting.end(3);
    expect(await third).toBe(3);
    await clock.advance(30_000);
    // the abandoned one still occupies a thread, so it counts as hung
    expect(gate.isHung()).toBe(true);
    other.end(2);
    await turn();
    expect(gate.isHung()).toBe(false);
    gate.close();
  });

  it('never begins an operation whose signal came while it waited', async () => {
    const { gate } = setUp();
    const busy = [operation<number>(), operation<number>()];
    const answers = busy.map((one) => gate.run(one.run));
    const stop = new AbortController();
    const waiting = operation<number>();
    const result = gate.run(waiting.run, stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('stopped'));
    for (const one of busy) one.end(0);
    await Promise.all(answers);
    expect(await result).toEqual(new Error('stopped'));
    await turn();
    expect(waiting.isBegun()).toBe(false);
    gate.close();
  });

  it('leaves another root alone while one hangs', async () => {
    const { clock, gate } = setUp();
    const otherGate = createRootGate({ clock, rootPath: '/others' });
    const hung = gate.run(operation<number>().run).catch((error: unknown) => error);
    await turn();
    await clock.advance(30_000);
    await hung;
    await expect(otherGate.run(async () => 'fine')).resolves.toBe('fine');
    gate.close();
    otherGate.close();
  });
});

describe('a root gate while this program has no handles left', () => {
  const shortage = (): Error => Object.assign(new Error('EMFILE'), { code: 'EMFILE', errno: -24 });

  it('tries an operation again until a handle is free, and says so', async () => {
    const said: string[] = [];
    const clock = createFakeClock();
    const gate = createRootGate({
      clock,
      rootPath: '/exports',
      onHandlesUsedUp: ({ code }) => said.push(code),
    });
    let tries = 0;
    const answer = gate.run(async () => {
      tries += 1;
      if (tries < 4) throw shortage();
      return 'read';
    });
    await clock.advance(2_000);
    expect(await answer).toBe('read');
    expect(said).toEqual(['HANDLES_USED_UP', 'HANDLES_USED_UP', 'HANDLES_USED_UP']);
    gate.close();
  });

  it('gives up before the root counts as hung', async () => {
    const { clock, gate } = setUp();
    const answer = gate.run(async () => Promise.reject(shortage())).catch((error: unknown) => error);
    await clock.advance(20_000);
    expect(await answer).toMatchObject({ failure: { code: 'HANDLES_USED_UP' } });
    expect(gate.isHung()).toBe(false);
    gate.close();
  });
});

describe('a root gate after the PC slept', () => {
  it('does not take an operation for hung that was under way', async () => {
    const clock = createFakeClock();
    let sleptMs = 0;
    const gate = createRootGate({
      clock: { ...clock, monotonic: () => clock.monotonic() + sleptMs },
      rootPath: '/exports',
    });
    const slow = operation<number>();
    const answer = gate.run(slow.run);
    await turn();
    sleptMs = 8 * 60 * 60_000;
    await clock.advance(5_000);
    expect(gate.isHung()).toBe(false);
    slow.end(1);
    expect(await answer).toBe(1);
    gate.close();
  });
});

describe('thread pool', () => {
  it.each([
    [{}, 3, '18'],
    [{ UV_THREADPOOL_SIZE: '64' }, 3, '64'],
    [{ UV_THREADPOOL_SIZE: '2' }, 3, '18'],
    [{ UV_THREADPOOL_SIZE: 'many' }, 1, '14'],
    [{}, 10_000, '1024'],
  ])('in %j with %s roots has %s threads', (environment: NodeJS.ProcessEnv, rootCount, size) => {
    expect(enlargeThreadPool(environment, rootCount)).toBe(Number(size));
    expect(environment['UV_THREADPOOL_SIZE']).toBe(size);
  });
});
