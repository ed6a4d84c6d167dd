import Database from 'better-sqlite3';
import { cp, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { storedProof } from '../../../electron/agent/calls/stored-proof.ts';
import type { AuditRow } from '../../../electron/agent/store/audit-rows.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { startRpcDesk } from '../rpc/rpc-desk.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/cam1.ts': 200_000,
  'Gate 4/gate-4-north.mp4': { fixture: 'gate-4-north.mp4' },
  'Gate 4/large.ts': 6_000_000,
};
const unheard = new AbortController().signal;

function readChain(dataDir: string): readonly AuditRow[] {
  const db = new Database(join(dataDir, 'queue.db'), { readonly: true });
  const rows = db.prepare<[], AuditRow>('SELECT * FROM audit ORDER BY sequence').all();
  db.close();
  return rows;
}

test('what is found, sent and written enters one chain, with receipts and both clocks', async (context) => {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/cam1.ts');
  await bench.call('incidents.edit', { incidentId, changes: { title: 'Gate 4, west' } });
  await bench.call('uploads.retry', { target: { kind: 'incident', incidentId } });
  await bench.untilIdle();
  await bench.stopAgent();
  const rows = readChain(bench.dataDir);
  const of = (action: string) =>
    rows.filter((row) => row.action === action).map(({ detail }) => JSON.parse(detail));
  expect(of('incident.found')).toMatchObject([{ incidentId, folder: 'Gate 4' }]);
  expect(of('clip.found')).toHaveLength(3);
  const sent = of('clip.sent');
  expect(sent).toHaveLength(3);
  for (const each of sent)
    expect(each).toMatchObject({
      incidentId,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      storageKey: expect.any(String),
      startedAt: expect.any(String),
      clockOffsetMs: expect.any(Number),
    });
  const large = sent.find(({ path }) => path === 'large.ts');
  expect(large).toMatchObject({ sizeBytes: 6_000_000, etags: [expect.any(String), expect.any(String)] });
  expect(of('record.written').length).toBeGreaterThan(0);
  expect(of('incident.described')).toMatchObject([
    { before: { title: 'Gate 4' }, after: { title: 'Gate 4, west' } },
  ]);
  expect(of('incidents.edit')).toMatchObject([{ state: 'asked', fields: ['title'] }, { state: 'done' }]);
  expect(of('uploads.retry')).toMatchObject([{ state: 'asked', incidentId }, { state: 'done' }]);
  expect(rows.at(-1)?.action).toBe('agent.stopped');
});

test('a pack is made and checked beside the running agent, and compared with what the service lists', async (context) => {
  const desk = await startRpcDesk(context, { files });
  await desk.startAndSettle();
  const ports = portsOf(desk);
  const clips = await desk.call('uploads.listClips', {});
  const incidentId = clips.ok ? (clips.value.rows[0]?.incidentId ?? '') : '';
  const place = join(desk.root, '..', 'packs');
  await mkdir(place);
  const made = await storedProof.makePacks(
    desk.dataDir,
    { incidentIds: [incidentId], place, version: '1' },
    ports,
    unheard,
  );
  expect(made).toMatchObject({ ok: true, value: [{ clips: 3, missing: [] }] });
  const folder = made.ok ? (made.value[0]?.folder ?? '') : '';
  const copies = join(desk.root, '..', 'copies');
  await cp(join(desk.root, 'Gate 4'), copies, { recursive: true });
  const check = await storedProof.verifyPack(desk.dataDir, { folder, copies: [copies], trusted: [] }, ports);
  expect(check.differences).toEqual([]);
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('Gate 4');
  expect(await storedProof.checkChain(desk.dataDir, ports)).toMatchObject({
    ok: true,
    value: { findings: [] },
  });

  const settings = settingsSchema.parse({ baseUrl: desk.simulator.baseUrl });
  const config = { settings, dataDir: desk.dataDir, version: '0.0.0' };
  expect(await storedProof.verifyIncident(config, ports, incidentId, unheard)).toMatchObject({
    ok: true,
    value: { agreeing: 3, differences: [] },
  });
  const stored = desk.simulator.incidents().get(incidentId);
  const videos = (stored?.uploaded_videos ?? []) as unknown as { storage_key: string }[];
  Object.assign(videos[0] ?? {}, { storage_key: 'another' });
  videos.pop();
  const differing = await storedProof.verifyIncident(config, ports, incidentId, unheard);
  expect(differing.ok && differing.value.differences).toEqual([
    expect.stringContaining('under a different storage key'),
    expect.stringContaining('The service does not list'),
  ]);
});

test('without an agent, a check of the chain says that the database with published rows was replaced', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.ts': 200_000 } });
  await desk.startAndSettle();
  await desk.agent.stop();
  const db = new Database(join(desk.dataDir, 'queue.db'));
  db.prepare('UPDATE desk SET queue_id = ?').run('11111111-7425-40de-944b-e07fc1f90ae7');
  db.close();
  expect(await storedProof.checkChain(desk.dataDir, portsOf(desk))).toMatchObject({
    ok: true,
    value: {
      agreeing: 0,
      findings: [{ row: 0, text: expect.stringContaining('The queue database was replaced') }],
    },
  });
});

test('a pack is made again after the agent was started since the last one', async (context) => {
  const bench = await startBench(context, { files: { 'Gate 4/cam1.ts': 200_000 } });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/cam1.ts');
  await bench.stopAgent();
  const request = { incidentIds: [incidentId], place: join(bench.root, '..', 'packs'), version: '1' };
  const makePack = () => storedProof.makePacks(bench.dataDir, request, portsOf(bench), unheard);
  expect(await makePack()).toMatchObject({ ok: true });
  await bench.startAgent();
  await bench.stopAgent();
  const made = await makePack();
  expect(made).toMatchObject({ ok: true, value: [{ clips: 1, missing: [] }] });
  const [{ folder = '' } = {}] = made.ok ? made.value : [];
  // The agent's start comes between the two packs
  expect(await readFile(join(folder, 'chain.txt'), 'utf8')).toContain('agent.started');
  const pack = { folder, copies: [], trusted: [] };
  expect(await storedProof.verifyPack(bench.dataDir, pack, portsOf(bench))).toMatchObject({
    differences: [],
  });
});

test('no other key is made where the key in use is kept elsewhere', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.ts': 200_000 } });
  await desk.startAndSettle();
  await desk.agent.stop();

  await rename(join(desk.dataDir, 'desk-key.pem'), join(desk.dataDir, 'aside.pem'));
  const request = { incidentIds: [], place: desk.root, version: '1' };
  expect(await storedProof.makePacks(desk.dataDir, request, portsOf(desk), unheard)).toMatchObject({
    ok: false,
    error: { code: 'KEY_STORE' },
  });
});

function portsOf({ simulator }: Pick<Awaited<ReturnType<typeof startRpcDesk>>, 'simulator'>) {
  const nothing = (): undefined => undefined;
  return {
    clock: createSystemClock(),
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    secrets: { apiKey: async () => simulator.apiKey },
  };
}
