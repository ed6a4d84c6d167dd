import Database from 'better-sqlite3';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createAuditTrail } from '../../../../electron/agent/evidence/audit-trail.ts';
import { createChainHeads } from '../../../../electron/agent/evidence/chain-heads.ts';
import { createDeskKeys, createKeyFileStore } from '../../../../electron/agent/evidence/desk-keys.ts';
import { readStatements } from '../../../../electron/agent/evidence/check-chain.ts';
import type { SigningKeyStore, SystemLog } from '../../../../electron/agent/ports.ts';
import { auditHash, FIRST_HASH, type AuditRow } from '../../../../electron/agent/store/audit-rows.ts';
import { openDb } from '../../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../../electron/agent/store/tables.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { type Failure, FailureError } from '../../../../shared/domain/failure.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

const DESK = '0f8fad5b-d9cb-469f-a165-70867728950e';
const CHAIN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const HOUR_MS = 3_600_000;

let dir = '';
let journal: string[] = [];
const opened: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  dir = await makeUnsyncedFolder('heads-');
  journal = [];
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
  await rm(dir, { recursive: true });
});

interface DeskOptions {
  readonly systemLog?: SystemLog | undefined;
  readonly store?: SigningKeyStore;
  readonly chainId?: string;
  readonly send?: (line: string) => Promise<Result<unknown, Failure>>;
}

const keptJournal = (): SystemLog => ({
  name: 'the journal',
  write: async (line) => journal.push(line) > 0,
  read: async () => journal.join('\n'),
});

function open(options: DeskOptions = {}) {
  const { systemLog = keptJournal(), store = createKeyFileStore(dir), chainId = CHAIN } = options;
  const db = openDb(join(dir, 'queue.db'));
  if (!db.ok) throw new Error(db.error.message);
  const tables = createTables(db.value);
  const clock = createFakeClock();
  const logger = { info: () => undefined, warn: () => undefined };
  const trail = createAuditTrail({ rows: tables.audit, clock, logger });
  const events = new AgentEvents();
  const warned: (AgentEvent & { event: 'warning' })[] = [];
  events.on((event) => event.event === 'warning' && warned.push(event));
  const keys = createDeskKeys({ store, tables, clock, onLost: (lost) => void journal.push(`lost ${lost}`) });
  const heads = createChainHeads({
    tables,
    trail,
    keys,
    clock,
    logger,
    events,
    systemLog,
    dataDir: dir,
    deskId: DESK,
    chainId,
    isReplacementTold: false,
    send: options.send,
  });
  let isOpen = true;
  const stop = async (): Promise<void> => {
    await heads.stop();
    if (isOpen) db.value.close();
    isOpen = false;
  };
  opened.push({ stop });
  return { db: db.value, tables, trail, keys, heads, clock, warned, stop };
}

/** A desk that wrote some rows, stated its head between them, and was stopped. */
async function filled(): Promise<readonly AuditRow[]> {
  const desk = open();
  for (const id of ['1', '2', '3']) desk.trail.note('users.remove', { userId: id });
  await desk.heads.stateNow();
  for (const id of ['4', '5']) desk.trail.note('users.remove', { userId: id });
  await desk.heads.stateNow();
  const { rows } = desk.tables.audit.chain();
  await desk.stop();
  return rows;
}

/** Rewrites the file as someone would who can write to it and can recompute all hashes. */
function rewrite(change: (rows: AuditRow[]) => AuditRow[]): void {
  const db = new Database(join(dir, 'queue.db'));
  for (const name of ['in_order', 'not_changed', 'not_deleted']) db.exec(`DROP TRIGGER audit_${name}`);
  const rows = change(db.prepare<[], AuditRow>('SELECT * FROM audit ORDER BY sequence').all());
  db.exec('DELETE FROM audit');
  let before = FIRST_HASH;
  for (const [index, row] of rows.entries()) {
    const next = { ...row, sequence: index + 1 };
    before = auditHash(before, next);
    db.prepare('INSERT INTO audit VALUES (@sequence, @at, @account, @action, @detail, @hash, @format)').run({
      ...next,
      hash: before,
    });
  }
  db.prepare('UPDATE audit_tail SET sequence = ?, hash = ?').run(rows.length, before);
  db.close();
}

