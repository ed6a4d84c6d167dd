import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { rewriteUrls, startFront } from '../../helpers/front.ts';
import { sendOthersUntil } from '../../helpers/misbehaviour.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const big = { 'Ramp/big.ts': 11_000_000 };
const small = { 'Gate 4/a.avi': 200_000, 'Gate 4/b.avi': 200_000 };

test.concurrent.for([
  { what: 'part', files: big, match: { call: 'putPart', partNumber: 2 } },
  { what: 'clip in one piece', files: small, match: { call: 'putObject' } },
] as const)(
  'fault 54, input E14: an expired URL of a $what is asked for again without costing an attempt',
  async ({ files, match }, context) => {
    const bench = await startBench(context, {
      files,
      before: ({ faults }) => faults.add({ match, times: 1, action: { kind: 'expire-url' } }),
    });
    await bench.untilIdle();
    await bench.expectWhole();
    expect(bench.simulator.requests.of('getUploadUrls')).toHaveLength(2);
    expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
    expect(bench.simulator.requests.of('putPart', { partNumber: 1 }).length).toBeLessThanOrEqual(1);
  },
);

// service.md gap 7
test.concurrent(
  'URLs that live for two minutes are asked for again before they lapse',
  long(),
  async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/big.ts': 16_000_000 },
      simulator: { urlLifetimeSeconds: 120 },
      settings: { upload: { concurrentParts: 1 } },
      hold: { call: 'putPart', partNumber: 1 },
    });
    await bench.hold.arrived;
    // When the first part has arrived, the URLs of the other three expire in 20 s
    bench.skip(100_000);
    bench.hold.release();
    await bench.untilIdle();
    await bench.expectWhole();
    const { requests } = bench.simulator;
    expect(requests.of('getUploadUrls').length).toBeGreaterThan(1);
    expect(requests.of('putPart').map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  },
);

mostlyLong(
  [
    { what: 'part', files: big, match: { call: 'putPart', partNumber: 2 } },
    { what: 'clip in one piece', files: small, match: { call: 'putObject' } },
  ] as const,
  1,
  (some) =>
    test.concurrent.for(some)(
      'a signature that storage refuses once for a $what is mended by new URLs',
      async ({ files, match }, context) => {
        const bench = await startBench(context, {
          files,
          before: ({ faults }) =>
            faults.add({
              match,
              times: 1,
              action: { kind: 'answer', status: 403, code: 'SignatureDoesNotMatch', when: 'before' },
            }),
        });
        await bench.untilIdle();
        await bench.expectWhole();
        expect(bench.simulator.requests.of('getUploadUrls').length).toBeGreaterThan(1);
        expect(bench.of('clip.retrying')).toMatchObject([{ code: 'STORAGE_SIGNATURE' }]);
      },
    ),
);

mostlyLong(
  [
    { why: 'expired', code: 'URL_EXPIRED', answer: { status: 403, code: 'ExpiredToken' }, mostPuts: 20 },
    {
      why: 'wrongly signed',
      code: 'STORAGE_SIGNATURE',
      answer: { status: 403, code: 'SignatureDoesNotMatch' },
      mostPuts: 10,
    },
    { why: 'forbidden', code: 'STORAGE_DENIED', answer: { status: 403, code: 'AccessDenied' }, mostPuts: 10 },
  ] as const,
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 54: a clip whose URLs are always $why while others pass is given up with the reason',
      async ({ code, answer, mostPuts }, context) => {
        const bench = await startBench(context, {
          files: { ...small, 'Gate 4/refused.avi': 200_000 },
          before: ({ faults }) =>
            faults.add({
              match: { call: 'putObject', pathContains: '-refused-' },
              action: { kind: 'answer', ...answer, when: 'before' },
            }),
        });
        // The bench's shortest waits last seconds of real time, in which a busy machine makes more attempts
        bench.clock.setRandom(0.99);
        const others = await sendOthersUntil(bench, () => bench.of('clip.failed').length > 0);
        await bench.untilIdle();
        const files = { ...small, 'Gate 4/refused.avi': 0, ...others };
        await bench.expectWhole({ files, failed: ['Gate 4/refused.avi'] });
        expect(bench.of('clip.failed')).toMatchObject([{ code, file: 'refused.avi' }]);
        const puts = bench.simulator.requests
          .of('putObject')
          .filter(({ path }) => path.includes('-refused-'));
        expect(puts.length).toBeLessThanOrEqual(mostPuts);
      },
    ),
);

