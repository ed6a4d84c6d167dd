/** 32 KiB of headers; storage sends under 2 KiB. */
const MAX_HEAD_BYTES = 32 * 1024;
/** Longest body that is read, bytes (64 KiB). */
const MAX_BODY_BYTES = 64 * 1024;
/** Longest line with the size of a chunk, and longest trailer, characters. */
const MAX_LINE_CHARACTERS = 1024;

/** An answer as it was received. */
export interface ReceivedAnswer {
  readonly status: number;
  /** By lower-case name; of a repeated header, the first. */
  readonly headers: ReadonlyMap<string, string>;
  /** Its first 64 KiB, as UTF-8. */
  readonly body: string;
  /** The body was cut off by the end of the connection. */
  readonly isCut: boolean;
  /** The connection may serve another request. */
  readonly keepsAlive: boolean;
}

/** Reads one answer of HTTP/1.1 (RFC 9112), strictly: an answer that could be read in two ways is refused. */
export interface AnswerReader {
  /** The status and headers are there. */
  readonly hasHead: boolean;
  /**
   * Takes the next bytes; returns the answer once it has ended or is too long. Throws with a code, as Node's own parser
   * does, when it is not HTTP/1.1.
   */
  push(bytes: Buffer): ReceivedAnswer | undefined;
  /** What there is of the answer at the end of its connection; undefined if not even its headers arrived. */
  end(): ReceivedAnswer | undefined;
}

type Head = Pick<ReceivedAnswer, 'status' | 'headers' | 'keepsAlive'>;

/** How the end of a body is found. */
type Framing =
  | { readonly kind: 'length'; leftBytes: number }
  | { readonly kind: 'chunked'; leftBytes: number; isTrailer: boolean; line: string }
  | { readonly kind: 'close' };

/** Creates a reader for the answer to one request. */
export function createAnswerReader(): AnswerReader {
  let text = '';
  let headBytes = 0;
  let head: Head | undefined;
  let framing: Framing = { kind: 'length', leftBytes: 0 };
  const body: Buffer[] = [];
  let bodyBytes = 0;

  function keep(bytes: Buffer): void {
    body.push(bytes);
    bodyBytes += bytes.length;
  }

  function answer({ status, headers, keepsAlive }: Head, isCut: boolean, isOver: boolean): ReceivedAnswer {
    const start = bodyBytes === 0 ? '' : Buffer.concat(body).toString('utf8', 0, MAX_BODY_BYTES);
    return { status, headers, body: start, isCut, keepsAlive: keepsAlive && isOver };
  }

  /** Reads until the end of the headers; returns the bytes after it. */
  function readHead(bytes: Buffer): Buffer | undefined {
    const from = Math.max(0, text.length - 3);
    text += bytes.toString('latin1');
    const end = text.indexOf('\r\n\r\n', from);
    const length = end === -1 ? text.length : end;
    if (headBytes + length > MAX_HEAD_BYTES) throw invalid('HPE_HEADER_OVERFLOW', 'the headers are too long');
    if (end === -1) {
      checkBeginning(text);
      return undefined;
    }
    const rest = bytes.subarray(bytes.length - (text.length - end - 4));
    const read = parseHead(text.slice(0, end));
    headBytes += end;
    text = '';
    if (read.status >= 200) [head, framing] = [read, framingOf(read)];
    return rest;
  }

  /** Reads the body; returns the bytes after it once it has ended. */
  function readBody(bytes: Buffer): Buffer | undefined {
    if (framing.kind === 'chunked') return readChunks(framing, bytes, keep);
    if (framing.kind === 'close') {
      keep(bytes);
      return undefined;
    }
    const mine = bytes.subarray(0, framing.leftBytes);
    if (mine.length > 0) keep(mine);
    framing.leftBytes -= mine.length;
    return framing.leftBytes === 0 ? bytes.subarray(mine.length) : undefined;
  }

  return {
    get hasHead() {
      return head !== undefined;
    },
    push(bytes) {
      let rest: Buffer | undefined = bytes;
      // There may be interim answers before it
      while (head === undefined) {
        rest = readHead(rest);
        if (rest === undefined) return undefined;
      }
      const left = readBody(rest);
      if (left !== undefined) return answer(head, false, left.length === 0);
      return bodyBytes > MAX_BODY_BYTES ? answer(head, false, false) : undefined;
    },
    end: () => head && answer(head, framing.kind !== 'close', false),
  };
}

