import type { IncomingMessage } from 'node:http';
import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { removeSecrets } from '../core/text/redact.ts';
import { readRequestIds, withIds } from '../core/request-ids.ts';
import type { Readable } from 'node:stream';

/** Longest error body that is read, bytes (64 KiB). */
const MAX_BODY_BYTES = 64 * 1024;
/** Longest text that is kept of an answer, characters (service.md gap 23). */
const MAX_TEXT_CHARACTERS = 200;
/** Visible ASCII, quoted or not, at most 512 characters. */
const ETAG = /^(?=.{1,512}$)(W\/)?"*[\x21\x23-\x7e]+"*$/;

/** What storage said. */
export interface PutAnswer {
  readonly status: number;
  /** As it came, with its quotes; undefined when there was none. */
  readonly etag?: string;
  /** Storage's clock, from its `Date` header. */
  readonly dateMs?: number;
  /** The header as it came: see `parseRetryAfter`. */
  readonly retryAfter?: string;
  readonly requestIds?: readonly RequestId[];
  /** `Code` of an S3 error document. */
  readonly xmlCode?: string;
  /** `Message` of an S3 error document, else the beginning of the body: at most 200 characters, without secrets. */
  readonly text: string;
}

/**
 * How a PUT ended. `sentBytes` counts what the socket took. An `answer` may come before the body was sent: bytes
 * are stored only when the status says so and `sentBytes` is the length. `network` means unknown, not failed.
 */
export type PutOutcome =
  | ({
      readonly kind: 'answer';
      readonly sentBytes: number;
      readonly crc32?: number;
    } & PutAnswer)
  | {
      readonly kind: 'network';
      readonly code: string;
      readonly message: string;
      readonly sentBytes: number;
      /** The connection had served another request before: storage may just have closed it, so a new try costs nothing. */
      readonly wasReused: boolean;
      /** No connection came about, for this reason that concerns every upload: a problem with the proxy. */
      readonly failure?: Failure;
    }
  | { readonly kind: 'source'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'aborted'; readonly sentBytes: number };

/** Reads an answer to its end or its size limit; undefined when it broke off before it said whether the bytes are stored. */
export async function readPutAnswer(response: IncomingMessage): Promise<PutAnswer | undefined> {
  const status = response.statusCode ?? 0;
  const body = await readCapped(response, MAX_BODY_BYTES);
  const isCut = !body.isWhole && body.bytes.length < MAX_BODY_BYTES;
  if (isCut && status < 300) return undefined;
  return { status, ...readHeaders(response), ...readBody(body.bytes.toString('utf8')) };
}

/** Whether an etag is one that can be stored and sent to the service. */
export function isUsableEtag(etag: string): boolean {
  return ETAG.test(etag);
}

function readHeaders(response: IncomingMessage): Omit<PutAnswer, 'status' | 'text'> {
  const { etag, date } = response.headers;
  const dateMs = date === undefined ? Number.NaN : Date.parse(date);
  const retryAfter = response.headers['retry-after'];
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(Number.isNaN(dateMs) ? {} : { dateMs }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...withIds(readRequestIds(response.headers)),
  };
}

function readBody(body: string): Pick<PutAnswer, 'xmlCode' | 'text'> {
  if (!body.includes('<Error')) return { text: shortText(body) };
  const code = element(body, 'Code');
  const xmlCode = code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined;
  return { ...(xmlCode === undefined ? {} : { xmlCode }), text: shortText(element(body, 'Message') ?? '') };
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]{0,4096})</${name}>`).exec(xml)?.[1]?.trim();
}

function shortText(text: string): string {
  const oneLine = text.slice(0, 4 * 1024).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  return removeSecrets(oneLine, []).trim().slice(0, MAX_TEXT_CHARACTERS);
}

/** What could be read of a body: `isWhole` is false when it was longer than the limit or broke off. */
interface CappedBody {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Reads a body while counting its bytes; one that is longer than `limitBytes` is cut there and its stream destroyed. */
export async function readCapped(stream: Readable, limitBytes: number): Promise<CappedBody> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      chunks.push(bytes.subarray(0, limitBytes - sizeBytes));
      sizeBytes += bytes.length;
      // Leaving the loop destroys the stream
      if (sizeBytes > limitBytes) return { bytes: Buffer.concat(chunks), isWhole: false };
    }
  } catch {
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
