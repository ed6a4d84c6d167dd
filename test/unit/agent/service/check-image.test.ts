import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createImageCheck,
  type ImageCheckOptions,
  judgeImage,
} from '../../../../electron/agent/service/check-image.ts';
import { MAX_IMAGE_BYTES, type ImageType } from '../../../../shared/domain/chat-message.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { going } from './team-desk.ts';
import { testCertificate } from './test-certificate.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const jpg = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////', 'base64');
const html = Buffer.from('<!DOCTYPE html><html><title>Log in</title></html>');
const local = {
  kind: 'unchecked',
  reason: 'Local and reserved addresses are not checked.',
};

let server: Server | undefined;
let requests: IncomingMessage[] = [];

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  requests = [];
  server = createServer(testCertificate, (request, response) => {
    requests.push(request);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `https://localhost:${typeof address === 'object' ? address?.port : 0}/a.png`;
}

/** A file as a web server serves it: HEAD, ranges, lengths. */
function file(bytes: Buffer, { ranges = true, head = true } = {}): RequestListener {
  return (request, response) => {
    if (request.method === 'HEAD' && !head) return void response.writeHead(405).end();
    const range = ranges ? /^bytes=0-(\d+)$/.exec(request.headers.range ?? '') : null;
    const part = range === null ? bytes : bytes.subarray(0, Number(range[1]) + 1);
    const contentRange = { 'content-range': `bytes 0-${part.length - 1}/${bytes.length}` };
    response.writeHead(range === null ? 200 : 206, {
      'content-length': part.length,
      ...(range === null ? {} : contentRange),
    });
    response.end(request.method === 'HEAD' ? undefined : part);
  };
}

function check(url: string, type: ImageType = 'png', options: Partial<ImageCheckOptions> = {}) {
  const own = {
    clock: createFakeClock(),
    allowLoopback: true,
    userAgent: 'agent/9',
    ca: testCertificate.cert,
  };
  return createImageCheck({ ...own, ...options })({ url, type }, going);
}

const withTail = (bytes: Buffer, sizeBytes: number) =>
  Buffer.concat([bytes, Buffer.alloc(sizeBytes - bytes.length)]);

describe('an image that fits', () => {
  it.each([
    ['png', png],
    ['gif', gif],
    ['jpg', jpg],
  ] as const)('is fine: %s', async (type, bytes) => {
    expect(await check(await serve(file(bytes)), type)).toEqual({
      kind: 'fine',
      type,
      sizeBytes: bytes.length,
    });
  });

  it('is looked at by its headers and its first 64 KiB', async () => {
    const url = await serve(file(withTail(png, 5_000_000)));
    expect(await check(url)).toEqual({ kind: 'fine', type: 'png', sizeBytes: 5_000_000 });
    expect(requests.map(({ method, headers }) => [method, headers.range])).toEqual([
      ['HEAD', undefined],
      ['GET', 'bytes=0-65535'],
    ]);
  });

  it('may have exactly the largest size', async () => {
    expect(await check(await serve(file(withTail(gif, MAX_IMAGE_BYTES))), 'gif')).toMatchObject({
      kind: 'fine',
    });
  });

  it.each([
    ['does not know ranges', { ranges: false }],
    ['does not know HEAD', { head: false }],
    ['knows neither', { ranges: false, head: false }],
  ])('is seen at a server that %s', async (_what, knows) => {
    const url = await serve(file(withTail(png, 300_000), knows));
    expect(await check(url)).toEqual({ kind: 'fine', type: 'png', sizeBytes: 300_000 });
  });

  it('is counted when nothing states its size', async () => {
    const url = await serve((request, response) => response.end(request.method === 'HEAD' ? undefined : gif));
    const chunked: RequestListener = (request, response) => {
      if (request.method !== 'HEAD') response.write(gif);
      response.end();
    };
    expect(await check(url, 'gif')).toMatchObject({ kind: 'fine' });
    server?.close();
    expect(await check(await serve(chunked), 'gif')).toEqual({
      kind: 'fine',
      type: 'gif',
      sizeBytes: gif.length,
    });
  });
});

describe('an image that does not fit is refused', () => {
  it.each([
    ['another image than stated', file(gif), 'The image is a GIF file, but PNG was specified.'],
    ['a web page', file(html), 'The address returns something that is not a PNG, JPG or GIF image.'],
    [
      'a film',
      file(Buffer.from('0000001c667479706d703432', 'hex')),
      'The address returns a file of type MP4, not a PNG, JPG or GIF image.',
    ],
    ['an empty file', file(Buffer.alloc(0)), 'The address returns an empty file.'],
    [
      'nothing',
      (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end(),
      'There is no image at the address (HTTP 404).',
    ],
  ] satisfies [string, RequestListener, string][])('%s', async (_what, listener, reason) => {
    expect(await check(await serve(listener))).toEqual({ kind: 'refused', reason });
  });

  it('a byte over the limit, without fetching it', async () => {
    const url = await serve(file(withTail(png, MAX_IMAGE_BYTES + 1)));
    expect(await check(url)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('the limit is 10.0 MB'),
    });
    expect(requests.map(({ method }) => method)).toEqual(['HEAD']);
  });

  it('more than the limit from a server that never ends', async () => {
    let written = 0;
    const url = await serve((request, response) => {
      if (request.method === 'HEAD') return void response.end();
      response.write(png);
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536))) written += 65_536;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await check(url)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('the limit is 10.0 MB'),
    });
    expect(written).toBeLessThan(3 * MAX_IMAGE_BYTES);
  });

  it.each([
    ['http://localhost/a.png', 'The address does not begin with https://.'],
    ['nonsense', 'The address does not begin with https://.'],
    ['https://user:word@localhost/a.png', 'The address contains a user name or password.'],
  ])('%s', async (url, reason) => {
    expect(await check(url)).toEqual({ kind: 'refused', reason });
  });
});