const SECRET = 'do-not-show-me';
// The service of the bench is on loopback, so loopback hosts are allowed here
mostlyLong(
  [
    { url: `http://storage.example.com/key?X-Amz-Signature=${SECRET}`, reason: 'it does not use https' },
    {
      url: `https://169.254.169.254/key?X-Amz-Signature=${SECRET}`,
      reason: 'its host is an IP address, not a name',
    },
    {
      url: `https://[::ffff:127.0.0.1]/key?X-Amz-Signature=${SECRET}`,
      reason: 'its host is an IP address, not a name',
    },
    {
      url: `https://user:p@storage.example.com/key?X-Amz-Signature=${SECRET}`,
      reason: 'it contains a user name or password',
    },
    {
      url: `https://good.example@evil.example/key?X-Amz-Signature=${SECRET}`,
      reason: 'it contains a user name or password',
    },
    { url: `https://evil\\@good.example/key?X-Amz-Signature=${SECRET}`, reason: 'it contains a backslash' },
    {
      url: `https://storage.example.com:22/key?X-Amz-Signature=${SECRET}`,
      reason: 'its port 22 is not allowed',
    },
    { url: `file:///etc/passwd?${SECRET}`, reason: 'it does not begin with https://' },
    { url: `javascript:alert('${SECRET}')`, reason: 'it does not begin with https://' },
    { url: `//storage.example.com/key?X-Amz-Signature=${SECRET}`, reason: 'it does not begin with https://' },
    {
      url: `https://storage.example.com/key\r\nX-Evil: ${SECRET}`,
      reason: 'it contains spaces or hidden characters',
    },
  ],
  3,
  (some) =>
    test.concurrent.for(some)(
      'the URL $url is refused with a reason, is never called, and holds up no other clip',
      async ({ url, reason }, context) => {
        const bench = await startBench(context, {
          files: { 'Gate 4/a.avi': 200_000, 'Gate 4/odd.avi': 200_000 },
          baseUrl: async (simulator) => {
            const rewrite = rewriteUrls((before) => (before.includes('-odd-') ? url : before));
            return `${(await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite })).url}/v1`;
          },
        });
        await bench.until(() => bench.of('clip.retrying').length > 0, 'the reason');
        await bench.until(() => bench.of('clip.uploaded').length > 0, 'the other clip');
        const [held] = bench.of('clip.retrying');
        expect(held).toMatchObject({ code: 'URL_REFUSED', file: 'odd.avi' });
        expect(held?.message).toContain(reason);
        expect(bench.of('clip.failed')).toEqual([]);
        expect(
          JSON.stringify([bench.events, bench.logs, [...bench.simulator.incidents().values()]]),
        ).not.toContain(SECRET);
      },
    ),
);

test.concurrent('input E12: an upload whose third part would go to another host is refused before anything is sent', async (context) => {
  const bench = await startBench(context, {
    files: big,
    baseUrl: async (simulator) => {
      const rewrite = rewriteUrls((url, _fileId, partNumber) =>
        partNumber === 3 ? url.replace('127.0.0.1', 'localhost') : url,
      );
      return `${(await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite })).url}/v1`;
    },
  });
  await bench.until(() => bench.of('clip.retrying').length > 0, 'the reason');
  const [held] = bench.of('clip.retrying');
  expect(held?.code).toBe('URL_REFUSED');
  expect(held?.message).toContain('the other parts of this upload go to 127.0.0.1');
  expect(bench.simulator.requests.of('putPart')).toEqual([]);
});

// A bad URL affects only its own file once enough others have succeeded
mostlyLong(
  [
    { what: 'empty', url: '' },
    { what: 'null', url: null },
    { what: 'an object', url: { href: 'https://storage.example.com/' } },
    { what: 'longer than 8 KiB', url: `https://storage.example.com/${'x'.repeat(9000)}` },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'a URL that is $what fails its own clip and no other of the same answer',
      async ({ url }, context) => {
        const bench = await startBench(context, {
          files: { ...small, 'Gate 4/odd.avi': 200_000 },
          baseUrl: async (simulator) => {
            const rewrite = rewriteUrls((before) => (before.includes('-odd-') ? url : before));
            return `${(await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite })).url}/v1`;
          },
        });
        const others = await sendOthersUntil(bench, () => bench.of('clip.failed').length > 0);
        await bench.untilIdle();
        const files = { ...small, 'Gate 4/odd.avi': 0, ...others };
        await bench.expectWhole({ files, failed: ['Gate 4/odd.avi'] });
        expect(bench.of('clip.retrying').filter(({ file }) => file !== 'odd.avi')).toEqual([]);
      },
    ),
);
