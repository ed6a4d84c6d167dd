import { createHash } from 'node:crypto';
import type { Failure } from '../../shared/domain/failure.ts';
import type { Clock, Confirmation } from '../agent/index.ts';
import { sendText, type Exchange } from './exchange.ts';
import { onlyBy, type Refusal } from './guard.ts';
import { securityHeaders } from './page-files.ts';
import { createSecret, type Session } from './sessions.ts';

/** How long a question can be answered, milliseconds. */
const OPEN_MS = 10 * 60_000;
/**
 * How long a call waits for the answer before its page has to repeat it, milliseconds: sockets may not be silent for
 * long.
 */
const HOLD_MS = 60_000;

/** The state of a call that a person has to confirm. */
export type Consent =
  | { readonly kind: 'given' }
  /** `id`: the page repeats the same call with it, and a person answers under `/confirm/ID`. */
  | { readonly kind: 'asked'; readonly id: string; readonly message: string }
  | { readonly kind: 'refused'; readonly failure: Failure };

/** One complete call of a session: a different call needs an answer of its own. */
interface Asking {
  readonly session: Session;
  readonly request: unknown;
  /** ID of the question that the page says this call belongs to. */
  readonly id: string | undefined;
}

interface Question {
  readonly id: string;
  /** Only the sandboxed page has it: whoever sends it has seen the question. */
  readonly proof: string;
  readonly session: Session;
  readonly request: string;
  readonly confirmation: Confirmation;
  readonly askedAtMs: number;
  readonly decision: PromiseWithResolvers<boolean>;
  answer: boolean | undefined;
  waiting: number;
}

/**
 * The console's counterpart of system dialogs: questions that no script of the pages can see or answer. Each is a page
 * of its own, in a sandbox without an origin, that only a person's browser can open; the call waits for it. One
 * question at a time for each session.
 */
export interface Questions {
  /** Asks, or waits for the answer to a question that was asked before. */
  consent(
    asking: Asking,
    confirm: () => Promise<Confirmation | undefined>,
    gone: AbortSignal,
  ): Promise<Consent>;
  /** `GET /confirm/ID` shows a question of this session; `POST /confirm/PROOF/yes` and `/no` answer one. */
  serve(exchange: Exchange, path: readonly string[], session: Session | undefined): Refusal | undefined;
}

export function createQuestions(clock: Pick<Clock, 'monotonic' | 'after'>): Questions {
  let open: readonly Question[] = [];

  const prune = (): void => {
    open = open.filter(
      ({ askedAtMs, session }) => !session.ended.aborted && clock.monotonic() - askedAtMs < OPEN_MS,
    );
  };
  const close = (question: Question): void => void (open = open.filter((each) => each !== question));

  function ask(session: Session, request: string, confirmation: Confirmation): Consent {
    const question: Question = {
      id: createSecret(),
      proof: createSecret(),
      session,
      request,
      confirmation,
      askedAtMs: clock.monotonic(),
      decision: Promise.withResolvers(),
      answer: undefined,
      waiting: 0,
    };
    open = [...open.filter((each) => each.session !== session), question];
    return asked(question);
  }

  async function waitFor(question: Question, gone: AbortSignal): Promise<Consent> {
    question.waiting += 1;
    const held = Promise.withResolvers<undefined>();
    const stop = clock.after(HOLD_MS, () => held.resolve(undefined));
    const leave = (): void => held.resolve(undefined);
    gone.addEventListener('abort', leave, { once: true });
    try {
      const answer = await Promise.race([question.decision.promise, held.promise]);
      // The page was left, so that nobody waits for an answer that comes now
      if (answer !== undefined || gone.aborted) close(question);
      if (answer === undefined || gone.aborted) return asked(question);
      return answer ? { kind: 'given' } : { kind: 'refused', failure: notConfirmed };
    } finally {
      question.waiting -= 1;
      stop();
      gone.removeEventListener('abort', leave);
    }
  }

  return {
    async consent({ session, request, id }, confirm, gone) {
      prune();
      const own = open.find((each) => each.session === session);
      if (own !== undefined && own.id === id && own.request === fingerprint(request))
        return waitFor(own, gone);
      const confirmation = await confirm();
      if (confirmation === undefined) return { kind: 'given' };
      // A question that nobody waits for belongs to a page that was left
      if (open.some((each) => each.session === session && each.waiting > 0))
        return { kind: 'refused', failure: alreadyAsking };
      return ask(session, fingerprint(request), confirmation);
    },
    serve(exchange, [given, answer, more], session) {
      prune();
      if (given === undefined || more !== undefined) return refuseTab(exchange, CLOSED);
      if (answer === undefined)
        return showQuestion(exchange, { session, question: open.find(({ id }) => id === given) });
      const question = open.find(({ proof }) => proof === given);
      if (exchange.request.method !== 'POST') return onlyBy('POST');
      if (question === undefined || question.answer !== undefined || !isAnswer(answer))
        return refuseTab(exchange, CLOSED);
      question.answer = answer === 'yes';
      question.decision.resolve(question.answer);
      sendPage(
        exchange,
        question.answer
          ? 'Confirmed. You can close this tab.'
          : 'Cancelled. Nothing was changed. You can close this tab.',
      );
      return undefined;
    },
  };
}