describe('the head of the chain', () => {
  it('stands in the system log and beside the database, signed, and the chain agrees with it', async () => {
    const rows = await filled();
    const stated = readStatements(journal.join('\n'));
    expect(stated).toHaveLength(2);
    expect(stated.at(-1)).toMatchObject({ deskId: DESK, chainId: CHAIN, hash: rows.at(-1)?.hash });
    const beside = await readFile(join(dir, 'chain-heads.txt'), 'utf8');
    expect(readStatements(beside)).toEqual(stated);
    const desk = open();
    expect(await desk.heads.check()).toMatchObject({ findings: [], agreeing: 2 });
    expect(desk.warned).toEqual([]);
  });

  it('names the head that was stated before it, so that a pack needs no rows in between', async () => {
    const rows = (await filled()).filter(({ action }) => action === 'chain.anchored');
    const [first, second] = rows;
    expect(JSON.parse(second?.detail ?? '')).toMatchObject({
      previous: { sequence: first?.sequence, hash: first?.hash },
    });
  });

  it('is stated with the start and each hour, and once a day to the channel', async () => {
    const sent: string[] = [];
    const desk = open({ send: async (line) => ok(sent.push(line)) });
    desk.heads.start();
    await desk.clock.untilAsleep();
    expect(journal).toHaveLength(1);
    for (let hour = 0; hour < 25; hour += 1) {
      await desk.clock.advance(HOUR_MS);
      await desk.clock.untilAsleep();
    }
    expect(journal).toHaveLength(26);
    expect(sent).toEqual([journal[0], journal[24]]);
  });

  it.each([
    ['once a day when its answer was lost', { mayHaveHappened: true }, 1],
    ['each hour while it cannot be sent', {}, 3],
  ] as const)('goes to the channel %s', async (_what, more, times) => {
    const sent: string[] = [];
    const desk = open({
      async send(line) {
        sent.push(line);
        return err(failureOf('API_EMPTY', more));
      },
    });
    for (let hour = 0; hour < 3; hour += 1) {
      await desk.heads.stateNow();
      await desk.clock.advance(HOUR_MS);
    }
    expect(sent).toHaveLength(times);
  });

  const deleteSecond = (rows: AuditRow[]) => rows.filter(({ sequence }) => sequence !== 2);
  const tampering: readonly (readonly [string, (rows: AuditRow[]) => AuditRow[], RegExp])[] = [
    ['a row was taken out', deleteSecond, /rewritten/],
    [
      'a row was changed',
      (rows) => rows.map((row) => (row.sequence === 3 ? { ...row, detail: '{"userId":"9"}' } : row)),
      /rewritten/,
    ],
    ['a row was put in', (rows) => [...rows.slice(0, 2), ...rows.slice(1)], /rewritten/],
    ['two rows were swapped', ([a, b, c, ...rest]) => [a, c, b, ...rest] as AuditRow[], /rewritten/],
    ['the end was cut off', (rows) => rows.slice(0, -2), /cut off/],
    ['all was deleted', () => [], /cut off/],
  ];
  it.each(tampering)('finds that %s although every hash was computed again', async (_what, change, says) => {
    await filled();
    rewrite(change);
    const desk = open();
    const { findings } = await desk.heads.check();
    expect(findings.map(({ text }) => text)).toEqual([expect.stringMatching(says)]);
    expect(desk.warned).toMatchObject([{ code: 'AUDIT_BROKEN', message: expect.stringMatching(says) }]);
    expect(desk.tables.audit.newest(1)).toMatchObject([{ action: 'chain.broken' }]);
    await desk.heads.check();
    expect(desk.tables.audit.newest(2).filter(({ action }) => action === 'chain.broken')).toHaveLength(1);
  });

  it('still finds it once the row whose hash was stated has been written and stated again', async () => {
    await filled();
    rewrite((rows) => rows.slice(0, -2));
    const desk = open();
    await desk.heads.check();
    await desk.heads.stateNow();
    expect(readStatements(journal.join('\n')).map(({ sequence }) => sequence)).toEqual([5, 8, 8]);
    expect(await desk.heads.check()).toMatchObject({ findings: [{ row: 8 }], agreeing: 2 });
  });

  it('finds it where the file beside the database was removed too, by the system log', async () => {
    await filled();
    rewrite(deleteSecond);
    await rm(join(dir, 'chain-heads.txt'));
    expect((await open().heads.check()).findings).toHaveLength(1);
  });

  it('finds it where the system log cannot be read, by the file beside the database', async () => {
    await filled();
    rewrite(deleteSecond);
    const silent = { ...keptJournal(), read: async () => undefined };
    expect((await open({ systemLog: silent }).heads.check()).findings).toHaveLength(1);
  });

  it('finds that the whole database was replaced by one with a chain of its own, once', async () => {
    await filled();
    await rm(join(dir, 'queue.db'));
    const OTHER = '11111111-7425-40de-944b-e07fc1f90ae7';
    const desk = open({ chainId: OTHER });
    const says = /The queue database was replaced: the chain hash published at/;
    expect((await desk.heads.check()).findings).toMatchObject([{ text: expect.stringMatching(says) }]);
    expect((await desk.heads.check()).findings).toEqual([]);
  });

  it('finds that database and signing key were replaced together, by statements of a key it does not know', async () => {
    await filled();
    await rm(join(dir, 'queue.db'));
    await rm(join(dir, 'desk-key.pem'));
    const { findings } = await open().heads.check();
    expect(findings).toMatchObject([
      { text: expect.stringContaining('a signing key that this desk does not know') },
    ]);
  });

  it('is not misled by lines that others write in its name', async () => {
    await filled();
    const last = journal.at(-1) ?? '';
    journal.push(last.replace(/rows=\d+/, 'rows=99999'), last.replace(DESK, CHAIN), 'vms-export-agent chain');
    expect((await open().heads.check()).findings).toEqual([]);
  });

  it('says once that the system log takes nothing, and goes on', async () => {
    const desk = open({ systemLog: { ...keptJournal(), write: async () => false } });
    await desk.heads.stateNow();
    expect(desk.heads.state()).toMatchObject({
      systemLog: { name: 'the journal', takes: false },
      statedAt: expect.any(String),
    });
  });

  it('states nothing while the key store is locked, says so once, and makes no other key', async () => {
    const store: SigningKeyStore = {
      load: () => Promise.reject(new FailureError(failureOf('KEY_STORE'))),
      store: async () => err(failureOf('KEY_STORE')),
      keptIn: async () => 'keyStore',
    };
    const desk = open({ store });
    await desk.heads.stateNow();
    await desk.heads.stateNow();
    expect([journal, desk.tables.deskKeys.all()]).toEqual([[], []]);
    expect(desk.warned).toMatchObject([{ code: 'KEY_STORE', message: expect.stringMatching(/ Wait\.$/) }]);
    expect(desk.heads.state().keyProblem).toBeDefined();
  });
});

