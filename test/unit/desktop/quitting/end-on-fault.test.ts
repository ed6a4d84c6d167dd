import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  createRelaunch,
  faultsBefore,
  endOnFault,
  pauseAfterFaults,
  stopsAfter,
} from '../../../../electron/desktop/quitting/end-on-fault.ts';
import { say } from '../../../helpers/desk-tools.ts';

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function createDesk(faults = 0, lastLine = '') {
  const done: string[] = [];
  const process = new EventEmitter();
  let nowMs = 0;
  const silent = (): void => undefined;
  endOnFault({
    app: { exit: (code) => void done.push(`exit ${code}`) },
    process,
    clock: { monotonic: () => nowMs },
    logger: { debug: silent, info: silent, warn: silent, error: (line) => void done.push(line) },
    flush: async () => void done.push('flush'),
    relaunch: async (next) => void done.push(`comes back after ${next?.inARow}`),
    faults,
    lastLine: () => lastLine,
    showError: (title, text) => void done.push(`${title}: ${text}`),
    say,
    logFile: '/logs/agent.log',
  });
  return { process, done, wait: (ms: number) => (nowMs += ms) };
}

const SAID = 'The app is ending because of an internal error';

describe('a fault in the program', () => {
  it.each(['uncaughtException', 'unhandledRejection'])(
    'ends the app and starts it again, asking nobody, after %s',
    async (event) => {
      const { process, done } = createDesk();
      process.emit(event, new Error('bug'));
      await settle();
      expect(done).toEqual([SAID, 'flush', 'comes back after 1', 'exit 1']);
    },
  );

  it('fault 10: starts again three times in a row, since nobody may be there, then only to say why', async () => {
    const ends = [];
    for (const faults of [0, 1, 2, 3]) {
      const { process, done } = createDesk(faults);
      process.emit('uncaughtException', new Error('bug'));
      await settle();
      ends.push(done.slice(2).join());
    }
    expect(ends).toEqual([1, 2, 3, 4].map((count) => `comes back after ${count},exit 1`));
    const told = [0, 1, 2, 3, 4].map((inARow) => stopsAfter({ inARow }, say, 'agent.log') !== undefined);
    expect(told).toEqual([false, false, false, false, true]);
  });

  it('says after the fourth fault in a row what happened, where the log is, and what to do', () => {
    const told = stopsAfter({ inARow: 4, reason: 'TypeError: no such clip' }, say, '/logs/agent.log');
    expect(told?.message).toBe('VMS Export Agent keeps stopping.');
    expect(told?.advice).toContain('4 times in a row: TypeError: no such clip.');
    expect(told?.advice).toContain('nothing is sent');
    expect(told?.advice).toMatch(/Start it again\..*reinstall.*\/logs\/agent\.log$/);
    expect(stopsAfter({ inARow: 4 }, say, 'agent.log')?.advice).toContain(
      'see the program log for the reason',
    );
  });

  it('says so in a box when even the start that only tells fails, and does not start for ever', async () => {
    const line = JSON.stringify({ error: { name: 'Error', message: 'no\nscreen' } });
    const { process, done } = createDesk(4, line);
    process.emit('uncaughtException', new Error('no screen'));
    await settle();
    expect(done.slice(2)).toEqual([expect.stringContaining('Error: no␊screen'), 'exit 1']);
  });

  it('counts again after ten steady minutes', async () => {
    const { process, done, wait } = createDesk(3);
    wait(10 * 60_000);
    process.emit('uncaughtException', new Error('bug'));
    await settle();
    expect(done.slice(2)).toEqual(['comes back after 1', 'exit 1']);
  });

  it('ends once, however many faults follow', async () => {
    const { process, done } = createDesk();
    for (const event of ['uncaughtException', 'unhandledRejection']) process.emit(event, new Error('bug'));
    await settle();
    expect(done).toHaveLength(4);
  });

  it('gives the next start more time with each fault', () => {
    const pauses = [0, 1, 2, 3].map(pauseAfterFaults);
    expect(pauses[0]).toBe(0);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(new Set(pauses).size).toBe(4);
  });
});

describe('coming back', () => {
  function createDeskOf(args: readonly string[], ownArguments: number) {
    const starts: (readonly string[] | undefined)[] = [];
    const relaunch = createRelaunch({
      app: {
        relaunch: (options) => void starts.push(options?.args),
        releaseSingleInstanceLock: () => undefined,
      },
      appImage: undefined,
      args,
      ownArguments,
    });
    return { relaunch, starts };
  }

  it('keeps the switches and the app itself, and takes no folder or link twice', async () => {
    const { relaunch, starts } = createDeskOf(
      ['.', '--hidden', '--after-fault=1', '--fault-reason=Old', '/mnt/usb'],
      1,
    );
    await relaunch({ inARow: 2, reason: 'Error: 100 % full' });
    await relaunch();
    expect(starts).toEqual([
      ['.', '--hidden', '--after-fault=2', '--fault-reason=Error%3A%20100%20%25%20full'],
      ['.', '--hidden'],
    ]);
    expect(faultsBefore(starts[0] ?? [])).toEqual({ inARow: 2, reason: 'Error: 100 % full' });
  });

  it.each([
    [['app', '--after-fault=2'], 2],
    [['app'], 0],
    [['app', '--after-fault=99'], 0],
    [['app', '--after-fault='], 0],
  ])('%j: %d faults before', (args, faults) => {
    expect(faultsBefore(args)).toEqual({ inARow: faults });
  });
});
