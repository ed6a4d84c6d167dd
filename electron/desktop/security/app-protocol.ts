import { readFile } from 'node:fs/promises';
import { findAsset, readPath, securityHeaders } from '../../console/page-files.ts';
import type { Agent } from '../../agent/index.ts';

/** The scheme of the app's own pages; only this program answers it. */
export const APP_SCHEME = 'app';

/** The only host under it. */
const APP_HOST = 'desk';

/** The origin of every page of the app. */
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/**
 * Whether an address is one of the app's own pages, in Chromium's spelling of addresses. Compared as text on purpose:
 * our pages never use another spelling, a user name or a leading `blob:`.
 */
export function isOwnAddress(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) && URL.canParse(url);
}

/** Whether an origin, as permission requests name it, is the app's own. */
export function isOwnOrigin(origin: string): boolean {
  return origin === APP_ORIGIN || origin === `${APP_ORIGIN}/`;
}

/** Privileges of the scheme: a secure origin like https, and nothing that bypasses the pages' policy. */
export const appScheme = {
  scheme: APP_SCHEME,
  privileges: {
    standard: true,
    secure: true,
    supportFetchAPI: true,
    bypassCSP: false,
    allowServiceWorkers: false,
    corsEnabled: false,
    // Video elements in the thumbnail window request ranges of a clip
    stream: true,
    codeCache: true,
    allowExtensions: false,
  },
} as const;

/** Answers a request of a window for one of the app's own pages. Never rejects. */
export type AnswerPage = (request: Request) => Promise<Response>;

/** Serves the pages of one folder under the app's own scheme: files of known types, read-only. */
export function createAppProtocol(assetsDir: string, playClip: PlayClip): AnswerPage {
  return async (request) => {
    const { method, url } = request;
    const ticket = ticketIn(url);
    if (ticket !== undefined) return answerClip(request, ticket, playClip);
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, { allow: 'GET, HEAD' });
    const target = ownTarget(url);
    if (target === undefined) return refusal(404);
    const path = readPath(target);
    if (!path.ok) return refusal(path.error.status);
    const asset = await findAsset(assetsDir, path.value);
    // Read whole: the largest is a few hundred KB, and a file inside an archive cannot be opened any other way
    const bytes = asset && (await readFile(asset.file).catch(() => undefined));
    if (asset === undefined || bytes === undefined) return refusal(404);
    return new Response(method === 'HEAD' ? null : Uint8Array.from(bytes), {
      status: 200,
      headers: { ...securityHeaders, 'content-type': asset.type, 'content-length': String(bytes.length) },
    });
  };
}

const CLIP = `${APP_ORIGIN}/clip/`;

function ticketIn(url: string): string | undefined {
  const ticket = url.startsWith(CLIP) ? url.slice(CLIP.length) : '';
  return /^[\w-]+$/.test(ticket) ? ticket : undefined;
}

/** Reads one piece of a clip that the page plays; nothing before the agent runs. */
type PlayClip = Agent['playClip'];

async function answerClip(request: Request, ticket: string, playClip: PlayClip): Promise<Response> {
  const { method, headers, signal } = request;
  try {
    const piece = await playClip({ ticket, method, range: headers.get('range') ?? undefined }, signal);
    return new Response(piece.bytes ?? null, {
      status: piece.status,
      headers: { ...securityHeaders, ...piece.headers },
    });
  } catch {
    // The player left, or a fault keeps the file from being read
    return refusal(503);
  }
}

/** Path and query as sent; undefined for another host. Read as text, because a parser would resolve `..`. */
function ownTarget(url: string): string | undefined {
  if (url === APP_ORIGIN) return '/';
  if (!url.startsWith(`${APP_ORIGIN}/`)) return undefined;
  const [target = ''] = url.slice(APP_ORIGIN.length).split('#', 1);
  return target;
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...securityHeaders, ...headers } });
}
