import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { startFront, type Rewrite } from '../../helpers/front.ts';
import type { FaultAction, Simulator } from '../../simulator/index.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const small = { 'Gate 4/a.avi': 200_000 };
const files = { ...small, 'Ramp/c.ts': 6_000_000 };
const LOGIN_PAGE = '<!DOCTYPE html><html><title>Guest network</title><form>Sign in</form></html>';
const html = (status: number): FaultAction => ({
  kind: 'answer',
  status,
  body: LOGIN_PAGE,
  headers: { 'content-type': 'text/html' },
  when: 'before',
});
const json = (body: unknown): FaultAction => ({ kind: 'answer', status: 200, body, when: 'before' });
const raw = (bytes: string): FaultAction => ({ kind: 'raw', bytes, base64: false });
const lines = (...headers: string[]) => `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`;
/** 80 MiB of zeros in 80 KiB. */
const bomb = () => gzipSync(Buffer.alloc(80 * 1024 * 1024)).toString('base64');
const upload = (more: object) => ({
  uploads: { x: { storage_key: 'k', signed_urls: 'https://s.example.com/x', ...more } },
});

interface OddAnswer {
  readonly what: string;
  readonly action: FaultAction;
  readonly code: string;
}

// Such answers do not come from the service: everything waits, and they do not count against any clip
const strangers: readonly OddAnswer[] = [
  { what: 'fault 61, input D1: a login page with 200', action: html(200), code: 'API_NOT_JSON' },
  {
    what: 'input D15: a redirect',
    action: {
      kind: 'answer',
      status: 302,
      headers: { location: 'https://portal.example.com/in?x=1' },
      when: 'before',
    },
    code: 'API_REDIRECT',
  },
  {
    what: 'input D7: a stated length over the body',
    action: raw(`${lines('content-length: 500')}{}`),
    code: 'NETWORK',
  },
  {
    what: 'input D7: a stated length under the body',
    action: raw(`${lines('content-length: 5')}{"uploads": {}}`),
    code: 'NETWORK',
  },
  { what: 'something that is not HTTP', action: raw('SSH-2.0-OpenSSH_9.2\r\n'), code: 'NETWORK' },
  {
    what: 'input D22: a header of 1 MB',
    action: raw(lines(`x-long: ${'x'.repeat(1_000_000)}`, 'content-length: 2') + '{}'),
    code: 'NETWORK',
  },
  {
    what: 'input D22: a header with a bare line feed',
    action: raw('HTTP/1.1 200 OK\r\nx-a: b\rx\r\ncontent-length: 2\r\n\r\n{}'),
    code: 'NETWORK',
  },
];
// The service answered, but its answer cannot be used: the clip is retried
const oddities: readonly OddAnswer[] = [
  { what: 'input D17: a page with 502', action: html(502), code: 'SERVICE_FAULT' },
  {
    what: 'input D2: nothing with 200',
    action: { kind: 'answer', status: 200, when: 'before' },
    code: 'API_EMPTY',
  },
  { what: 'input D2: a 204', action: { kind: 'answer', status: 204, when: 'before' }, code: 'API_EMPTY' },
  {
    what: 'input D3: half a JSON text',
    action: json('{"uploads": {"x": {"storage_key": "k"'),
    code: 'API_BAD_JSON',
  },
  { what: 'input D4: a gigabyte', action: { kind: 'flood', bytes: 1_000_000_000 }, code: 'API_TOO_LARGE' },
  {
    what: 'input D5: a gzip bomb',
    action: {
      kind: 'answer',
      status: 200,
      bodyBase64: bomb(),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
      when: 'before',
    },
    code: 'API_TOO_LARGE',
  },
  { what: 'input D8: a list', action: json([1, 2, 3]), code: 'API_SHAPE' },
  { what: 'input D8: null', action: json('null'), code: 'API_SHAPE' },
  { what: 'input D8: text for an object', action: json({ uploads: 'none' }), code: 'API_SHAPE' },
  { what: 'input D8: no uploads at all', action: json({ incident_id: 'x' }), code: 'API_SHAPE' },
  { what: 'input D8: a number for a key', action: json(upload({ storage_key: 7 })), code: 'API_SHAPE' },
  { what: 'input D9: an empty key', action: json(upload({ storage_key: '' })), code: 'API_SHAPE' },
  {
    what: 'input D9: a key of 10 KB',
    action: json(upload({ storage_key: 'k'.repeat(10_000) })),
    code: 'API_SHAPE',
  },
  { what: 'another file than was asked for', action: json(upload({})), code: 'API_SHAPE' },
  {
    what: 'input D12: a number that cannot be read exactly',
    action: json('{"incident_id": "x", "uploads": {}, "max_upload_size_mb": 1e400}'),
    code: 'API_NUMBER',
  },
  { what: 'JSON nested 100,000 deep', action: json('['.repeat(100_000)), code: 'API_BAD_JSON' },
];

const once =
  (action: FaultAction) =>
  ({ faults }: Simulator) =>
    faults.add({ match: { call: 'getUploadUrls' }, times: 1, action });

mostlyLong(strangers, 2, (some) =>
  test.concurrent.for(some)(
    '$what in place of the service pauses everything and says so',
    async ({ action, code }, context) => {
      const bench = await startBench(context, { files: small, before: once(action) });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('circuit.paused')).toMatchObject([{ circuit: 'service', code }]);
      expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
      if (code === 'API_REDIRECT') {
        expect(bench.of('circuit.paused')[0]?.message).toContain('portal.example.com');
        expect(
          bench.simulator.requests
            .all()
            .every(({ path }) => path.startsWith('/v1/') || path.startsWith('/vms')),
        ).toBe(true);
      }
    },
  ),
);

