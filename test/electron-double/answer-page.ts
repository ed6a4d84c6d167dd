import type { Session } from './cdp.ts';
import type { Chromium } from './chromium.ts';
import type { PageListener } from './page-host.ts';
import type { PageUrls } from './page-urls.ts';
import type { DoubleSession } from './session.ts';

/** A request that Chromium holds back until it is answered. */
export interface PausedRequest {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  /** Of the request whose answer led to this address. */
  readonly redirectedRequestId?: string | undefined;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly postData?: string;
  };
}

export interface AnswerNeeds {
  readonly urls: PageUrls;
  readonly session: DoubleSession;
  readonly chromium: Pick<Chromium, 'allow'>;
  readonly listener: Pick<PageListener, 'onRequest'>;
  readonly mayNavigate: (url: string) => boolean;
  /** The page's main frame has its id. */
  readonly targetId: string;
}

const resourceTypes: Readonly<Record<string, string>> = {
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
  Ping: 'ping',
  CSPViolationReport: 'cspReport',
  Media: 'media',
};

/** In Electron's order: may the frame go there, may the session ask for it, what does the scheme's handler answer. */
export async function answerPage(page: Session, paused: PausedRequest, needs: AnswerNeeds): Promise<void> {
  const { requestId, request } = paused;
  const url = needs.urls.toApp(request.url);
  const isDocument = paused.resourceType === 'Document';
  // An answer without content leaves the page where it is, as a refused navigation does.
  if (isDocument && !needs.mayNavigate(url))
    return void (await page.send('Fetch.fulfillRequest', { requestId, responseCode: 204 }));
  const isCancelled = await needs.listener.onRequest({
    url,
    method: request.method,
    referrer: needs.urls.toApp(request.headers['Referer'] ?? ''),
    resourceType: isDocument ? documentType(paused, needs) : (resourceTypes[paused.resourceType] ?? 'other'),
  });
  if (isCancelled)
    return void (await page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }));
  if (url === request.url) {
    needs.chromium.allow(url);
    return void (await page.send('Fetch.continueRequest', { requestId }));
  }
  await fulfil(page, paused, needs, url);
}

function documentType(paused: PausedRequest, { targetId }: AnswerNeeds): string {
  return paused.frameId === targetId ? 'mainFrame' : 'subFrame';
}

async function fulfil(page: Session, paused: PausedRequest, needs: AnswerNeeds, url: string): Promise<void> {
  const { requestId, request } = paused;
  try {
    const answer = await needs.session.answer(asRequest(request, url, needs.urls));
    if (answer === undefined) throw new Error(`Nothing handles ${url}`);
    const body = (await readStream(answer)).toString('base64');
    const responseHeaders = [...answer.headers].map(([name, value]) => ({
      name,
      value: needs.urls.textToPage(value),
    }));
    await page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders,
      body,
    });
  } catch {
    await page.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
  }
}

/** Most that one answer may hold at once: Electron streams what the app does not, the app itself must not gather it. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;

async function readStream({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BODY_BYTES)
      throw new Error('An answer of the app is larger than a page may be given at once');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function asRequest(
  { method, headers, postData }: PausedRequest['request'],
  url: string,
  urls: PageUrls,
): Request {
  const known = Object.entries(headers).map(([name, value]): [string, string] => [name, urls.toApp(value)]);
  return new Request(url, { method, headers: known, ...(postData !== undefined && { body: postData }) });
}
