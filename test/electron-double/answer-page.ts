import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Session } from './cdp.ts';
import type { Chromium } from './chromium.ts';
import { TICKET } from './network-gate.ts';
import type { PageListener } from './page-host.ts';
import type { PageUrls } from './page-urls.ts';
import type { DoubleSession } from './session.ts';

/** A request that Chromium holds until it is answered. */
export interface PausedRequest {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  /** Id of the request whose answer redirected to this address. */
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
  readonly chromium: Pick<Chromium, 'allow' | 'keep'>;
  readonly listener: Pick<PageListener, 'onRequest'>;
  readonly mayNavigate: (url: string) => boolean;
  /** Also the id of the page's main frame. */
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

/** In Electron's order: may the frame go there, may the session request it, what does the scheme's handler answer. */
export async function answerPage(page: Session, paused: PausedRequest, needs: AnswerNeeds): Promise<void> {
  const { requestId, request } = paused;
  const url = needs.urls.toApp(request.url);
  const isDocument = paused.resourceType === 'Document';
  // An answer without content leaves the page where it is, like a refused navigation.
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
  await passOn(page, paused, needs, url);
}

function documentType(paused: PausedRequest, { targetId }: AnswerNeeds): string {
  return paused.frameId === targetId ? 'mainFrame' : 'subFrame';
}

/** Like Electron: the body is a stream, which is read as the page consumes it and abandoned with the request. */
async function passOn(page: Session, paused: PausedRequest, needs: AnswerNeeds, url: string): Promise<void> {
  const { requestId, request } = paused;
  try {
    const answer = await needs.session.answer(asRequest(request, url, needs.urls));
    if (answer === undefined || answer.type === 'error') throw new Error(`Nothing answers ${url}`);
    const { status, body } = answer;
    const told = [...answer.headers].map(([name, value]) => [name, needs.urls.textToPage(value)]);
    const ticket = needs.chromium.keep({
      status,
      headers: Object.fromEntries(told) as Record<string, string>,
      body: body && Readable.fromWeb(body as ReadableStream<Uint8Array>),
    });
    const asked = { ...request.headers, [TICKET]: ticket };
    const headers = Object.entries(asked).map(([name, value]) => ({ name, value }));
    await page.send('Fetch.continueRequest', { requestId, headers });
  } catch {
    await page.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
  }
}

function asRequest(
  { method, headers, postData }: PausedRequest['request'],
  url: string,
  urls: PageUrls,
): Request {
  const known = Object.entries(headers).map(([name, value]): [string, string] => [name, urls.toApp(value)]);
  return new Request(url, { method, headers: known, ...(postData !== undefined && { body: postData }) });
}
