import { fileTypeFromBuffer } from 'file-type';
import {
  MAX_IMAGE_BYTES,
  type ImageCheck,
  type NotificationImage,
  imageTypes,
  type ImageType,
} from '../../../shared/domain/chat-message.ts';
import type { Clock } from '../ports.ts';
import got, { type OptionsInit } from 'got';
import { Agent as HttpsAgent } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackHost } from '../core/settings/check-connection.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';
import { createCheckedLookup, isClosedAddress, type LookupAll } from './checked-lookup.ts';
import { networkFailure } from './failures.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';

/** Longest check of an image, milliseconds: a person is waiting to send. */
const DEADLINE_MS = 15_000;
const TOO_SLOW = 'The address did not return the image within 15 s.';
/** Options of the check. */
export interface ImageCheckOptions extends ImageClientOptions {
  readonly clock: Clock;
}

/** Checks the image's address without the key; never rejects because of a problem. */
export type ImageLook = (image: NotificationImage, signal: AbortSignal) => Promise<ImageCheck>;

/** Creates the check of notification images: it sees what a phone would see, without the key. */
export function createImageCheck({ clock, ...options }: ImageCheckOptions): ImageLook {
  return async (image, signal) => {
    const ended = new AbortController();
    const deadline = new AbortController();
    clock.sleep(DEADLINE_MS, ended.signal).then(
      () => deadline.abort(),
      () => undefined,
    );
    const client = createImageClient(options);
    try {
      const seen = await lookAt(client, image, AbortSignal.any([signal, deadline.signal]));
      return deadline.signal.aborted && seen.kind === 'unchecked'
        ? { kind: 'unchecked', reason: TOO_SLOW }
        : seen;
    } finally {
      ended.abort();
      client.stop();
    }
  };
}

async function lookAt(
  client: ImageClient,
  image: NotificationImage,
  signal: AbortSignal,
): Promise<ImageCheck> {
  const address = client.checkAddress(image.url);
  if (address.kind !== 'open') return address;
  const head = await client.ask(address.url, { look: 'headers', signal });
  const statedBytes = isGood(head) ? head.totalBytes : undefined;
  if (statedBytes !== undefined && statedBytes > MAX_IMAGE_BYTES) return tooLargeImage();
  const look = statedBytes === undefined ? 'size' : 'first bytes';
  const answer = await client.ask(address.url, { look, signal });
  if (!isGood(answer)) return unseen(answer);
  const { bytes, totalBytes } = answer;
  const found = await fileTypeFromBuffer(bytes);
  return judgeImage(
    { sizeBytes: totalBytes ?? statedBytes ?? bytes.length, foundType: found?.ext },
    image.type,
  );
}

type GoodAnswer = Extract<ImageAnswer, { kind: 'answer' }>;

const isGood = (answer: ImageAnswer): answer is GoodAnswer =>
  answer.kind === 'answer' && (answer.status === 200 || answer.status === 206);

/** An image that does not exist is refused; one that cannot be read from here may still be readable for the phone. */
function unseen(answer: ImageAnswer): ImageCheck {
  if (answer.kind === 'none') return { kind: 'unchecked', reason: answer.reason };
  const { status } = answer;
  if (status === 404 || status === 410)
    return { kind: 'refused', reason: `There is no image at the address (HTTP ${status}).` };
  if (status === 416) return { kind: 'refused', reason: 'The address returns an empty file.' };
  const what = status >= 300 && status < 400 ? 'redirects elsewhere' : 'did not return the image';
  return { kind: 'unchecked', reason: `The address ${what} (HTTP ${status}).` };
}

/** Options of the client. */
interface ImageClientOptions {
  /** True only when the service itself is on loopback; then an image may be, too. */
  readonly allowLoopback: boolean;
  readonly userAgent: string;
  /** Certificates to trust instead of Node's own list; for tests. */
  readonly ca?: string;
  /** Default: directly to the image. A proxy resolves names itself, so only literal addresses are kept from it. */
  readonly route?: ProxyRoute;
  /** Default: the system's resolver. */
  readonly resolve?: LookupAll;
}

/** Enough of an image to tell its type, bytes. */
const FIRST_BYTES = 64 * 1024;

/**
 * One request to an address: for its headers, its first bytes or, if nothing states a size, as much as is needed to
 * compare it with the limit.
 */
interface ImageRequest {
  readonly look: 'headers' | 'first bytes' | 'size';
  readonly signal: AbortSignal;
}

/** The answer, or why there is none. `totalBytes` is the size of the whole file as the headers state it. */
type ImageAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly totalBytes: number | undefined;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** An address that may be requested, or the result of the check without a request. */
type CheckedAddress = { readonly kind: 'open'; readonly url: URL } | Exclude<ImageCheck, { kind: 'fine' }>;