describe('the signing key', () => {
  it('is made once, and only its owner can read it', async () => {
    const { keys } = open();
    const [one, other] = await Promise.all([keys.current(), keys.current()]);
    expect(one.fingerprint).toBe(other.fingerprint);
    expect((await stat(join(dir, 'desk-key.pem'))).mode & 0o777).toBe(0o600);
  });

  it('signs its own replacement', async () => {
    const desk = open();
    const old = await desk.keys.current();
    const renewed = await desk.keys.renew();
    expect(renewed.ok).toBe(true);
    const now = await desk.keys.current();
    expect(now.fingerprint).not.toBe(old.fingerprint);
    const [first, second] = desk.tables.deskKeys.all();
    expect(first?.fingerprint).toBe(old.fingerprint);
    expect(second?.statement).toContain(`"replaces":"${old.fingerprint}"`);
    expect(desk.tables.audit.newest(1)).toMatchObject([{ action: 'key.changed' }]);
  });

  it('that was lost is said, and another one is noted in its place', async () => {
    const first = open();
    const lost = await first.keys.current();
    await rm(join(dir, 'desk-key.pem'));
    await first.keys.current();
    expect(journal).toEqual([`lost ${lost.fingerprint}`]);
    expect(first.tables.audit.newest(1)).toMatchObject([{ action: 'key.lost' }]);
  });
});
