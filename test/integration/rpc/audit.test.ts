import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { AuditRow } from '../../../electron/agent/store/audit-rows.ts';
import { secretForms } from '../../../electron/agent/core/text/redact.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { CANARY_KEY, startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** The audit trail as an administrator sees it who opens the database of the running agent. */
function readTrail(dataDir: string): readonly AuditRow[] {
  const db = new Database(join(dataDir, 'queue.db'), { readonly: true });
  const rows = db.prepare<[], AuditRow>('SELECT * FROM audit ORDER BY sequence').all();
  db.close();
  return rows;
}

/** People's actions, renumbered: rows about the chain itself depend on when its key was created. */
function told(rows: readonly AuditRow[]): readonly unknown[] {
  const own = rows.filter(({ action }) => !/^(?:chain|key|roots)\./.test(action));
  const numbers = new Map(own.map(({ sequence }, index) => [sequence, index + 1]));
  return own.map(({ action, detail }) => [
    action,
    JSON.parse(detail, (name, value) => (name === 'of' ? numbers.get(value) : value)),
  ]);
}

test('what a person orders at the desk stays written: users, settings, key, messages', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const [user] = desk.simulator.team().users;
  const userId = user?.id ?? 0;
  expect(await desk.call('users.list', { filter: {}, page: 1, perPage: 10 })).toMatchObject({ ok: true });
  expect(await desk.call('users.remove', { userId })).toMatchObject({ ok: true });
  expect(await desk.call('users.remove', { userId })).toMatchObject({ ok: false });
  await desk.call('users.create', {
    user: { loginType: 'PHONE_NUMBER', firstName: 'Ada', lastName: 'L', phoneNumber: '+14155550123' },
  });
  await desk.call('settings.save', { change: { baseUrl: 'http://127.0.0.1:9/secret-path' } });
  await desk.call('settings.setKey', { key: CANARY_KEY });
  await desk.call('settings.forgetKey', {});
  const rows = readTrail(desk.dataDir);
  expect(told(rows)).toEqual([
    ['agent.started', { version: '0.0.0' }],
    ['users.remove', { state: 'asked', userId: String(userId) }],
    ['users.remove', { state: 'done', of: 2 }],
    ['users.remove', { state: 'asked', userId: String(userId) }],
    ['users.remove', { state: 'refused', of: 4, code: 'NOT_FOUND' }],
    ['users.create', { state: 'asked', loginType: 'PHONE_NUMBER' }],
    ['users.create', { state: 'done', of: 6, userId: expect.any(String) }],
    ['settings.save', { state: 'asked', fields: ['baseUrl'], service: '127.0.0.1:9' }],
    ['settings.save', { state: 'done', of: 8 }],
    ['settings.setKey', { state: 'asked' }],
    ['settings.setKey', { state: 'done', of: 10, fingerprint: expect.any(String), keptIn: 'file' }],
    ['settings.forgetKey', { state: 'asked' }],
    ['settings.forgetKey', { state: 'done', of: 12 }],
  ]);
  for (const each of ['Ada', '4155550123', 'secret-path', ...secretForms(CANARY_KEY)])
    expect(JSON.stringify(rows)).not.toContain(each);

  const bundle = await desk.call('health.bundle', {});
  const files = bundle.ok ? bundle.value.files : [];
  const shown = files.find(({ name }) => name === 'audit.txt')?.text ?? '';
  expect(shown).toMatch(/^\d+ rows, intact\n/m);
  expect(shown).toMatch(/ users\.remove .*"state":"done"/);
  // Only the desk needs to know which key it was
  const fingerprint = createHash('sha256').update(CANARY_KEY).digest('hex').slice(0, 8);
  expect(JSON.stringify(rows)).toContain(fingerprint);
  for (const { name, text } of files) expect(text, name).not.toContain(fingerprint);
});

test('the chain has who signed in at the console, and which folders are watched from when to when', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  desk.agent.noteSignIn();
  await desk.agent.stop();
  await desk.start();
  const other = join(desk.root, '..', 'other');
  await mkdir(other);
  expect(await desk.call('settings.save', { change: { watch: [{ path: other }] } })).toMatchObject({
    ok: true,
  });
  await desk.call('settings.apply', {});
  const rootsIn = () =>
    readTrail(desk.dataDir).flatMap(({ action, detail }) =>
      action === 'roots.watched' ? [JSON.parse(detail)] : [],
    );
  await desk.until(() => rootsIn().length === 2, 'the new folder to be watched');
  expect(rootsIn()).toEqual([
    { folders: [desk.root], ended: [] },
    { folders: [other], ended: [desk.root] },
  ]);
  const signIns = readTrail(desk.dataDir).filter(({ action }) => action === 'console.opened');
  expect(signIns).toHaveLength(1);
});

test('an order that ends the program before its answer is written all the same', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const [user] = desk.simulator.team().users;
  desk.simulator.faults.add({ match: { call: 'deleteUser' }, action: { kind: 'hang' } });
  const reply = desk.call('users.remove', { userId: user?.id ?? 0 });
  await desk.until(() => desk.simulator.requests.of('deleteUser').length > 0, 'the request');
  expect(told(readTrail(desk.dataDir)).at(-1)).toEqual([
    'users.remove',
    { state: 'asked', userId: String(user?.id) },
  ]);
  await desk.agent.stop();
  expect(await reply).toMatchObject({ ok: false });
});

test('a trail that somebody changed is told of at the next start, and uploads go on', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.ts': 200_000 } });
  await desk.start();
  await desk.call('settings.forgetKey', {});
  await desk.call('settings.setKey', { key: CANARY_KEY });
  await desk.agent.stop();
  const db = new Database(join(desk.dataDir, 'queue.db'));
  db.exec(
    "DROP TRIGGER audit_not_changed; UPDATE audit SET detail = '{}' WHERE action = 'settings.forgetKey'",
  );
  db.close();
  const warned: unknown[] = [];
  desk.agent.events.on((event) => event.event === 'warning' && warned.push([event.code, event.message]));
  await desk.startAndSettle();
  expect(warned).toEqual([['AUDIT_BROKEN', expect.stringMatching(/from row \d+ on/)]]);
  expect([...desk.simulator.incidents().values()][0]?.uploaded_videos).toHaveLength(1);
});
