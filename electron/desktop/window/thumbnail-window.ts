import type { BrowserWindow } from 'electron/main';
import {
  type NoThumbnailReason,
  type ThumbnailAnswer,
  THUMBNAIL_DEADLINE_MS,
  MAX_CLIP_BYTES_READ,
  pageAnswerSchema,
} from '../../../shared/domain/thumbnail-answer.ts';
import type { ClipSource, Clock, Logger, ThumbnailMaker } from '../../agent/index.ts';
import { type AnswerPage, APP_SCHEME, APP_ORIGIN } from '../security/app-protocol.ts';
import type { ElectronApi } from '../electron-api.ts';
import { guardSession } from '../security/guards.ts';
import type { OpenWindow } from './open-window.ts';
import { randomUUID } from 'node:crypto';
import { securityHeaders } from '../../console/page-files.ts';

/** A session in memory that no other window shares. */
const PARTITION = 'thumbnails';
/** After this the page has hung, milliseconds: it keeps its own deadline before that. */
const HUNG_AFTER_MS = THUMBNAIL_DEADLINE_MS + 5_000;
/** Time without a clip after which the window is closed and its process ends, milliseconds. */
const IDLE_MS = 60_000;
/** Crashes in a row after which no thumbnail is tried until the next start: the decoder itself fails here. */
const MAX_CRASHES = 3;

interface Deps {
  readonly electron: Pick<ElectronApi, 'session'>;
  readonly openWindow: OpenWindow;
  /** Serves the built pages. */
  readonly answerPage: AnswerPage;
  readonly isPackaged: boolean;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
}

/** Makes thumbnails in a hidden window of its own, where untrusted files are decoded. */
export interface ThumbnailWindow extends ThumbnailMaker {
  /** Closes the window. */
  stop(): void;
}

type Ending = 'crash' | 'deadline';

/** Creates the thumbnail window; nothing is opened before the first clip. */
export function createThumbnailWindow(deps: Deps): ThumbnailWindow {
  const { electron, openWindow, clock, logger } = deps;
  const protocol = createThumbnailProtocol(deps.answerPage);
  let isGuarded = false;
  let current: BrowserWindow | undefined;
  let idling: AbortController | undefined;
  let crashes = 0;

  /** Runs once: a session lives as long as the program. */
  function guard(): void {
    if (isGuarded) return;
    isGuarded = true;
    const session = electron.session.fromPartition(PARTITION);
    guardSession(session, deps);
    session.protocol.handle(APP_SCHEME, protocol.answer);
  }

  function open(): BrowserWindow {
    guard();
    const looks = { show: false, width: 640, height: 360, skipTaskbar: true };
    const window = current ?? openWindow(looks, { partition: PARTITION });
    if (current === undefined)
      window.once('closed', () => {
        if (current === window) current = undefined;
      });
    current = window;
    return window;
  }

  function close(): void {
    idling?.abort();
    const ending = current;
    current = undefined;
    if (ending?.isDestroyed() === false) ending.destroy();
  }

  function closeWhenIdle(): void {
    const mine = new AbortController();
    idling = mine;
    clock.sleep(IDLE_MS, mine.signal).then(close, () => undefined);
  }

  function endBadly(ending: Ending): ThumbnailAnswer {
    close();
    crashes += 1;
    logger.warn('The window that makes thumbnails crashed; it is being reopened', {
      ending,
      inARow: crashes,
    });
    if (crashes === MAX_CRASHES) logger.error('Thumbnails are off until the app restarts', { crashes });
    return none(ending);
  }

  async function make(source: ClipSource, signal: AbortSignal): Promise<ThumbnailAnswer> {
    signal.throwIfAborted();
    if (crashes >= MAX_CRASHES) return none('off');
    idling?.abort();
    const window = open();
    const offer = protocol.offer(source);
    const over = new AbortController();
    try {
      const outcome = await Promise.race([
        offer.answered,
        badEnd(window, offer.address, over.signal),
        clock.sleep(HUNG_AFTER_MS, over.signal).then((): Ending => 'deadline'),
        rejectedBy(signal, over.signal),
      ]);
      if (typeof outcome === 'string') return endBadly(outcome);
      crashes = 0;
      return outcome;
    } catch (error) {
      // Whatever it is still reading or decoding is no longer needed
      close();
      throw error;
    } finally {
      offer.end();
      over.abort();
      if (current !== undefined) closeWhenIdle();
    }
  }

  return { make, stop: close };
}

/** Loads the page; resolves when it crashes, is closed or cannot be loaded, and never otherwise. */
function badEnd(window: BrowserWindow, address: string, over: AbortSignal): Promise<Ending> {
  return new Promise((resolve) => {
    const crashed = (): void => resolve('crash');
    window.webContents.on('render-process-gone', crashed);
    window.on('closed', crashed);
    over.addEventListener(
      'abort',
      () => {
        window.off('closed', crashed);
        if (!window.isDestroyed()) window.webContents.off('render-process-gone', crashed);
      },
      { once: true },
    );
    window.loadURL(address).catch((error: unknown) => {
      // Another navigation replaced it; if no thumbnail comes all the same, the deadline ends it
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED')) crashed();
    });
  });
}

function rejectedBy(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });
}

function none(reason: NoThumbnailReason): ThumbnailAnswer {
  return { kind: 'none', reason };
}

/** Most bytes that one request returns. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/**
 * Most bytes served of one clip. The page has two ways to make a thumbnail, each with its own limit; a page that
 * ignores its limits ends here.
 */
const MAX_SERVED_BYTES = 2 * MAX_CLIP_BYTES_READ;

/** Largest answer of the page, bytes: a thumbnail as text, and its facts. */
const MAX_ANSWER_BYTES = 400_000;

const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/** A clip that the page may read until `end`. */
export interface Offer {
  /** The page's own address, which tells it where the clip is and where its answer goes. */
  readonly address: string;
  /** Resolves with the page's answer. Rejects with the failure when the clip can no longer be read. */
  readonly answered: Promise<ThumbnailAnswer>;
  /** Withdraws the clip and its addresses. */
  end(): void;
}

/** Serves the app's scheme in the thumbnail window: the pages, and one clip at a time. */
interface ThumbnailProtocol {
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

/**
 * Creates the protocol; `answerPage` serves the pages. Addresses of a clip contain a token that one page gets and that
 * is valid for one offer.
 */
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
    // The caller gets the actual reason instead of the page's "read"
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
