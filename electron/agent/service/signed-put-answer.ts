import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { removeSecrets, withIds } from '../core/text/redact.ts';
import { readRequestIds } from './request-ids.ts';
import type { ReceivedAnswer } from './read-answer.ts';

/** Longest text that is kept of an answer, characters (service.md gap 23). */
const MAX_TEXT_CHARACTERS = 200;
/** Visible ASCII, quoted or not, at most 512 characters. */
const ETAG = /^(?=.{1,512}$)(W\/)?"*[\x21\x23-\x7e]+"*$/;

/** The answer of storage. */
export interface PutAnswer {
  readonly status: number;
  /** As received, with its quotes; undefined if there was none. */
  readonly etag?: string;
  /** Storage's clock, from its `Date` header. */
  readonly dateMs?: number;
  /** The header as received: see `parseRetryAfter`. */
  readonly retryAfter?: string;
  readonly requestIds?: readonly RequestId[];
  /** `Code` of an S3 error document. */
  readonly xmlCode?: string;
  /** `Message` of an S3 error document, or else the beginning of the body: at most 200 characters, without secrets. */
  readonly text: string;
}

/**
 * How a PUT ended. `sentBytes` counts what the socket accepted. An `answer` may come before the body was sent: bytes
 * are stored only if the status says so and `sentBytes` is the length. `network` means unknown, not failed.
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
      /**
       * The connection had served another request before: storage may just have closed it, so a retry costs nothing.
       */
      readonly wasReused: boolean;
      /** Why no connection was made, if the reason concerns every upload: a problem with the proxy. */
      readonly failure?: Failure;
    }
  | { readonly kind: 'source'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'aborted'; readonly sentBytes: number };

/** What an answer says. */
export function readPutAnswer({ status, headers, body }: ReceivedAnswer): PutAnswer {
  return { status, ...readHeaders(headers), ...readBody(body) };
}

/** Whether an etag is one that can be stored and sent to the service. */
export function isUsableEtag(etag: string): boolean {
  return ETAG.test(etag);
}

function readHeaders(headers: ReceivedAnswer['headers']): Omit<PutAnswer, 'status' | 'text'> {
  const etag = headers.get('etag');
  const date = headers.get('date');
  const dateMs = date === undefined ? Number.NaN : Date.parse(date);
  const retryAfter = headers.get('retry-after');
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(Number.isNaN(dateMs) ? {} : { dateMs }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...withIds(readRequestIds(Object.fromEntries(headers))),
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
