import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { trustAlso } from '../../../electron/agent/service/proxy-route.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { rewriteUrls, startFront } from '../../helpers/front.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const read = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const pairOf = (name: string) => ({ key: read('server.key'), cert: read(`${name}.crt`) });
const files = { 'Gate 4/a.avi': 200_000, 'Ramp/c.ts': 6_000_000 };
const cases = [
  { name: 'self-signed', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  { name: 'expired', code: 'CERT_HAS_EXPIRED' },
  { name: 'wrong-name', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
];

// Does what an administrator does to add the company's CA to the system's store
beforeAll(() => trustAlso([read('ca.crt')]));

mostlyLong(cases, 1, (some) =>
  test.concurrent.for(some)(
    'fault 60: a service with a certificate that is $name is refused by name, told nothing, and used once it is right',
    async ({ name, code }, context) => {
      let front: Awaited<ReturnType<typeof startFront>> | undefined;
      const bench = await startBench(context, {
        files,
        baseUrl: async (simulator) => {
          front = await startFront(context, { target: new URL(simulator.baseUrl).origin, tls: pairOf(name) });
          return `${front.url}/v1`;
        },
      });
      await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
      const [pause] = bench.of('circuit.paused');
      expect(pause).toMatchObject({ circuit: 'service', code: 'TLS_REFUSED' });
      expect(pause?.message).toContain(new URL(front?.url ?? '').host);
      expect(pause?.message).toContain(code);
      expect(bench.simulator.requests.all()).toEqual([]);
      front?.useCertificate(pairOf('good'));
      await bench.untilIdle();
      await bench.expectWhole();
      expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
    },
  ),
);

// At storage
mostlyLong(cases, 1, (some) =>
  test.concurrent.for(some)(
    'storage with a certificate that is $name pauses uploads with its name, and fails no clip',
    async ({ name, code }, context) => {
      let storage: Awaited<ReturnType<typeof startFront>> | undefined;
      const bench = await startBench(context, {
        files,
        baseUrl: async (simulator) => {
          storage = await startFront(context, { target: simulator.storageUrl, tls: pairOf(name) });
          const rewrite = rewriteUrls((url) => url.replace(simulator.storageUrl, storage?.url ?? ''));
          return `${(await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite })).url}/v1`;
        },
      });
      await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
      const [pause] = bench.of('circuit.paused');
      expect(pause).toMatchObject({ circuit: 'storage', code: 'TLS_REFUSED' });
      expect(pause?.message).toContain(new URL(storage?.url ?? '').host);
      expect(pause?.message).toContain(code);
      expect([
        ...bench.simulator.requests.of('putObject'),
        ...bench.simulator.requests.of('putPart'),
      ]).toEqual([]);
      storage?.useCertificate(pairOf('good'));
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.failed')).toEqual([]);
    },
  ),
);