/** The client for notification images: it knows no key, keeps no cookies and follows no redirect. */
interface ImageClient {
  checkAddress(address: string): CheckedAddress;
  /** Never rejects because of a problem. */
  ask(url: URL, request: ImageRequest): Promise<ImageAnswer>;
  stop(): void;
}

/** Creates the client. Names that resolve to a local network are not requested: an image there is not for phones. */
function createImageClient(options: ImageClientOptions): ImageClient {
  const { allowLoopback, userAgent, ca, resolve, route } = options;
  const agent = new HttpsAgent({
    keepAlive: false,
    lookup: createCheckedLookup({ allowLoopback, hosts: [] }, resolve),
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca: [ca] }),
  });
  if (route !== undefined) connectThrough(agent, route);
  return {
    checkAddress: (address) => checkAddress(address, allowLoopback),
    ask(url, { look, signal }) {
      const range = look === 'first bytes' ? { range: `bytes=0-${FIRST_BYTES - 1}` } : {};
      return readImage(url, {
        method: look === 'headers' ? 'HEAD' : 'GET',
        signal,
        agent: { https: agent },
        // Not compressed, because its size and its first bytes are checked
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': userAgent, ...range },
        decompress: false,
        followRedirect: false,
        throwHttpErrors: false,
        retry: { limit: 0 },
      });
    },
    stop: () => agent.destroy(),
  };
}

function checkAddress(address: string, allowLoopback: boolean): CheckedAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:')
    return { kind: 'refused', reason: 'The address does not begin with https://.' };
  if (url.username !== '' || url.password !== '')
    return { kind: 'refused', reason: 'The address contains a user name or password.' };
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const isClosed = isIP(literal) !== 0 && isClosedAddress(literal);
  if (isClosed && !(allowLoopback && isLoopbackHost(url.hostname)))
    return { kind: 'unchecked', reason: localReason };
  return { kind: 'open', url };
}

const localReason = 'Local and reserved addresses are not checked.';

async function readImage(url: URL, options: OptionsInit): Promise<ImageAnswer> {
  const stream = got.stream(url, options);
  // A problem after the answer was read changes nothing; one before it rejects the loop below.
  stream.on('error', () => undefined);
  let response: IncomingMessage | undefined;
  stream.on('response', (message: IncomingMessage) => {
    response = message;
  });
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      chunks.push(bytes);
      sizeBytes += bytes.length;
      const enough = statedSize(response) === undefined ? MAX_IMAGE_BYTES + 1 : FIRST_BYTES;
      // Leaving the loop destroys the stream
      if (sizeBytes >= enough) break;
    }
  } catch (error) {
    return { kind: 'none', reason: reasonOf(error, url.host) };
  }
  const status = response?.statusCode;
  if (status === undefined) return { kind: 'none', reason: `${url.host} did not respond.` };
  return { kind: 'answer', status, totalBytes: statedSize(response), bytes: Buffer.concat(chunks) };
}

function reasonOf(error: unknown, host: string): string {
  const failure = networkFailure(error, host);
  return failure.message.includes('EADDRCLOSED') ? localReason : failure.message;
}

/** The size of the whole file as the headers state it; undefined if they do not. */
function statedSize(response: IncomingMessage | undefined): number | undefined {
  const { 'content-range': range, 'content-length': length } = response?.headers ?? {};
  const text = response?.statusCode === 206 ? range?.split('/')[1] : length;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Size of an image, counted if nothing states it, and the type of its first bytes (`png`, `webp` ...). */
interface SeenImage {
  readonly sizeBytes: number;
  readonly foundType: string | undefined;
}

/** Checks an image against the rules of service.md "Limits" and the type that is stated for it. */
export function judgeImage({ sizeBytes, foundType }: SeenImage, stated: ImageType): ImageCheck {
  if (sizeBytes === 0) return { kind: 'refused', reason: 'The address returns an empty file.' };
  if (sizeBytes > MAX_IMAGE_BYTES) return tooLargeImage();
  const type = knownType(foundType);
  if (type === undefined) return { kind: 'refused', reason: `The address returns ${otherThing(foundType)}.` };
  if (type !== stated)
    return {
      kind: 'refused',
      reason: `The image is a ${type.toUpperCase()} file, but ${stated.toUpperCase()} was specified.`,
    };
  return { kind: 'fine', type, sizeBytes };
}

/** The result for an image over the limit. */
function tooLargeImage(): ImageCheck {
  const limit = formatBytes(MAX_IMAGE_BYTES);
  return {
    kind: 'refused',
    reason: `The image is too large: the limit is ${limit}.`,
  };
}

/** An animated PNG counts as a PNG: apps show it as one. */
const knownType = (found: string | undefined): ImageType | undefined =>
  imageTypes.find((type) => type === (found === 'apng' ? 'png' : found));

const otherThing = (found: string | undefined): string =>
  found === undefined
    ? 'something that is not a PNG, JPG or GIF image'
    : `a file of type ${found.toUpperCase()}, not a PNG, JPG or GIF image`;
