import { randomUUID } from 'node:crypto';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  identifyDesk,
  type DeskMemory,
  type StartFinding,
} from '../../../../electron/agent/store/desk-id.ts';
import { DATABASE_FILE, openDb } from '../../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../../electron/agent/store/tables.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

let dir = '';
beforeEach(async () => {
  dir = await makeUnsyncedFolder('desk-');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const desk = () => join(dir, 'desk.json');
const queue = () => join(dir, DATABASE_FILE);

/** Starts with the queue in the directory; returns the ID, and what was repaired. */
async function start(more: Partial<DeskMemory> = {}) {
  const opened = openDb(queue());
  if (!opened.ok) throw new Error(opened.error.message);
  const findings: StartFinding[] = [];
  try {
    const memory = { ...createTables(opened.value).desk, ...more };
    const id = await identifyDesk(dir, memory, (finding) => findings.push(finding));
    return { id, said: findings.map(({ code, action }) => `${code} ${action}`), findings };
  } finally {
    opened.value.close();
  }
}

async function loseQueue(): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(queue() + suffix, { force: true });
}

describe('identifyDesk', () => {
  it('says nothing as long as desk.json and the queue agree', async () => {
    const { id } = await start();
    for (let each = 0; each < 3; each += 1) expect(await start()).toMatchObject({ id, said: [] });
  });

  it.each([
    ['is empty', ''],
    ['was cut off', '{"deskId": "0d5f0a54-6d0e-4a3c'],
    ['is not JSON', 'hello'],
    ['names no id', '{}'],
    ['names something else', '{"deskId": "desk 4"}'],
    ['is nothing but zeroes after a power cut', '\0'.repeat(58)],
  ])('restores a desk.json that %s from the queue, once', async (_what, text) => {
    const { id } = await start();
    await writeFile(desk(), text);
    expect(await start()).toMatchObject({ id, said: ['DESK_RESTORED desk.restored'] });
    expect(JSON.parse(await readFile(desk(), 'utf8'))).toMatchObject({ deskId: id });
    expect(await start()).toMatchObject({ id, said: [] });
  });

  it('restores a desk.json that is gone', async () => {
    const { id } = await start();
    await rm(desk());
    expect(await start()).toMatchObject({ id, said: ['DESK_RESTORED desk.restored'] });
  });

  it('says that the queue is gone, once, and keeps the id', async () => {
    const { id } = await start();
    await loseQueue();
    expect(await start()).toMatchObject({ id, said: ['QUEUE_LOST queue.lost'] });
    expect(await start()).toMatchObject({ id, said: [] });
  });

  it('says that another queue of this desk was put in place of its own', async () => {
    const { id } = await start();
    await loseQueue();
    const other = openDb(queue());
    if (!other.ok) throw new Error(other.error.message);
    createTables(other.value).desk.identify({ deskId: id, queueId: randomUUID(), starts: 90 });
    other.value.close();
    expect(await start()).toMatchObject({ id, said: ['QUEUE_REPLACED queue.replaced'] });
    expect(await start()).toMatchObject({ id, said: [] });
  });

  it('says that an older copy of the queue was put back', async () => {
    const { id } = await start();
    await copyFile(queue(), join(dir, 'backup'));
    await start();
    await copyFile(join(dir, 'backup'), queue());
    const { findings, ...found } = await start();
    expect(found).toEqual({ id, said: ['QUEUE_REPLACED queue.replaced'] });
    expect(findings[0]?.message).toContain('an older copy');
  });

  it('takes the id out of a queue that was damaged and set aside, and says nothing of a lost one', async () => {
    const { id } = await start();
    await loseQueue();
    await writeFile(desk(), '');
    const rebuilt = { isRebuilt: true, rebuiltFrom: id };
    expect(await start(rebuilt)).toMatchObject({ id, said: ['DESK_RESTORED desk.restored'] });
  });

  it('refuses a desk.json of another desk, and says how to keep the queue', async () => {
    await start();
    await writeFile(desk(), JSON.stringify({ deskId: randomUUID() }));
    const refusal = await start().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ failure: { code: 'DATA_FOLDER' } });
    // The advice works
    await rm(desk());
    expect((await start()).said).toEqual(['DESK_RESTORED desk.restored']);
  });

  it('makes no new id by itself where desk.json is damaged and the queue is gone', async () => {
    await start();
    await loseQueue();
    await writeFile(desk(), '');
    const refusal = await start().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      failure: { code: 'DATA_FOLDER', advice: expect.stringContaining('Restore desk.json or queue.db') },
    });
    expect(await readFile(desk(), 'utf8')).toBe('');
  });

  it('knows a desk of an earlier version, which noted no queue', async () => {
    const { id } = await start();
    await writeFile(desk(), JSON.stringify({ deskId: id }));
    expect(await start()).toMatchObject({ id, said: [] });
  });
});
