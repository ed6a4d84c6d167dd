import { ThumbnailError } from './draw-thumbnail.ts';

/** Most that one request asks for, bytes; the other side gives no more at once. */
const MAX_CHUNK_BYTES = 1024 * 1024;
const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** The clip's bytes by ranges, of which only so many are given. Each rejects with `ThumbnailError` `read` or `limit`. */
export interface ClipReader {
  /** Bytes of the whole clip. */
  size(): Promise<number>;
  /** Bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Makes the reader of the clip at an address of this page's own origin. */
export function createClipReader(address: URL, maxBytes: number, signal: AbortSignal): ClipReader {
  let bytesLeft = maxBytes;
  let sizeBytes: number | undefined;

  async function ask(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    bytesLeft -= end - start;
    if (bytesLeft < 0) throw new ThumbnailError('limit');
    const answer = await request(address, start, end, signal);
    const [, from, , total] = CONTENT_RANGE.exec(answer.headers.get('content-range') ?? '') ?? [];
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 206 || Number(from) !== start || bytes.length === 0 || bytes.length > end - start)
      throw new ThumbnailError('read');
    sizeBytes = Number(total);
    return bytes;
  }

  async function read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const whole = new Uint8Array(end - start);
    for (let done = 0; done < whole.length;) {
      const bytes = await ask(start + done, Math.min(end, start + done + MAX_CHUNK_BYTES));
      whole.set(bytes, done);
      done += bytes.length;
    }
    return whole;
  }

  return {
    read,
    async size() {
      if (sizeBytes === undefined) await ask(0, 1);
      return sizeBytes ?? 0;
    },
  };
}

async function request(address: URL, start: number, end: number, signal: AbortSignal): Promise<Response> {
  try {
    // The clip is on this page's own origin, which the host of the page answers by itself
    // oxlint-disable-next-line no-restricted-globals
    return await fetch(address, { headers: { range: `bytes=${start}-${end - 1}` }, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new ThumbnailError('read', error instanceof ThumbnailError ? error.codec : undefined);
  }
}
