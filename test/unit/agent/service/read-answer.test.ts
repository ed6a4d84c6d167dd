import { describe, expect, it } from 'vitest';
import { createAnswerReader, type ReceivedAnswer } from '../../../../electron/agent/service/read-answer.ts';

/** Pushes the pieces and then ends the connection, as a server does that closes after its answer. */
function readAll(pieces: readonly string[]): ReceivedAnswer | undefined {
  const reader = createAnswerReader();
  for (const piece of pieces) {
    const answer = reader.push(Buffer.from(piece, 'latin1'));
    if (answer !== undefined) return answer;
  }
  return reader.end();
}

const ok = 'HTTP/1.1 200 OK\r\n';

describe('an answer of storage', () => {
  it.each([
    ['with a length', `${ok}Content-Length: 3\r\n\r\nabc`, 'abc'],
    ['with a length of zero', `${ok}Content-Length: 0\r\n\r\n`, ''],
    ['in chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n`, 'abc'],
    ['in chunks, with a trailer', `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n`, 'a'],
    [
      'after interim answers',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\n${ok}Content-Length: 1\r\n\r\na`,
      'a',
    ],
    ['without a body', 'HTTP/1.1 204 No Content\r\nETag: "a"\r\n\r\n', ''],
    ['without a reason', 'HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na', 'a'],
  ])('%s is read, whole and byte by byte, and keeps the connection', (_title, text, body) => {
    for (const pieces of [[text], [...text]]) {
      const answer = readAll(pieces);
      expect(answer).toMatchObject({ isCut: false, keepsAlive: true });
      expect(answer?.body).toBe(body);
    }
  });

  it.each([
    ['that lasts as long as its connection', `${ok}ETag: "a"\r\n\r\nabc`],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc'],
    ['that says so', `${ok}Connection: Close\r\nContent-Length: 3\r\n\r\nabc`],
    ['with bytes after its end', `${ok}Content-Length: 3\r\n\r\nabcd`],
  ])('%s ends the connection', (_title, text) => {
    const answer = readAll([text]);
    expect(answer).toMatchObject({ status: 200, isCut: false, keepsAlive: false });
    expect(answer?.body).toBe('abc');
  });

  it.each([
    ['its length', `${ok}Content-Length: 10\r\n\r\nabc`],
    ['its last chunk', `${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`],
  ])('that ends before %s is cut', (_title, text) => {
    expect(readAll([text])).toMatchObject({ status: 200, isCut: true, keepsAlive: false });
  });

  it('that ends before its headers is none', () => {
    expect(readAll([`${ok}ETag: "a"\r\n`])).toBeUndefined();
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'HPE_INVALID_CONSTANT'],
    ['another version', 'HTTP/2 200\r\n\r\n', 'HPE_INVALID_CONSTANT'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'HPE_INVALID_CONSTANT'],
    ['lines that end with a line feed alone', 'HTTP/1.1 200 OK\nETag: "a"\n\n', 'HPE_CR_EXPECTED'],
    ['a header without a name', `${ok}: a\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a space before the colon', `${ok}ETag : "a"\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a header over two lines', `${ok}ETag: "a"\r\n b\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a NUL in a header', `${ok}ETag: "a\0"\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a negative length', `${ok}Content-Length: -1\r\n\r\n`, 'HPE_INVALID_CONTENT_LENGTH'],
    ['a length that is a list', `${ok}Content-Length: 1, 1\r\n\r\n`, 'HPE_INVALID_CONTENT_LENGTH'],
    ['two lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 'HPE_UNEXPECTED_CONTENT_LENGTH'],
    [
      'a length and chunks',
      `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'HPE_INVALID_TRANSFER_ENCODING',
    ],
    ['an unknown encoding', `${ok}Transfer-Encoding: gzip\r\n\r\n`, 'HPE_INVALID_TRANSFER_ENCODING'],
    ['a chunk without a size', `${ok}Transfer-Encoding: chunked\r\n\r\nz\r\n`, 'HPE_INVALID_CHUNK_SIZE'],
    [
      'a chunk that is longer than it says',
      `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n`,
      'HPE_STRICT',
    ],
    [
      'an endless line before a chunk',
      `${ok}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(2000)}`,
      'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ],
    ['headers without end', `${ok}X: ${'x'.repeat(40_000)}`, 'HPE_HEADER_OVERFLOW'],
    [
      'interim answers without end',
      'HTTP/1.1 103 Hints\r\nLink: a\r\n\r\n'.repeat(2_000),
      'HPE_HEADER_OVERFLOW',
    ],
  ])('with %s is refused', (_title, text, code) => {
    const reader = createAnswerReader();
    expect(() => reader.push(Buffer.from(text, 'latin1'))).toThrow(expect.objectContaining({ code }));
  });

  it('is cut at 64 KiB, and its connection is not used again', () => {
    const reader = createAnswerReader();
    reader.push(Buffer.from(`${ok}Content-Length: 1000000\r\n\r\n`));
    const half = Buffer.alloc(40 * 1024, 'x');
    expect(reader.push(half)).toBeUndefined();
    const answer = reader.push(half);
    expect(answer).toMatchObject({ isCut: false, keepsAlive: false });
    expect(answer?.body.length).toBe(64 * 1024);
  });

  it('keeps the first of a repeated header, whatever its name', () => {
    const answer = readAll([`${ok}ETag: "a"\r\nETag: "b"\r\n__proto__: c\r\nContent-Length: 0\r\n\r\n`]);
    expect(answer?.headers.get('etag')).toBe('"a"');
    expect(answer?.headers.get('__proto__')).toBe('c');
  });
});