/** Notices early that something else than HTTP answers, or lines that do not end as they should. */
function checkBeginning(text: string): void {
  const start = 'HTTP/1.';
  if (!text.startsWith(start.slice(0, text.length)))
    throw invalid('HPE_INVALID_CONSTANT', 'the response is not HTTP/1.1');
  if (/[^\r]\n/.test(text)) throw invalid('HPE_CR_EXPECTED', 'a line of the response does not end properly');
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
// oxlint-disable-next-line no-control-regex -- these are what a header must not contain
const FORBIDDEN = /[\0-\x08\n-\x1f\x7f]/;

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor, status] = STATUS_LINE.exec(first) ?? [];
  if (status === undefined) throw invalid('HPE_INVALID_CONSTANT', 'the response is not HTTP/1.1');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!HEADER_NAME.test(name) || FORBIDDEN.test(value))
      throw invalid('HPE_INVALID_HEADER_TOKEN', 'a header of the response is not valid');
    if (!headers.has(name)) headers.set(name, value);
    else if (name === 'content-length' || name === 'transfer-encoding')
      throw invalid('HPE_UNEXPECTED_CONTENT_LENGTH', 'the length of the response is given twice');
  }
  const isClosing = /\bclose\b/i.test(headers.get('connection') ?? '');
  return { status: Number(status), headers, keepsAlive: minor === '1' && !isClosing };
}

function framingOf({ status, headers }: Head): Framing {
  const length = headers.get('content-length');
  const encoding = headers.get('transfer-encoding')?.toLowerCase();
  if (encoding !== undefined && length !== undefined)
    throw invalid('HPE_INVALID_TRANSFER_ENCODING', 'the length of the response is given twice');
  if (status === 204 || status === 304) return { kind: 'length', leftBytes: 0 };
  if (encoding === 'chunked') return { kind: 'chunked', leftBytes: 0, isTrailer: false, line: '' };
  if (encoding !== undefined)
    throw invalid('HPE_INVALID_TRANSFER_ENCODING', 'the response has an unknown encoding');
  if (length === undefined) return { kind: 'close' };
  if (!/^\d{1,15}$/.test(length))
    throw invalid('HPE_INVALID_CONTENT_LENGTH', 'the length of the response is not a number');
  return { kind: 'length', leftBytes: Number(length) };
}

/** The line break after the data of a chunk. */
const AFTER_CHUNK = 2;

/** `leftBytes` of the chunk are data and then its line break; at zero, a line follows. */
function readChunks(
  framing: Framing & { readonly kind: 'chunked' },
  bytes: Buffer,
  keep: (bytes: Buffer) => void,
): Buffer | undefined {
  let rest = bytes;
  while (rest.length > 0) {
    const data = rest.subarray(0, Math.max(0, framing.leftBytes - AFTER_CHUNK));
    if (data.length > 0) keep(data);
    framing.leftBytes -= data.length;
    rest = rest.subarray(data.length);
    while (framing.leftBytes > 0 && framing.leftBytes <= AFTER_CHUNK && rest.length > 0) {
      if (rest[0] !== (framing.leftBytes === AFTER_CHUNK ? 0x0d : 0x0a))
        throw invalid('HPE_STRICT', 'a chunk of the response does not end properly');
      framing.leftBytes -= 1;
      rest = rest.subarray(1);
    }
    if (framing.leftBytes > 0 || rest.length === 0) continue;
    const end = rest.indexOf('\n');
    framing.line += rest.toString('latin1', 0, end === -1 ? rest.length : end + 1);
    rest = rest.subarray(end === -1 ? rest.length : end + 1);
    if (framing.line.length > MAX_LINE_CHARACTERS)
      throw invalid('HPE_CHUNK_EXTENSIONS_OVERFLOW', 'a line of the response is too long');
    if (end === -1) return undefined;
    if (takeLine(framing)) return rest;
  }
  return undefined;
}

/** Takes the size of the next chunk, or a trailer; true when that was the last line. */
function takeLine(framing: Framing & { readonly kind: 'chunked' }): boolean {
  const { line, isTrailer } = framing;
  framing.line = '';
  if (!line.endsWith('\r\n')) throw invalid('HPE_STRICT', 'a line of the response does not end properly');
  if (isTrailer) return line === '\r\n';
  const [, size] = /^([\dA-Fa-f]{1,12})(?:[\t ;][\t -~\x80-\xff]*)?\r\n$/.exec(line) ?? [];
  if (size === undefined)
    throw invalid('HPE_INVALID_CHUNK_SIZE', 'a chunk of the response has no valid size');
  const sizeBytes = Number.parseInt(size, 16);
  framing.isTrailer = sizeBytes === 0;
  framing.leftBytes = sizeBytes === 0 ? 0 : sizeBytes + AFTER_CHUNK;
  return false;
}

function invalid(code: string, message: string): Error {
  return Object.assign(new Error(`Parse Error: ${message}`), { code });
}
