import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ProxyVariables } from '../../../electron/agent/core/settings/choose-proxy.ts';
import { verifyPack } from '../../../electron/agent/evidence/custody/verify-pack.ts';
import { createProxyRoute } from '../../../electron/agent/service/proxy-route.ts';
import { createTimeStampClient } from '../../../electron/agent/service/ask-once.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { openPackDesk } from '../../helpers/pack-desk.ts';
import { startTimeStampService, type Manner } from '../../helpers/time-stamp-service.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS, hookTimeout: BENCH_TIMEOUT_MS });

const incident = { id: '11111111', clips: { 'cam 1.mp4': 'first clip' } };
let service: Awaited<ReturnType<typeof startTimeStampService>>;
let desk: Awaited<ReturnType<typeof openPackDesk>>;

const clientFor = (url: string, timeoutMs?: number, proxyVariables?: ProxyVariables) => {
  const proxy = proxyVariables === undefined ? { url: 'none' } : {};
  const config = { settings: settingsSchema.parse({ proxy }), ...(proxyVariables && { proxyVariables }) };
  const route = createProxyRoute(config, {
    clock: createSystemClock(),
    secrets: { apiKey: async () => undefined },
  });
  return createTimeStampClient({ url, version: '9', route, ...(timeoutMs !== undefined && { timeoutMs }) });
};

beforeAll(async () => {
  service = await startTimeStampService();
  // Long enough for a busy machine; the silent service is given less
  const ask = clientFor(service.url);
  const hasty = clientFor(service.url, 300);
  desk = await openPackDesk({ timeStamp: (query, signal) => (isHasty ? hasty : ask)(query, signal) });
  desk.addIncident(incident);
});
afterAll(async () => {
  await desk.close();
  await service.stop();
});

let isHasty = false;

async function packWith(manner: Manner) {
  service.answerWith(manner);
  isHasty = manner === 'silent';
  const [pack] = await desk.pack([incident.id]);
  if (pack === undefined) throw new Error('No pack was made');
  const check = () => verifyPack({ folder: pack.folder, trusted: [pack.key], copies: [] });
  return { ...pack, check };
}

describe('the time-stamp of a custody pack', () => {
  it('is about its sums, names time and authority, and is checked by verify and by openssl', async () => {
    const pack = await packWith('well');
    expect(pack.missing).toEqual([]);
    expect(pack.timeStamp).toMatchObject({ by: 'Test Time' });
    expect(Math.abs(Date.parse(pack.timeStamp?.at ?? '') - Date.now())).toBeLessThan(600_000);
    const { differences, manifest } = await pack.check();
    expect(differences).toEqual([]);
    expect(manifest?.timeStamp).toEqual(pack.timeStamp);
    const args = [
      'ts',
      '-verify',
      '-data',
      'SHA256SUMS',
      '-in',
      'timestamp.tsr',
      '-CAfile',
      service.certificate,
    ];
    const said = execFileSync('openssl', args, { cwd: pack.folder, encoding: 'utf8', stdio: 'pipe' });
    expect(said).toContain('Verification: OK');
    for (const [program, script] of [
      ['sh', 'verify.sh'],
      ['python3', 'verify.py'],
    ] as const)
      expect(execFileSync(program, [join(pack.folder, script), pack.key], { encoding: 'utf8' })).toMatch(
        /^OK/,
      );
  });

  it('tells the service a hash and nothing else', async () => {
    const before = service.asked.length;
    await packWith('well');
    const [query] = service.asked.slice(before);
    expect(query?.length).toBeLessThan(80);
  });

  it.each<readonly [Manner, string]>([
    ['silent', 'did not respond in time'],
    ['error', 'responded with HTTP 503'],
    ['flood', 'sent more than 64.0 kB'],
    ['garbage', 'it cannot be read'],
    ['refused', 'no time-stamp was issued (status 2)'],
    ['other bytes', 'it covers different data'],
    ['other nonce', 'it responds to a different request (nonce)'],
    ['broken signature', 'its signature could not be verified'],
    ['other certificate', 'its certificate is not meant for time-stamps'],
  ])(
    'of a service that is %s is not taken: the pack is made, and one sentence says so',
    async (manner, says) => {
      const pack = await packWith(manner);
      expect(pack.timeStamp).toBeUndefined();
      expect(pack.missing).toEqual([expect.stringContaining(says)]);
      expect(pack.missing[0]).toMatch(/^The pack has no time-stamp/);
      const { differences, manifest } = await pack.check();
      expect(differences).toEqual([]);
      expect(manifest?.timeStamp).toBeNull();
    },
  );

  it('is missing where nobody listens, and the sentence names the service', async () => {
    const ask = clientFor('http://127.0.0.1:9/tsa');
    const answer = await ask(new Uint8Array(8), new AbortController().signal);
    expect(answer).toMatchObject({
      ok: false,
      error: expect.stringContaining('127.0.0.1:9 gave no usable response'),
    });
  });

  it('is missing where the proxy of the environment cannot be used, and the message names the variable', async () => {
    const named = { variable: 'http_proxy', url: 'socks5://proxy.example.com' };
    const ask = clientFor('http://tsa.example.com', undefined, { named });
    expect(await ask(new Uint8Array(8), new AbortController().signal)).toEqual({
      ok: false,
      error: expect.stringMatching(/^The time-stamp service tsa\.example\.com gave no usable .*http_proxy/),
    });
  });

  it.each<readonly [string, (folder: string) => Promise<void>, string]>([
    ['removed', (folder) => rm(join(folder, 'timestamp.tsr')), 'timestamp.tsr is missing.'],
    [
      'exchanged',
      async (folder) => writeFile(join(folder, 'timestamp.tsr'), (await packWith('well')).folder),
      'timestamp.tsr is not the file that was packed: its SHA-256 differs.',
    ],
  ])('that was %s is found by every checker', async (_what, change, says) => {
    const pack = await packWith('well');
    await change(pack.folder);
    expect((await pack.check()).differences).toContain(says);
    for (const [program, script] of [
      ['sh', 'verify.sh'],
      ['python3', 'verify.py'],
    ] as const) {
      const run = () =>
        execFileSync(program, [join(pack.folder, script), pack.key], { encoding: 'utf8', stdio: 'pipe' });
      expect(run).toThrow(expect.objectContaining({ status: 1, stdout: expect.stringContaining(says) }));
    }
  });

  it('that was added to a pack without one is found by every checker', async () => {
    const stamped = await packWith('well');
    const plain = await packWith('error');
    await writeFile(
      join(plain.folder, 'timestamp.tsr'),
      await readFile(join(stamped.folder, 'timestamp.tsr')),
    );
    expect((await plain.check()).differences).toEqual([
      'timestamp.tsr is in the folder but is not part of the pack.',
    ]);
    for (const [program, script] of [
      ['sh', 'verify.sh'],
      ['python3', 'verify.py'],
    ] as const) {
      const run = () =>
        execFileSync(program, [join(plain.folder, script), plain.key], { encoding: 'utf8', stdio: 'pipe' });
      expect(run).toThrow(expect.objectContaining({ status: 1 }));
    }
  });
});
