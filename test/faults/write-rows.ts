import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CheckpointQuestion } from '../../electron/agent/store/checkpoint-worker.ts';
import { openDb } from '../../electron/agent/store/open-db.ts';
import { fileIdentity } from '../../electron/agent/store/queue-file.ts';
import { createTables } from '../../electron/agent/store/tables.ts';
import { incidentRow } from '../helpers/queue-fixture.ts';

/**
 * Writes row after row into a queue and prints the number of each once it is stored: every reported row must be there,
 * whatever happens. Arguments: the file, pages of log before a checkpoint, and who waits for the disk: each commit
 * (`full`), a sync beside the main thread (`beside`), the same with checkpoints on a thread of their own (`thread`), or
 * nobody (`normal`, the control, which may lose rows).
 */
const [, , file = '', checkpointPages = '1000', durability = 'full', most = '100000'] = process.argv;
const opened = openDb(file);
if (!opened.ok) throw new Error(opened.error.message);
const db = opened.value;
db.pragma(`wal_autocheckpoint = ${Number(checkpointPages)}`);
if (durability === 'normal') db.pragma('synchronous = NORMAL');
const tables = createTables(db);
if (durability === 'thread') void checkpointAlways();
const first = tables.incidents.count();
for (let number = first; number < first + Number(most); number += 1) {
  const insert = (): void =>
    void tables.incidents.insert(incidentRow({ id: `incident-${number}`, exportPath: `folder ${number}` }));
  if (durability === 'beside' || durability === 'thread') {
    tables.writeUnsynced(insert);
    await tables.synced();
  } else insert();
  writeSync(1, `${number + 1}\n`);
}

/** Runs checkpoints continuously, with a few rows between them. */
async function checkpointAlways(): Promise<never> {
  const thread = new Worker(new URL('../../electron/agent/store/checkpoint-worker.ts', import.meta.url));
  const identity = fileIdentity(file) ?? '';
  const checkpoint = async (restartsLog: boolean): Promise<void> => {
    const question: CheckpointQuestion = { file, identity, logLimitBytes: 1024 * 1024, restartsLog };
    thread.postMessage(question);
    const [{ problem }] = await once(thread, 'message');
    if (problem !== undefined) throw new Error(problem.message);
  };
  for (;;) {
    await checkpoint(false);
    await tables.holdBack(() => checkpoint(true));
    await sleep(5);
  }
}