mostlyLong(oddities, 3, (some) =>
  test.concurrent.for(some)(
    '$what as the answer is refused by name, and the clip arrives later',
    async ({ action, code }, context) => {
      const bench = await startBench(context, { files: small, before: once(action) });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.retrying').map((event) => event.code)).toEqual([code]);
      expect(bench.of('clip.failed')).toEqual([]);
    },
  ),
);

// At every other call
mostlyLong(
  ['getIncident', 'createMultipartUpload', 'completeMultipartUpload', 'putIncident'] as const,
  1,
  (some) =>
    test.concurrent.for(some)(
      'odd answers to %s, one after the other, lose and double nothing',
      async (call, context) => {
        const actions = [html(200), json('{"vms_incident": '), json({}), json('[]'), raw('SSH-2.0\r\n')];
        const bench = await startBench(context, {
          files,
          before: ({ faults }) => actions.map((action) => faults.add({ match: { call }, times: 1, action })),
        });
        await bench.untilIdle();
        await bench.expectWhole();
        expect(bench.simulator.requests.of(call).filter(({ faultId }) => faultId !== undefined)).toHaveLength(
          actions.length,
        );
        expect(bench.of('clip.failed')).toEqual([]);
      },
    ),
);

test.concurrent('fault 61, input D10, input D11: fields that nobody knows are ignored in every answer', async (context) => {
  const rewrite: Rewrite = (answer) => {
    const text = JSON.stringify({ ...answer, version: 9, extra: { deep: [1, null] } });
    return text.replace(/^\{/, '{"__proto__": {"uploads": {}, "isAdmin": true}, "constructor": 1, ');
  };
  const bench = await startBench(context, {
    files,
    baseUrl: async (simulator) =>
      `${(await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite })).url}/v1`,
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect([...bench.of('circuit.paused'), ...bench.of('clip.retrying')]).toEqual([]);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

// A call times out after ten minutes, so this answer arrives complete in the end
test.concurrent('input D6: an answer that drips in holds up one incident, not the other', async (context) => {
  const bench = await startBench(context, {
    files: { 'Gate 4/a.avi': 200_000, 'Ramp/b.avi': 200_000 },
    before: ({ faults }) =>
      faults.add({
        match: { call: 'getUploadUrls' },
        times: 1,
        action: { kind: 'trickle', bytesPerSecond: 200 },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  const [slow, quick] = bench.simulator.requests.of('getUploadUrls');
  expect((slow?.endedAt ?? 0) - (slow?.at ?? 0)).toBeGreaterThan(2000);
  expect(quick?.endedAt).toBeLessThan(slow?.endedAt ?? 0);
  expect([...bench.of('circuit.paused'), ...bench.of('clip.retrying')]).toEqual([]);
});

mostlyLong(
  [
    { what: 'no URL', change: () => [] },
    { what: 'a URL too few', change: (urls: string[]) => urls.slice(1) },
    { what: 'a URL too many', change: (urls: string[]) => [...urls, ...urls.slice(0, 1)] },
    { what: 'one URL for all parts', change: (urls: string[]) => urls[0] },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'input D18: $what for the parts of a clip is refused before anything is sent, and the clip waits',
      async ({ change }, context) => {
        const rewrite: Rewrite = (answer) => {
          const uploads = Object.entries(
            (answer['uploads'] ?? {}) as Record<string, { signed_urls: string | string[] }>,
          );
          if (uploads.length === 0) return answer;
          const changed = uploads.map(([id, one]) => {
            const { signed_urls: urls } = one;
            return [id, Array.isArray(urls) ? { ...one, signed_urls: change(urls) } : one];
          });
          return { ...answer, uploads: Object.fromEntries(changed) };
        };
        const bench = await startBench(context, {
          files,
          baseUrl: async (simulator) =>
            `${(await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite })).url}/v1`,
        });
        await bench.until(() => (bench.skip(100), bench.of('circuit.paused').length > 0), 'the pause');
        bench.skip(600_000);
        expect(bench.of('circuit.paused')).toMatchObject([{ circuit: 'service', code: 'API_PARTS' }]);
        // The refusal that pauses is also reported for the clip, before or after this look
        const retries = bench.of('clip.retrying').map(({ code, file }) => `${code} ${file}`);
        expect(retries.length).toBeGreaterThanOrEqual(2);
        expect(new Set(retries)).toEqual(new Set(['API_PARTS c.ts']));
        expect(bench.of('clip.failed')).toEqual([]);
        expect(bench.simulator.requests.of('putPart')).toEqual([]);
      },
    ),
);

// A proxy that inspects TLS: the tunnel was established, but the answer in it is not from storage
mostlyLong(
  [
    { call: 'putObject', files: small },
    { call: 'putPart', files: { 'Ramp/c.ts': 6_000_000 } },
  ] as const,
  1,
  (some) =>
    test.concurrent.for(some)(
      'a proxy that answers 407 to $call pauses uploads, and no clip is blamed',
      async ({ call, files: sent }, context) => {
        const bench = await startBench(context, {
          files: sent,
          before: ({ faults }) => faults.add({ match: { call }, times: 1, action: html(407) }),
        });
        await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
        expect(bench.of('circuit.paused')).toMatchObject([
          {
            circuit: 'storage',
            code: 'PROXY_AUTH',
            message: expect.stringMatching(/a proxy requires a user name and password \(HTTP 407\)\.$/),
          },
        ]);
        bench.skip(600_000);
        await bench.untilIdle();
        await bench.expectWhole();
        expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
      },
    ),
);
