import { createServer } from 'node:https';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHttp } from '../../../../electron/agent/service/http.ts';
import { testCertificate } from './test-certificate.ts';

const KEY = 'k3y-12345678';
const auth = { scheme: 'bearer' } as const;

describe('checklist 29: TLS', () => {
  const tries = [
    ['a certificate that nobody vouches for', { maxVersion: 'TLSv1.3' }],
    [
      'a server that speaks TLS 1.1 alone',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
    ],
  ] as const;
  it.each(tries)('refuses %s, whatever the environment says, and shows it no key', async (_, options) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen: unknown[] = [];
    const secure = createServer({ ...testCertificate, ...options }, (request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    onTestFinished(() => void secure.close());
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const address = secure.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    const config = {
      baseUrl: `https://localhost:${address.port}`,
      auth,
      userAgent: 'vms-export-agent/9',
    };
    const http = createHttp(config, { apiKey: async () => KEY });
    onTestFinished(() => http.stop());
    expect(await http.call({ endpoint: 'getUsers' }, new AbortController().signal)).toMatchObject({
      ok: false,
    });
    expect(seen).toEqual([]);
  });
});
