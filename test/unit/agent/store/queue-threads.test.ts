import { EventEmitter } from 'node:events';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Worker } from 'node:worker_threads';
import type { CheckpointQuestion } from '../../../../electron/agent/store/checkpoint-worker.ts';
import { startCheckpoints } from '../../../../electron/agent/store/queue-threads.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';
import { sharedThreads } from '../../../helpers/shared-threads.ts';

let queue: QueueFixture;
const onError = vi.fn<(error: unknown) => void>();

beforeEach(async () => {
  onError.mockReset();
  queue = await openQueue(5_000);
});
afterEach(() => queue.close());

const logPages = (): number =>
  queue.db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? -1;

/** Writes a folder's description of 100 kB, 26 pages of the log, this many times. */
function writeMuch(times: number): void {
  const first = queue.tables.incidents.count();
  for (let number = first; number < first + times; number += 1) {
    const row = incidentRow({
      id: `incident-${number}`,
      exportPath: `${number}`,
      description: 'x'.repeat(100_000),
    });
    queue.tables.writeUnsynced(() => void queue.tables.incidents.insert(row));
  }
}

describe('startCheckpoints', () => {
  const start = () =>
    startCheckpoints({ db: queue.db, tables: queue.tables, threads: sharedThreads, onError });

  it('takes a long log into the database on another thread, and lets it start over', async () => {
    const stop = start();
    writeMuch(100);
    expect(logPages()).toBeGreaterThan(2_000);
    await eventually(() => logPages() === 1, 'a log of one page');
    const { size } = statSync(`${queue.file}-wal`);
    writeMuch(60);
    expect(logPages()).toBeGreaterThan(1_000);
    expect(statSync(`${queue.file}-wal`).size).toBe(size);
    await stop();
    expect(onError).not.toHaveBeenCalled();
    expect(queue.another().tables.incidents.count()).toBe(160);
  });

  it('holds others back only for what they write while most of the log is taken in', async () => {
    const asked: unknown[] = [];
    const thread = Object.assign(new EventEmitter(), {
      unref: () => undefined,
      postMessage({ restartsLog }: CheckpointQuestion) {
        setImmediate(() => {
          asked.push([
            restartsLog ? 'restart log' : 'take in',
            queue.tables.held() === undefined ? 'free' : 'held',
          ]);
          thread.emit('message', {});
        });
      },
    });
    const threads = { take: () => thread as unknown as Worker, giveBack: async () => undefined };
    const stop = startCheckpoints({ db: queue.db, tables: queue.tables, threads, onError });
    writeMuch(100);
    await eventually(() => asked.length >= 2, 'what was written meanwhile');
    await stop();
    expect(asked.slice(0, 2)).toEqual([
      ['take in', 'free'],
      ['restart log', 'held'],
    ]);
    expect(queue.tables.held()).toBeUndefined();
  });

  it('never takes a log into another file that took the place of its own', async () => {
    const stop = start();
    renameSync(queue.file, `${queue.file}.old`);
    writeFileSync(queue.file, readFileSync(`${queue.file}.old`));
    const before = readFileSync(queue.file);
    const take = vi.spyOn(sharedThreads, 'take');
    writeMuch(100);
    await eventually(() => take.mock.calls.length > 0, 'a checkpoint');
    await stop();
    take.mockRestore();
    expect(readFileSync(queue.file).equals(before)).toBe(true);
    expect(logPages()).toBeGreaterThan(2_000);
  });

  it('says what the disk refused, with its code', async () => {
    const stop = start();
    writeMuch(100);
    rmSync(queue.file);
    await eventually(() => onError.mock.calls.length > 0, 'an error');
    await stop();
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'SQLITE_CANTOPEN' })]]);
  });
});
