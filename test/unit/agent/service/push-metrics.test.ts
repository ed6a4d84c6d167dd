import { createServer } from 'node:https';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMetricsPush } from '../../../../electron/agent/service/push-metrics.ts';
import { testCertificate } from './test-certificate.ts';

test('a collector whose certificate nobody vouches for gets nothing, whatever the environment says', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const seen: unknown[] = [];
  const collector = createServer(testCertificate, (request, response) => {
    seen.push(request.headers);
    response.end('{}');
  });
  onTestFinished(() => void collector.close());
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const address = collector.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  const { push, stop } = createMetricsPush({
    url: `https://localhost:${address.port}/v1/metrics`,
    headers: ['authorization: Bearer secret'],
    version: '9',
    deskId: 'desk',
    route: {
      proxyFor: () => undefined,
      connect: () => Promise.reject(new Error('There is no proxy')),
      stop: () => undefined,
    },
  });
  onTestFinished(stop);
  expect(await push([{ name: 'up', help: '', samples: [[{}, 1]] }], 0)).toMatchObject({ ok: false });
  expect(seen).toEqual([]);
});