const asked = ({ id, confirmation }: Question): Consent => ({
  kind: 'asked',
  id,
  message: confirmation.message,
});
const isAnswer = (text: string): boolean => text === 'yes' || text === 'no';

/** The request as a hash only: a key may be in it. */
function fingerprint(request: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(request) ?? '')
    .digest('base64');
}

/**
 * A script can request any address, but cannot make it look like a navigation of a person's browser; only that gets the
 * proof.
 */
function showQuestion(
  exchange: Exchange,
  { session, question }: { readonly session: Session | undefined; readonly question: Question | undefined },
): Refusal | undefined {
  const { method, headers } = exchange.request;
  if (method !== 'GET') return onlyBy('GET');
  if (session === undefined || question?.session !== session || question.answer !== undefined)
    return refuseTab(exchange, CLOSED);
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document')
    return refuseTab(exchange, NO_TAB);
  const { message, detail, action } = question.confirmation;
  const button = (answer: string, text: string): string =>
    `<form method="post" action="/confirm/${question.proof}/${answer}"><button>${escape(text)}</button></form>`;
  const buttons = `<div>${button('no', 'Cancel')}${button('yes', action)}</div>`;
  sendPage(exchange, message, `<p>${escape(detail)}</p>${buttons}`);
  return undefined;
}

/** The buttons appear after a second, so that a click meant for the page below hits nothing. */
const STYLE = [
  'html{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:36rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}',
  'h1{font-size:1.25rem}',
  'div{display:flex;gap:.75rem;animation:wait 1s steps(1)}',
  'button{font:inherit;padding:.4rem 1rem}',
  '@keyframes wait{from{visibility:hidden}}',
].join('');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

function sendPage({ request, response }: Exchange, title: string, body = '', status = 200): void {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action http://${request.headers.host}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'sandbox allow-forms',
  ].join('; ');
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>VMS Export Agent</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escape(title)}</h1>${body}</main></body></html>`,
  ].join('');
  sendText(response, status, page, { ...securityHeaders, ...html, 'content-security-policy': policy });
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const CLOSED = 'This confirmation was already answered or has expired. You can close this tab.';
const NO_TAB = 'Open this confirmation in its own browser tab. If you already did, use a newer browser.';

/** Not a refusal of the router: those tell a person to open the console again. */
function refuseTab(exchange: Exchange, text: string): undefined {
  sendPage(exchange, text, '', 403);
}

/** For a page that does not know how to handle the question. */
export const notConfirmedYet: Failure = {
  code: 'CANCELLED',
  message: 'Nothing was changed: a person has to confirm this first.',
  advice: 'Reload the page and try again.',
  retryable: true,
};

const notConfirmed: Failure = {
  code: 'CANCELLED',
  message: 'Nothing was changed: you chose Cancel.',
  advice: 'Try again if you still want to make this change.',
  retryable: false,
};

const alreadyAsking: Failure = {
  code: 'CANCELLED',
  message: 'Nothing was changed: the console is already asking another question.',
  advice: 'Answer that one first, then try again.',
  retryable: true,
};
