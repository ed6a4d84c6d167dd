import { once } from 'node:events';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { noPolicy } from '../../../electron/agent/settings/policy/policy.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string() }) });
const point = z.object({ attributes: z.array(attribute), asDouble: z.number() });
const metric = z.object({ name: z.string(), gauge: z.object({ dataPoints: z.array(point) }) });
const pushSchema = z.object({
  resourceMetrics: z.tuple([
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeMetrics: z.tuple([z.object({ metrics: z.array(metric) })]),
    }),
  ]),
});

test.concurrent('the collector of the policy gets the figures, without names, until the agent ends', async (context) => {
  const bodies: string[] = [];
  const tenants: unknown[] = [];
  let status = 200;
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => void (body += String(piece)));
    request.on('end', () => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      tenants.push(request.headers['x-tenant']);
      response.writeHead(status).end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  context.onTestFinished(() => void collector.close().closeAllConnections());
  const place = collector.address();
  if (place === null || typeof place === 'string') throw new Error('It does not listen');
  const bench = await startBench(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    policy: {
      ...noPolicy,
      otlp: { url: `http://127.0.0.1:${place.port}/v1/metrics`, headers: ['X-Tenant: north: secret'] },
    },
    clock: createSkipClock(),
  });
  const newest = (name: string) => {
    const body = /^POST \/v1\/metrics (.*)$/s.exec(bodies.at(-1) ?? '')?.[1];
    if (body === undefined) return [];
    const [{ scopeMetrics }] = pushSchema.parse(JSON.parse(body)).resourceMetrics;
    const found = scopeMetrics[0].metrics.find((each) => each.name === `vms_export_${name}`);
    return (found?.gauge.dataPoints ?? []).map(({ attributes, asDouble }) => [
      ...attributes.map(({ value }) => value.stringValue),
      asDouble,
    ]);
  };
  await bench.untilIdle();
  const until = (fact: () => unknown, what: string) => bench.until(() => (bench.skip(31_000), fact()), what);
  await until(
    () => newest('clips').some(([state, clips]) => state === 'uploaded' && clips === 1),
    'the clip',
  );
  expect(newest('up')).toEqual([[1]]);
  expect(newest('root_online')).toEqual([['1', 1]]);
  expect(bodies.join('')).not.toMatch(/Gate|a\.avi|\/tmp|vms-bench/);

  // Data that the collector refuses is not kept, and nothing else is affected
  status = 500;
  const before = bodies.length;
  await until(() => bodies.length > before, 'a refused push');
  status = 200;
  await until(() => bodies.length > before + 1 && newest('up').length > 0, 'the push after it');

  await bench.stopAgent();
  expect(newest('up')).toEqual([[0]]);
  expect(new Set(tenants)).toEqual(new Set(['north: secret']));
  expect(inspect(bench.logs, { depth: 20 })).not.toContain('secret');
});
