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

/** Longest look at an image, milliseconds: a person waits to send. */
const DEADLINE_MS = 15_000;
const TOO_SLOW = 'The address did not return the image within 15 s.';
/** What the check is made of. */
export interface ImageCheckOptions extends ImageClientOptions {
  readonly clock: Clock;
}

/** Looks at the image's address without the key; never rejects because of a problem. */
export type ImageLook = (image: NotificationImage, signal: AbortSignal) => Promise<ImageCheck>;

/** Makes the check of notification images: it sees what a phone would see, without the key. */
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

/** An address that is not there is refused; one that cannot be looked at from here says nothing about the phone. */
function unseen(answer: ImageAnswer): ImageCheck {
  if (answer.kind === 'none') return { kind: 'unchecked', reason: answer.reason };
  const { status } = answer;
  if (status === 404 || status === 410)
    return { kind: 'refused', reason: `There is no image at the address (HTTP ${status}).` };
  if (status === 416) return { kind: 'refused', reason: 'The address returns an empty file.' };
  const what = status >= 300 && status < 400 ? 'redirects elsewhere' : 'did not return the image';
  return { kind: 'unchecked', reason: `The address ${what} (HTTP ${status}).` };
}

/** What the client is made of. */
interface ImageClientOptions {
  /** True only when the service itself is on loopback; then an image may be, too. */
  readonly allowLoopback: boolean;
  readonly userAgent: string;
  /** Certificates to trust beside the system's; for tests. */
  readonly ca?: string;
  /** Default: straight to the image. A proxy looks names up itself: only addresses are kept from it. */
  readonly route?: ProxyRoute;
  /** Default: the system's resolver. */
  readonly resolve?: LookupAll;
}

/** Enough of an image to tell its type, bytes. */
const FIRST_BYTES = 64 * 1024;

/** One look at an address: its headers, its first bytes, or, when nothing states a size, as much as the limit tells. */
interface ImageRequest {
  readonly look: 'headers' | 'first bytes' | 'size';
  readonly signal: AbortSignal;
}

/** What came, or why nothing did. `totalBytes` is the size of the whole file as the headers state it. */
type ImageAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly totalBytes: number | undefined;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** An address that may be asked, or what becomes of the check without asking. */
type CheckedAddress = { readonly kind: 'open'; readonly url: URL } | Exclude<ImageCheck, { kind: 'fine' }>;

/** The client for notification images: it knows no key, keeps no cookies and follows no redirect. */
interface ImageClient {
  checkAddress(address: string): CheckedAddress;
  /** Never rejects because of a problem. */
  ask(url: URL, request: ImageRequest): Promise<ImageAnswer>;
  stop(): void;
}

/** Makes the client. Names that lead into a local network are not asked: what answers there is no image for phones. */
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
        // As it is stored: its size and its first bytes are looked at
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
  // A problem after the answer was read changes nothing; one before it rejects the reading below.
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

/** The size of the whole file as the headers state it; undefined when they do not. */
function statedSize(response: IncomingMessage | undefined): number | undefined {
  const { 'content-range': range, 'content-length': length } = response?.headers ?? {};
  const text = response?.statusCode === 206 ? range?.split('/')[1] : length;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** What was seen of an image: its size, counted when nothing states it, and the type of its first bytes (`png`, `webp` ...). */
interface SeenImage {
  readonly sizeBytes: number;
  readonly foundType: string | undefined;
}

/** Holds an image that was seen against the rules of service.md "Limits" and the type that is stated for it. */
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

/** An image over the limit; `sizeBytes` may be what was counted until then. */
function tooLargeImage(): ImageCheck {
  const limit = formatBytes(MAX_IMAGE_BYTES);
  return {
    kind: 'refused',
    reason: `The image is too large: the limit is ${limit}.`,
  };
}

/** An animated PNG is a PNG to whoever shows it. */
const knownType = (found: string | undefined): ImageType | undefined =>
  imageTypes.find((type) => type === (found === 'apng' ? 'png' : found));

const otherThing = (found: string | undefined): string =>
  found === undefined
    ? 'something that is not a PNG, JPG or GIF image'
    : `a file of type ${found.toUpperCase()}, not a PNG, JPG or GIF image`;
