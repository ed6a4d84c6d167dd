import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { checkService } from '../../../electron/cli/check-service.ts';

type Answer = readonly [status: number, body: string];
const json = (status: number, body: unknown): Answer => [status, JSON.stringify(body)];
const ignore = (): void => undefined;

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Checks a service that answers by the first part of the path; answers the lines and the requests it saw. */
async function checkAgainst(answers: Record<string, Answer>, date?: string) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const [status, body] = answers[path.split('/')[2] ?? ''] ?? [500, ''];
    response.writeHead(status, { 'content-type': 'application/json', ...(date && { date }) }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { lines: await check(`http://127.0.0.1:${portOf(server)}/v1`), seen };
}

async function check(baseUrl: string): Promise<readonly string[]> {
  const config = { settings: settingsSchema.parse({ baseUrl }), dataDir: '/none', version: '1' };
  const lines = await checkService(config, {
    clock: createSystemClock(),
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    secrets: { apiKey: () => Promise.resolve('key-12345678') },
  });
  return lines.map(({ name, state, failure }) => `${name} ${failure?.code ?? state}`);
}

const good = {
  users: json(200, { users: [] }),
  periods: json(200, { periods: [] }),
  vms: json(404, { message: 'x' }),
};
const refused = json(401, { message: 'no' });

test.each<[string, Record<string, Answer>, readonly string[]]>([
  ['all is well', good, ['service ok', 'permission ok', 'clock ok']],
  [
    'the key is refused',
    { users: refused, periods: refused, vms: refused },
    ['service KEY_REFUSED', 'clock ok'],
  ],
  [
    'video is refused',
    { ...good, vms: json(403, {}) },
    ['service ok', 'permission VIDEO_PERMISSION_MISSING', 'clock ok'],
  ],
  [
    'the key is for video only',
    { ...good, users: refused, periods: refused },
    ['service ok', 'permission ok', 'clock ok'],
  ],
  ['only periods answer', { ...good, users: refused }, ['service ok', 'permission ok', 'clock ok']],
  [
    'the address is another one',
    { users: [404, ''], periods: [404, ''], vms: [404, ''] },
    ['service NOT_FOUND', 'clock ok'],
  ],
  [
    'a login page answers',
    { users: [200, '<html>'], periods: [200, '<html>'], vms: [200, '<html>'] },
    ['service API_NOT_JSON', 'clock ok'],
  ],
  ['the service is broken', {}, ['service SERVICE_FAULT', 'clock ok']],
])('tells when %s', async (_, answers, lines) => {
  expect((await checkAgainst(answers)).lines).toEqual(lines);
});

test('asks only what changes nothing, with the key where it belongs', async () => {
  const { seen } = await checkAgainst(good);
  expect(seen).toEqual([
    'GET /v1/users?per_page=1 Bearer key-12345678',
    'GET /v1/periods Bearer key-12345678',
    expect.stringMatching(/^GET \/v1\/vms\/incidents\/[0-9a-f-]{36} Bearer key-12345678$/),
  ]);
});

test('warns of a clock that is off by more than a minute', async () => {
  const { lines } = await checkAgainst(good, new Date(Date.now() - 90_000).toUTCString());
  expect(lines).toEqual(['service ok', 'permission ok', 'clock warning']);
});

test('tells when no one answers', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await check(`http://127.0.0.1:${port}`)).toEqual(['service NETWORK', 'clock skipped']);
});
