import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { endOnFault } from '../../../../electron/desktop/quitting/end-on-fault.ts';

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function createDesk() {
  const done: string[] = [];
  const process = new EventEmitter();
  let nowMs = 0;
  const silent = (): void => undefined;
  endOnFault({
    app: { relaunch: () => void done.push('relaunch'), exit: (code) => void done.push(`exit ${code}`) },
    dialog: { showErrorBox: (_, text) => void done.push(text.includes('Nothing is lost') ? 'told' : text) },
    process,
    clock: { monotonic: () => nowMs },
    logger: { debug: silent, info: silent, warn: silent, error: (line) => void done.push(line) },
    async flush() {
      done.push('flush');
      throw new Error('disk full');
    },
  });
  return { process, done, wait: (ms: number) => (nowMs += ms) };
}

describe('a fault in the program', () => {
  it.each(['uncaughtException', 'unhandledRejection'])(
    'ends the app with a word, after %s',
    async (event) => {
      const { process, done } = createDesk();
      process.emit(event, new Error('bug'));
      await settle();
      expect(done).toEqual(['The program ends because of a fault of its own', 'flush', 'told', 'exit 1']);
    },
  );

  it('fault 10: starts an app again that ran for long, since nobody may be there', async () => {
    const { process, done, wait } = createDesk();
    wait(10 * 60_000);
    process.emit('uncaughtException', new Error('bug'));
    await settle();
    expect(done.slice(2)).toEqual(['relaunch', 'exit 1']);
  });

  it('ends once, however many faults follow', async () => {
    const { process, done } = createDesk();
    for (const event of ['uncaughtException', 'unhandledRejection']) process.emit(event, new Error('bug'));
    await settle();
    expect(done).toHaveLength(4);
  });
});
