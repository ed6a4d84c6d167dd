import { randomUUID } from 'node:crypto';
import { pageAnswerSchema, type ThumbnailAnswer } from '../../../shared/domain/thumbnail-answer.ts';
import { MAX_CLIP_BYTES_READ } from '../../../shared/domain/thumbnail-limits.ts';
import type { ClipSource } from '../../agent/index.ts';
import { securityHeaders } from '../../console/security-headers.ts';
import type { AnswerPage } from '../security/app-protocol.ts';
import { APP_ORIGIN } from '../security/app-protocol.ts';

/** Most bytes that one request brings. */
const MAX_CHUNK_BYTES = 1024 * 1024;
/** Two ways to a picture, each with its own count in the page: a page that no longer counts ends here. */
const MAX_SERVED_BYTES = 2 * MAX_CLIP_BYTES_READ;
/** Largest answer of the page, bytes: a picture as text, and what is known of it. */
const MAX_ANSWER_BYTES = 400_000;
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/** A clip that the page may read until `end`. */
export interface Offer {
  /** The page's own address, which tells it where the clip is and where its answer goes. */
  readonly address: string;
  /** Resolves with what the page said. Rejects with the failure when the clip cannot be read any more. */
  readonly answered: Promise<ThumbnailAnswer>;
  /** From here on neither is there. */
  end(): void;
}

/** What stands behind the scheme in the window that makes pictures: the pages, and one clip at a time. */
export interface ThumbnailProtocol {
  readonly answer: AnswerPage;
  offer(source: ClipSource): Offer;
}

interface CurrentOffer {
  readonly token: string;
  readonly source: ClipSource;
  servedBytes: number;
  settle(answer: ThumbnailAnswer): void;
  fail(error: unknown): void;
}

/** Makes it over what answers for the pages. Addresses of a clip hold a token that one page gets and that works once. */
export function createThumbnailProtocol(answerPage: AnswerPage): ThumbnailProtocol {
  let current: CurrentOffer | undefined;

  function offer(source: ClipSource): Offer {
    const token = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<ThumbnailAnswer>();
    promise.catch(() => undefined);
    const mine: CurrentOffer = { token, source, servedBytes: 0, settle: resolve, fail: reject };
    current = mine;
    return {
      address: `${APP_ORIGIN}/thumbnailer.html?clip=/clip/${token}&answer=/answer/${token}`,
      answered: promise,
      end() {
        if (current === mine) current = undefined;
      },
    };
  }

  return {
    offer,
    async answer(request) {
      const { pathname } = new URL(request.url);
      const [, kind, token] = /^\/(clip|answer)\/([\w-]+)$/.exec(pathname) ?? [];
      if (kind === undefined) return answerPage(request);
      if (current === undefined || token !== current.token || !request.url.startsWith(`${APP_ORIGIN}/`))
        return refusal(404);
      return kind === 'clip' ? serveClip(request, current) : hear(request, current);
    },
  };
}

/** A piece of the clip, never more than there is. */
async function serveClip(request: Request, offer: CurrentOffer): Promise<Response> {
  const { sizeBytes } = offer.source;
  if (request.method !== 'GET') return refusal(405);
  const [, from, to] = RANGE.exec(request.headers.get('range') ?? '') ?? [];
  if (from === undefined) return refusal(400);
  const start = Number(from);
  const end = Math.min(sizeBytes, start + MAX_CHUNK_BYTES, to === undefined ? sizeBytes : Number(to) + 1);
  if (start >= end) return refusal(416, { 'content-range': `bytes */${sizeBytes}` });
  offer.servedBytes += end - start;
  if (offer.servedBytes > MAX_SERVED_BYTES) return refusal(403);
  try {
    const bytes = await offer.source.read(start, end);
    const last = start + bytes.length - 1;
    return new Response(bytes, {
      status: 206,
      headers: {
        ...securityHeaders,
        'accept-ranges': 'bytes',
        'content-type': 'application/octet-stream',
        'content-length': String(bytes.length),
        'content-range': `bytes ${start}-${last}/${sizeBytes}`,
      },
    });
  } catch (error) {
    // Whoever waits for the picture hears why, instead of the page's "read"
    offer.fail(error);
    return refusal(404);
  }
}

async function hear(request: Request, offer: CurrentOffer): Promise<Response> {
  if (request.method !== 'POST' || request.body === null) return refusal(405);
  const text = await readCapped(request.body);
  const answer = pageAnswerSchema.safeParse(text === undefined ? undefined : parseJson(text));
  if (!answer.success) return refusal(400);
  const { data } = answer;
  offer.settle(
    data.kind === 'made' ? { ...data, jpeg: Uint8Array.from(Buffer.from(data.jpeg, 'base64')) } : data,
  );
  return refusal(204);
}

async function readCapped(body: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...securityHeaders, ...headers } });
}
