import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageType } from '../../../shared/domain/chat-message.ts';
import { going, useServiceDesk } from './service-desk.ts';

const desk = useServiceDesk();

const MAX_BYTES = 10_000_000;
const tls = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** The leading bytes of real files, which identify their type. */
const beginnings: Readonly<Record<string, Buffer>> = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  jpg: Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  webp: Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64'),
};

let server: Server | undefined;
let origin = '';
let body = Buffer.alloc(0);

beforeAll(async () => {
  // Does what an administrator does to add the company's CA to the system's store
  setDefaultCACertificates([...getCACertificates('default'), tls('ca.crt')]);
  server = createServer({ key: tls('server.key'), cert: tls('good.crt') }, (request, response) => {
    response.writeHead(200, { 'content-length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The result of checking an image address that serves a file of this kind and size. */
async function check(kind: string, stated: ImageType, sizeBytes = 5000, url = `${origin}/image`) {
  const beginning = beginnings[kind] ?? Buffer.alloc(0);
  body = Buffer.concat([beginning, Buffer.alloc(sizeBytes - beginning.length)]);
  return (await desk().team.messages.checkImage({ url, type: stated }, going)).kind;
}

describe('Notification images', () => {
  it('Limits | notification image size | at most 10 MB', async () => {
    expect(await check('png', 'png', MAX_BYTES)).toBe('fine');
    expect(await check('png', 'png', MAX_BYTES + 1)).toBe('refused');
  });

  it('Limits | notification image types | png, jpg, gif', async () => {
    for (const type of ['png', 'jpg', 'gif'] as const) expect(await check(type, type), type).toBe('fine');
    for (const type of ['png', 'jpg', 'gif'] as const) expect(await check('webp', type)).toBe('refused');
    expect(await check('gif', 'png')).toBe('refused');
  });

  it('Limits | notification image types | https URL only', async () => {
    expect(await check('png', 'png', 5000, origin.replace('https', 'http'))).toBe('refused');
  });
});
