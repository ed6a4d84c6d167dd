import { ownThreads } from '../../electron/agent/files/own-threads.ts';
import { createSnapshotReader, type SnapshotReader } from '../../electron/agent/files/snapshot-reader.ts';
import type { Clock, WorkerThreads } from '../../electron/agent/ports.ts';
import type { SendWay } from '../../electron/agent/upload/thread/send-worker.ts';

/** The threads that read small files and send them, as the agent has them; by default they may send to this machine. */
export function smallFileThreads(
  clock: Clock,
  threads: WorkerThreads = ownThreads,
  way: Partial<SendWay> = {},
): SnapshotReader {
  return createSnapshotReader(clock, threads, {
    url: new URL('../../electron/agent/upload/thread/send-worker.ts', import.meta.url),
    opening: (): SendWay => ({ allowLoopback: true, hosts: [], authorities: undefined, ...way }),
  });
}
