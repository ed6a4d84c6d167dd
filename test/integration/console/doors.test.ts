import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { securityHeaders } from '../../../electron/console/page-files.ts';
import { openWire, sendRaw, statusesOf } from './ask.ts';
import { startBench, type Bench } from './console-bench.ts';

const OWN = 'Host: 127.0.0.1:PORT\r\nConnection: close\r\n';
const POST = `${OWN}Origin: http://127.0.0.1:PORT\r\nContent-Type: application/json\r\n`;

/** The security headers that an answer lacks; each must be on its own line. */
function lackedHeaders(text: string): readonly string[] {
  const lines = text.split('\r\n').map((line) => line.toLowerCase());
  return Object.entries(securityHeaders)
    .map(([name, value]) => `${name}: ${value}`)
    .filter((line) => !lines.includes(line.toLowerCase()));
}

const attacks: readonly (readonly [what: string, status: number, text: string])[] = [
  ['HTTP/1.1 without a host', 400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['HTTP/1.0 without a host', 400, 'GET / HTTP/1.0\r\n\r\n'],
  ['two hosts', 421, `GET / HTTP/1.1\r\nHost: evil.example\r\n${OWN}\r\n`],
  ['two hosts, ours first', 421, `GET / HTTP/1.1\r\n${OWN}Host: evil.example\r\n\r\n`],
  ['a name that was rebound', 421, 'GET / HTTP/1.1\r\nHost: evil.example:PORT\r\nConnection: close\r\n\r\n'],
  ['a host without port', 421, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'],
  [
    'a folded host',
    400,
    'GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n evil.example\r\nConnection: close\r\n\r\n',
  ],
  ['an absolute address of ours', 400, `GET http://127.0.0.1:PORT/ HTTP/1.1\r\n${OWN}\r\n`],
  ['an absolute address of another', 400, `GET http://evil.example/ HTTP/1.1\r\n${OWN}\r\n`],
  ['an address without scheme', 400, `GET //evil.example/ HTTP/1.1\r\n${OWN}\r\n`],
  ['the way up', 400, `GET /../../etc/passwd HTTP/1.1\r\n${OWN}\r\n`],
  ['a disguised way up', 400, `GET /%2e%2e%5c%2e%2e%5cwindows HTTP/1.1\r\n${OWN}\r\n`],
  ['a doubly disguised way up', 400, `GET /%252e%252e/x HTTP/1.1\r\n${OWN}\r\n`],
  ['a zero byte', 400, `GET /index.html%00.js HTTP/1.1\r\n${OWN}\r\n`],
  ['a backslash', 400, `GET /..\\..\\windows HTTP/1.1\r\n${OWN}\r\n`],
  ['a very long address', 414, `GET /${'a'.repeat(2000)} HTTP/1.1\r\n${OWN}\r\n`],
  ['TRACE', 405, `TRACE / HTTP/1.1\r\n${OWN}\r\n`],
  ['CONNECT', 405, `CONNECT evil.example:443 HTTP/1.1\r\n${OWN}\r\n`],
  ['PROPFIND', 405, `PROPFIND / HTTP/1.1\r\n${OWN}\r\n`],
  ['OPTIONS of everything', 405, `OPTIONS * HTTP/1.1\r\n${OWN}\r\n`],
  ['a preflight', 405, `OPTIONS /call HTTP/1.1\r\n${OWN}Origin: https://evil.example\r\n\r\n`],
  ['a method nobody knows', 400, `FETCH / HTTP/1.1\r\n${OWN}\r\n`],
  ['an origin that is not ours', 403, `GET / HTTP/1.1\r\n${OWN}Origin: https://evil.example\r\n\r\n`],
  ['the origin null', 403, `GET / HTTP/1.1\r\n${OWN}Origin: null\r\n\r\n`],
  ['a request across sites', 403, `GET / HTTP/1.1\r\n${OWN}Sec-Fetch-Site: cross-site\r\n\r\n`],
  ['a request of another port', 403, `GET / HTTP/1.1\r\n${OWN}Sec-Fetch-Site: same-site\r\n\r\n`],
  [
    'a POST without origin',
    403,
    `POST /call HTTP/1.1\r\n${OWN}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a form',
    415,
    `POST /call HTTP/1.1\r\n${OWN}Origin: http://127.0.0.1:PORT\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a WebSocket of another origin',
    403,
    'GET /events HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: https://evil.example\r\n' +
      'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  ],
  [
    'a WebSocket of ours',
    400,
    'GET /events HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
  ],
  [
    'an odd expectation',
    417,
    `POST /call HTTP/1.1\r\n${POST}Expect: a-miracle\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  ['a GET with a body', 400, `GET / HTTP/1.1\r\n${OWN}Content-Length: 2\r\n\r\n{}`],
  [
    'a length and chunks at once',
    400,
    `POST /call HTTP/1.1\r\n${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n${OWN}\r\n`,
  ],
  ['two lengths', 400, `POST /call HTTP/1.1\r\n${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a length with a sign', 400, `POST /call HTTP/1.1\r\n${POST}Content-Length: +2\r\n\r\n{}`],
  [
    'chunks under a false name',
    400,
    `POST /call HTTP/1.1\r\n${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a space before the colon', 400, `POST /call HTTP/1.1\r\n${POST}Content-Length : 2\r\n\r\n{}`],
  ['a bare line feed', 400, 'GET / HTTP/1.1\nHost: 127.0.0.1:PORT\n\n'],
  ['a zero byte in a header', 400, `GET / HTTP/1.1\r\n${OWN}X-A: a\0b\r\n\r\n`],
  ['headers over 16 KiB', 431, `GET / HTTP/1.1\r\n${OWN}X-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`],
  ['HTTP/2 without asking', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
];

const calls: unknown[] = [];
const ends: (() => Promise<void>)[] = [];
let bench: Bench;

beforeAll(async () => {
  bench = await startBench(
    { onTestFinished: (end) => void ends.push(end) },
    {
      call: async (request) => {
        calls.push(request);
        return { ok: true, value: null };
      },
    },
  );
});
afterAll(() => Promise.all(ends.map((end) => end())));

describe('the doors of the console', () => {
  it.each(attacks)('refuse %s', async (_what, status, text) => {
    const { cookie, token } = await bench.login();
    const withSession = text.replace(
      'Content-Type',
      `Cookie: ${cookie}\r\nX-Console-Token: ${token}\r\nContent-Type`,
    );
    for (const each of [text, withSession]) {
      const answer = await sendRaw(bench.console.port, each);
      expect(statusesOf(answer), answer).toEqual([status]);
      expect(lackedHeaders(answer)).toEqual([]);
      expect(answer.toLowerCase()).not.toContain('access-control-');
      expect(answer.toLowerCase()).not.toContain('set-cookie');
    }
    expect(calls).toEqual([]);
  });

  it('say which methods there are', async () => {
    const answer = await sendRaw(bench.console.port, `TRACE / HTTP/1.1\r\n${OWN}\r\n`);
    expect(answer).toContain('\r\nallow: GET, HEAD, POST\r\n');
  });

  it('let the same requests in when they are right', async () => {
    const { headers } = await bench.login();
    const answer = await bench.ask({ method: 'POST', path: '/call', headers, body: '{"call":"health.get"}' });
    expect(answer.status).toBe(200);
    expect(calls.splice(0)).toEqual([{ call: 'health.get' }]);
  });

  it.each(['localhost', '[::1]'])('answer under the name %s, to its own origin', async (name) => {
    const host = `${name}:${bench.console.port}`;
    const { headers } = await bench.login();
    const own = { ...headers, host, origin: `http://${host}` };
    expect((await bench.ask({ method: 'POST', path: '/call', headers: own, body: '{}' })).status).toBe(200);
    const foreign = { ...own, origin: bench.console.origin };
    expect((await bench.ask({ method: 'POST', path: '/call', headers: foreign, body: '{}' })).status).toBe(
      403,
    );
    calls.length = 0;
  });

  it('checklist 46: are on the loopback address only', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter((one) => one.family === 'IPv4' && !one.internal);
    for (const address of [...others.map((one) => one.address), '127.0.0.2', '::1'])
      expect(await isOpen(bench.console.port, address), address).toBe(false);
    expect(await isOpen(bench.console.port, '127.0.0.1')).toBe(true);
  });

  it('tell the log why, but no address', async () => {
    await sendRaw(bench.console.port, `GET //launch/secret-code HTTP/1.1\r\n${OWN}\r\n`);
    const refused = bench.lines.filter((line) => line.includes('refused'));
    expect(refused).toContainEqual(
      'warn The console refused a request. {"status":400,"reason":"The address of the request is not a path.","count":1}',
    );
    expect(bench.lines.join('\n')).not.toContain('secret-code');
  });
});

async function isOpen(port: number, host: string): Promise<boolean> {
  const { socket } = openWire(port, host);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
