import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { MIB, preparePuts, store } from './put-test-bed.ts';

const { serve, raw, client, file, send } = preparePuts();

describe('an answer that comes before the body was sent', () => {
  const denied =
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
  const head = `HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: ${denied.length}\r\n`;

  it('is read ten times out of ten when the server closes with unread data', async () => {
    const url = await raw((socket) => {
      socket.pause();
      socket.end(`${head}Connection: close\r\n\r\n${denied}`, () => setImmediate(() => socket.destroy()));
    });
    const source = await file(randomBytes(64 * MIB));
    const put = client();
    for (let attempt = 0; attempt < 10; attempt++) {
      const outcome = await send(put, url, source, { withCrc32: false });
      expect(outcome).toMatchObject({
        kind: 'answer',
        status: 403,
        xmlCode: 'AccessDenied',
        text: 'Request has expired',
      });
      expect(outcome.sentBytes).toBeLessThan(64 * MIB);
    }
  });

  it('is read when the server resets right after it', async () => {
    const url = await raw((socket) => socket.write(`${head}\r\n${denied}`, () => socket.resetAndDestroy()));
    const source = await file(randomBytes(64 * MIB));
    const outcome = await send(client(), url, source, { withCrc32: false });
    expect(outcome).toMatchObject({ kind: 'answer', status: 403 });
  });

  it('ends the sending when the server keeps the connection open', async () => {
    const url = await raw((socket) => {
      socket.pause();
      socket.write(`${head}\r\n${denied}`);
    });
    const outcome = await send(client(), url, await file(randomBytes(64 * MIB)), { withCrc32: false });
    expect(outcome).toMatchObject({ kind: 'answer', status: 403, xmlCode: 'AccessDenied' });
    expect(outcome.sentBytes).toBeLessThan(64 * MIB);
  });

  it('counts bytes, so that an early 200 is not taken for stored', async () => {
    const url = await raw((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: "a"\r\n\r\n');
    });
    const outcome = await send(client(), url, await file(randomBytes(64 * MIB)));
    expect(outcome).toMatchObject({ kind: 'answer', status: 200 });
    expect(outcome.sentBytes).toBeLessThan(64 * MIB);
  });
});

describe('what storage says', () => {
  const answering = (status: number, headers: Record<string, string>, body: string): Promise<URL> =>
    serve((request, response) => {
      request.resume().on('end', () => response.writeHead(status, headers).end(body));
    });

  it('is read from its error document, without its secrets', async () => {
    const body =
      '<Error><Code>SignatureDoesNotMatch</Code><Message>See\n https://h.example/k?X-Amz-Signature=abc</Message>' +
      '<AWSAccessKeyId>AKIAX</AWSAccessKeyId></Error>';
    const url = await answering(403, { 'retry-after': '7' }, body);
    const outcome = await send(client(), url, await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({
      kind: 'answer',
      status: 403,
      xmlCode: 'SignatureDoesNotMatch',
      retryAfter: '7',
    });
    expect(JSON.stringify(outcome)).not.toMatch(/abc"|AKIAX/);
  });

  it.each([
    ['<html><body>Blocked</body></html>', '<html><body>Blocked</body></html>'],
    ['x'.repeat(5_000), 'x'.repeat(200)],
    ['<Error><Code>Access Denied; drop</Code></Error>', ''],
    ['<Error><Code>AccessDenied</Code><Message></Message></Error>', ''],
  ])('of %s keeps "%s"', async (body, text) => {
    const outcome = await send(client(), await answering(403, {}, body), await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({ kind: 'answer', status: 403, text });
  });

  it('is cut when it does not end', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(500);
        const timer = setInterval(() => response.write(Buffer.alloc(16 * 1024, 'x')), 1);
        response.on('close', () => clearInterval(timer));
      });
    });
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'answer',
      status: 500,
    });
  });

  it('is dropped when its headers are too large', async () => {
    const url = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(64 * 1024)}\r\n\r\n`));
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'HPE_HEADER_OVERFLOW',
    });
  });

  it('is not waited for without end when it drips', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const put = client({ answerTimeoutMs: 300 });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'ETIMEDOUT',
    });
  });

  it('is no success when it breaks off', async () => {
    const url = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nETag: "a"\r\nContent-Length: 10\r\n\r\nabc'),
    );
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({ kind: 'network' });
  });

  it.each([301, 302, 303, 307, 308])('is never followed elsewhere (%i)', async (status) => {
    const visits: IncomingMessage[] = [];
    const elsewhere = await serve(store([], visits));
    const url = await answering(status, { location: elsewhere.href }, '');
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'answer',
      status,
    });
    expect(visits).toEqual([]);
  });

  it.each([
    ['"d41d8cd98f00b204e9800998ecf8427e"', 'answer'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'answer'],
    ['"d41d8cd98f00b204e9800998ecf8427e-12"', 'answer'],
    ['""abc""', 'answer'],
    ['W/"abc"', 'answer'],
    ['"a b"', 'refused'],
    ['"ü"', 'refused'],
    ['""', 'refused'],
    ['a"b', 'refused'],
    ['x'.repeat(513), 'refused'],
  ])('checklist 33: with the etag %s is taken as %s', async (etag, kind) => {
    const outcome = await send(client(), await answering(200, { etag }, ''), await file(Buffer.from('abc')));
    expect(outcome).toMatchObject(
      kind === 'answer' ? { kind, etag } : { kind, failure: { code: 'API_ETAG' } },
    );
  });

  it('may lack an etag', async () => {
    const outcome = await send(client(), await answering(200, {}, ''), await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({ kind: 'answer', status: 200 });
    expect(outcome).not.toHaveProperty('etag');
  });
});
