import Database from 'better-sqlite3';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditHash, findBreak } from '../../../../electron/agent/store/audit-rows.ts';
import { createAuditTrail } from '../../../../electron/agent/evidence/audit-trail.ts';
import { openDb } from '../../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../../electron/agent/store/tables.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

let dir = '';
const opened: { close(): void }[] = [];

beforeEach(async () => {
  dir = await makeUnsyncedFolder('audit-');
});
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await rm(dir, { recursive: true });
});

function open() {
  const result = openDb(join(dir, 'queue.db'));
  if (!result.ok) throw new Error(result.error.message);
  opened.push(result.value);
  const rows = createTables(result.value).audit;
  const logged: unknown[] = [];
  const trail = createAuditTrail({
    rows,
    clock: { now: () => Date.UTC(2026, 4, 1, 18) },
    logger: { info: (_line, fields) => void logged.push(fields) },
  });
  return { db: result.value, rows, trail, logged };
}

/** Changes the database as someone with a database tool would, after dropping the triggers. */
function tamper(sql: string): void {
  const db = new Database(join(dir, 'queue.db'));
  for (const name of ['in_order', 'not_changed', 'not_deleted']) db.exec(`DROP TRIGGER audit_${name}`);
  db.exec(sql);
  db.close();
}

function fill() {
  const desk = open();
  for (const id of ['1', '2', '3', '4']) desk.trail.note('users.remove', { userId: id });
  return desk;
}

describe('the audit trail', () => {
  it('says when, under which account, and what', () => {
    const { rows, trail } = open();
    expect(trail.note('users.remove', { state: 'asked', userId: '7' })).toBe(1);
    expect(trail.note('users.remove', { state: 'done', of: 1 })).toBe(2);
    expect(rows.chain().rows).toMatchObject([
      {
        sequence: 1,
        at: Date.UTC(2026, 4, 1, 18),
        account: userInfo().username,
        action: 'users.remove',
        detail: '{"state":"asked","userId":"7"}',
      },
      { sequence: 2, detail: '{"state":"done","of":1}' },
    ]);
  });

  it('goes on where it was after a new start', () => {
    fill().db.close();
    const { rows, trail } = open();
    expect(trail.note('agent.started', {})).toBe(5);
    expect(findBreak(rows.chain())).toBeUndefined();
  });

  it.each([
    ["UPDATE audit SET action = 'users.get' WHERE sequence = 2", 'stay as they are'],
    ['DELETE FROM audit WHERE sequence = 2', 'rows stay'],
    ['DELETE FROM audit', 'rows stay'],
    ["INSERT OR REPLACE INTO audit VALUES (2, 0, '', '', '{}', '', 2)", 'audit rows'],
    ["INSERT INTO audit VALUES (9, 0, '', '', '{}', '', 2)", 'follow one another'],
  ])('does not take %s', (sql, message) => {
    const { db, trail } = fill();
    expect(() => db.exec(sql)).toThrow(message);
    expect(trail.findBreak()).toBeUndefined();
  });

  it.each([
    ['UPDATE audit SET detail = \'{"userId":"9"}\' WHERE sequence = 3', 3],
    ["UPDATE audit SET account = 'somebody' WHERE sequence = 1", 1],
    ['UPDATE audit SET at = at + 1 WHERE sequence = 4', 4],
    ['DELETE FROM audit WHERE sequence = 2', 2],
    ['DELETE FROM audit WHERE sequence = 1', 1],
    ['DELETE FROM audit WHERE sequence = 2; UPDATE audit SET sequence = sequence - 1 WHERE sequence > 2', 2],
    ['DELETE FROM audit WHERE sequence = 4', 4],
  ])('input H3: finds %s', (sql, row) => {
    fill().db.close();
    tamper(sql);
    const { trail } = open();
    expect(trail.findBreak()).toBe(row);
    expect(trail.lines()[0]).toMatch(new RegExp(`^[34] rows, broken from row ${row} onward$`));
  });

  it('input H3: finds that the end was cut off, also after a row was added behind it', () => {
    fill().db.close();
    tamper('DELETE FROM audit WHERE sequence > 2');
    const { trail } = open();
    expect(trail.findBreak()).toBe(3);
    expect(trail.note('agent.started', {})).toBe(5);
    expect(trail.findBreak()).toBe(3);
  });

  it('input H3: finds rows that stand without a chain', () => {
    fill().db.close();
    tamper("UPDATE audit SET hash = ''");
    expect(open().trail.findBreak()).toBe(1);
  });

  it('leaves number and hash of each row in the log too, where a cut end is missed', () => {
    const { rows, logged } = fill();
    expect(logged).toEqual(
      rows.chain().rows.map(({ sequence, action, hash }) => ({ sequence, action, hash })),
    );
  });

  it('shows the newest rows below its verdict', () => {
    const { trail } = fill();
    const [verdict, ...lines] = trail.lines();
    expect(verdict).toBe('4 rows, intact');
    expect(lines[3]).toMatch(/^4 2026-05-01T18:00:00\.000Z users\.remove \{"userId":"4"\} [0-9a-f]{16}$/);
  });

  it('has hashes that nobody changes by moving a border between two fields', () => {
    const row = { sequence: 1, at: 0, account: 'a', action: 'bc', detail: '{}', format: 2 };
    expect(auditHash('', row)).not.toBe(auditHash('', { ...row, account: 'ab', action: 'c' }));
  });

  describe('after old rows were removed', () => {
    const OLD = Date.UTC(2026, 5, 1);

    /** Trims as retention does. */
    function trim({ rows, trail, db }: ReturnType<typeof open>, least = 1) {
      return db.transaction(() => {
        const end = rows.trim(OLD, least, 2);
        if (end !== undefined) trail.note('audit.trimmed', { upTo: end.sequence, hash: end.hash });
        return end?.rows;
      })();
    }

    it('is whole from where it goes on, and goes on over starts and more removals', () => {
      const desk = fill();
      expect([trim(desk), desk.trail.findBreak()]).toEqual([2, undefined]);
      desk.db.close();
      const later = open();
      expect(later.trail.lines()[0]).toBe('3 rows (older rows, up to row 2, were removed), intact');
      expect([trim(later), later.trail.findBreak()]).toEqual([2, undefined]);
      expect(later.trail.note('agent.started', {})).toBe(7);
      expect(later.rows.chain().rows.map(({ sequence }) => sequence)).toEqual([5, 6, 7]);
    });

    it('keeps what is young, the last row, and all while only a few are old', () => {
      const desk = fill();
      expect(desk.rows.trim(Date.UTC(2026, 3, 1), 1, 100)).toBeUndefined();
      expect(trim(desk, 3)).toBeUndefined();
      expect(desk.rows.trim(OLD, 1, 100)).toMatchObject({ sequence: 3, rows: 3 });
    });

    it('still takes no other removal', () => {
      const desk = fill();
      trim(desk);
      expect(() => desk.db.exec('DELETE FROM audit WHERE sequence = 3')).toThrow('rows stay');
    });

    it.each([
      ['DELETE FROM audit WHERE sequence = 3', 3],
      ['UPDATE audit_anchor SET hash = 1', 3],
      [
        'UPDATE audit_anchor SET sequence = 3, hash = (SELECT hash FROM audit WHERE sequence = 3); DELETE FROM audit WHERE sequence = 3',
        3,
      ],
    ])('finds %s', (sql, row) => {
      const desk = fill();
      trim(desk);
      desk.db.close();
      tamper(sql);
      expect(open().trail.findBreak()).toBe(row);
    });
  });
});