describe('an image that cannot be looked at is unchecked', () => {
  it.each([301, 302, 401, 403, 405, 429, 500])('HTTP %i', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status, { location: '/b.png' }).end());
    expect(await check(url)).toMatchObject({
      kind: 'unchecked',
      reason: expect.stringContaining(`HTTP ${status}`),
    });
    expect(requests.map((request) => request.url)).toEqual(['/a.png', '/a.png']);
  });

  it('a connection that breaks, a certificate that is not trusted', async () => {
    const url = await serve((_request, response) => response.destroy());
    expect(await check(url)).toMatchObject({
      kind: 'unchecked',
      reason: expect.stringContaining('ECONNRESET'),
    });
    const untrusting = createImageCheck({
      allowLoopback: true,
      clock: createFakeClock(),
      userAgent: 'agent/9',
    });
    expect(await untrusting({ url, type: 'png' }, going)).toMatchObject({
      kind: 'unchecked',
      reason: expect.stringContaining('certificate'),
    });
  });

  it.each([
    'https://127.0.0.1/a.png',
    'https://10.0.0.5/a.png',
    'https://[::1]/a.png',
    'https://169.254.169.254/a.png',
    'https://0x7f.1/a.png',
  ])('an address of a local network: %s', async (url) => {
    expect(await check(url, 'png', { allowLoopback: false })).toEqual(local);
  });

  it('a name that leads into a local network', async () => {
    const url = await serve(file(png));
    expect(await check(url, 'png', { allowLoopback: false })).toEqual(local);
    const resolve: ImageCheckOptions['resolve'] = (_name, _options, callback) =>
      callback(null, [{ address: '10.0.0.5', family: 4 }]);
    expect(await check('https://img.test/a.png', 'png', { resolve })).toEqual(local);
    expect(requests).toEqual([]);
  });

  it('an address that is silent for 15 s', async () => {
    const clock = createFakeClock();
    const url = await serve(() => undefined);
    const waiting = check(url, 'png', { clock });
    await expect.poll(() => requests.length).toBe(1);
    await clock.advance(15_000);
    expect(await waiting).toEqual({
      kind: 'unchecked',
      reason: 'The address did not return the image within 15 s.',
    });
  });
});

describe('the look at an image', () => {
  it('carries no key, no cookie and nothing of the team', async () => {
    const url = await serve((request, response) => {
      response.setHeader('set-cookie', 'a=b');
      file(png)(request, response);
    });
    await check(url);
    for (const { headers } of requests) {
      expect(Object.keys(headers).toSorted()).toEqual(
        [
          'accept',
          'accept-encoding',
          'connection',
          'host',
          'user-agent',
          ...(headers.range === undefined ? [] : ['range']),
        ].toSorted(),
      );
    }
    expect(requests).toHaveLength(2);
  });
});

describe('judgeImage', () => {
  it.each([
    [1, 'png', 'png', 'fine'],
    [10_000_000, 'gif', 'gif', 'fine'],
    [5, 'apng', 'png', 'fine'],
    [10_000_001, 'png', 'png', 'refused'],
    [0, undefined, 'png', 'refused'],
    [5, 'png', 'jpg', 'refused'],
    [5, 'webp', 'png', 'refused'],
    [5, undefined, 'png', 'refused'],
  ] as const)('%i bytes of %s, stated %s, are %s', (sizeBytes, foundType, stated, kind) => {
    expect(judgeImage({ sizeBytes, foundType }, stated).kind).toBe(kind);
  });
});
