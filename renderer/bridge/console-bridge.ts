import { z } from 'zod';
import { createCaller } from '../../shared/ipc/caller.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { CallRequest } from '../../shared/ipc/envelope.ts';
import { err } from '../../shared/lib/result.ts';
import { agentSignalSchema, type AgentSignal } from '../../shared/ipc/events.ts';
import { type Bridge, type Link, type OpenQuestion, createListeners } from './bridge.ts';
import type { PageClock } from './bridge.ts';

const sessionSchema = z.object({ token: z.string().min(1) });
/** Body of a response with status 428: a person has to confirm, in a separate tab. */
const heldSchema = z.object({
  question: z.object({ id: z.string().regex(/^[\w-]+$/), message: z.string() }),
});
const NEEDS_CONSENT = 428;
const TOO_MANY = 429;
const TOKEN_KEY = 'console-token';
/** Waits between attempts to reconnect to the agent: 1, 2, 4 ... 15 s. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** The console's server refused the session: only a new launch address helps. */
class SessionRefused extends Error {}

/** The console's server is overloaded; the message says with what. */
class TooMany extends Error {}

/** Connects a page to the agent that serves it: calls as JSON over POST, events as a stream. */
export function createConsoleBridge(clock: PageClock): Bridge {
  const signals = createListeners<AgentSignal>();
  const links = createListeners<undefined>();
  const stopping = new AbortController();
  const questions = createListeners<undefined>();
  let link: Link = { kind: 'connecting' };
  let question: OpenQuestion | undefined;
  let opening: Promise<string> | undefined;
  /** The token this page was accepted with; one kept by an earlier page may belong to an expired session. */
  let provenToken: string | undefined;
  /** Ends the open event stream; undefined until one was requested. */
  let following: AbortController | undefined;

  function setLink(next: Link): void {
    // "Since" is the first failure, not the latest attempt
    if (link.kind === 'lost' && next.kind === 'lost') return;
    link = next;
    links.tell(undefined);
  }

  function setQuestion(next: OpenQuestion | undefined): void {
    question = next;
    questions.tell(undefined);
  }

  async function ask(path: string, init: RequestInit): Promise<Response> {
    const answer = await fetch(path, { signal: stopping.signal, ...init });
    if (answer.status === TOO_MANY) throw new TooMany(await answer.text());
    return answer;
  }

  async function openSession(): Promise<string> {
    const answer = await ask('./session', { method: 'POST', ...jsonBody({}) });
    if (isRefusal(answer)) throw new SessionRefused();
    const { token: fresh } = sessionSchema.parse(await answer.json());
    // The server issues it only once; a reloaded page reads it from here
    sessionStorage.setItem(TOKEN_KEY, fresh);
    return fresh;
  }

  function takeToken(): string | Promise<string> {
    const kept = sessionStorage.getItem(TOKEN_KEY);
    if (kept !== null) return kept;
    opening ??= openSession().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  /** Forgets the token of an ended session, unless another request has already stored a new one. */
  function forgetToken(over: string): void {
    if (sessionStorage.getItem(TOKEN_KEY) === over) sessionStorage.removeItem(TOKEN_KEY);
  }

  async function show(held: string, path: string, init: PageRequest): Promise<Response> {
    const headers = { ...jsonHeaders, ...init.headers, 'x-console-token': held };
    const answer = await ask(path, { ...init, headers });
    if (isRefusal(answer)) forgetToken(held);
    else provenToken = held;
    return answer;
  }

  async function request(path: string, init: PageRequest): Promise<Response> {
    const taken = takeToken();
    // A kept token is used synchronously: while scripts are evaluated, nothing that awaits continues
    const held = typeof taken === 'string' ? taken : await taken;
    const answer = await show(held, path, init);
    if (!isRefusal(answer)) return answer;
    // This page may have a new launch of its own, and the refused request was not carried out
    if (held !== provenToken) return show(await takeToken(), path, init);
    // A stream stays open when the browser loses its cookie: the page would look live but show nothing new. A token
    // that was accepted once is not requested again right away: another page that was just launched would lose its own
    following?.abort();
    return answer;
  }

  async function send(call: CallRequest): Promise<unknown> {
    const body = JSON.stringify(call);
    try {
      const answer = await request('./call', { method: 'POST', body });
      return await (answer.status === NEEDS_CONSENT ? sendConfirmed(body, answer) : answer.json());
    } catch (error) {
      if (error instanceof SessionRefused) return err(signedOut);
      if (error instanceof TooMany) return err({ ...tooMany, message: error.message });
      throw error;
    }
  }

  /** Repeats the call, with the ID of its question, until a person has answered that in its tab. */
  async function sendConfirmed(body: string, asked: Response): Promise<unknown> {
    const left = new AbortController();
    const signal = AbortSignal.any([stopping.signal, left.signal]);
    let answer = asked;
    try {
      while (answer.status === NEEDS_CONSENT) {
        const { id, message } = heldSchema.parse(await answer.json()).question;
        const address = `./confirm/${id}`;
        if (question?.address !== address) setQuestion({ message, address, cancel: () => left.abort() });
        const headers = { 'x-console-question': id };
        answer = await request('./call', { method: 'POST', body, headers, signal });
      }
      return await answer.json();
    } catch (error) {
      if (left.signal.aborted) return err(leftUnanswered);
      throw error;
    } finally {
      setQuestion(undefined);
    }
  }

  async function follow(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      let next: Link | undefined;
      following = new AbortController();
      const signal = AbortSignal.any([stopping.signal, following.signal]);
      try {
        const answer = await request('./events', { method: 'GET', signal });
        if (!answer.ok || answer.body === null) throw new Error(`events: ${answer.status}`);
        waitMs = FIRST_WAIT_MS;
        setLink({ kind: 'open' });
        await readEvents(answer.body, signals.tell);
      } catch (error) {
        if (error instanceof SessionRefused) return setLink({ kind: 'refused' });
        if (error instanceof TooMany) next = { kind: 'limited', text: error.message };
      }
      if (stopping.signal.aborted) return;
      setLink(next ?? { kind: 'lost', sinceMs: clock.now() });
      await wait(waitMs, stopping.signal);
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    }
  }

  return {
    caller: createCaller(send),
    onSignal(listener) {
      const remove = signals.add(listener);
      // Not earlier: signals sent before anyone listens would be lost
      if (following === undefined) void follow();
      return remove;
    },
    link: () => link,
    onLink: (listener) => links.add(listener),
    question: () => question,
    onQuestion: (listener) => questions.add(listener),
    desktop: undefined,
    stop: () => stopping.abort(),
  };
}

const leftUnanswered: Failure = {
  code: 'CANCELLED',
  message: 'Nothing was changed: the change was not confirmed.',
  advice: 'Try again if you still want to make this change.',
  retryable: false,
};

/** Not `noAnswer` (shared/ipc/caller.ts): the agent is running. */
const signedOut: Failure = {
  code: 'CALL_FAULT',
  message: 'This page is not signed in.',
  advice: 'Open the console again from the terminal.',
  retryable: false,
};

const tooMany: Omit<Failure, 'message'> = {
  code: 'CALL_FAULT',
  advice: 'Wait a moment, then try again.',
  retryable: true,
};

/** The options of `fetch`, with headers as a plain object. */
type PageRequest = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

const isRefusal = ({ status }: Response): boolean => status === 401 || status === 403;
const jsonHeaders = { 'content-type': 'application/json' };
const jsonBody = (value: unknown) => ({ headers: jsonHeaders, body: JSON.stringify(value) });

function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
  });
}

/** Longest event accepted, characters; the agent's own are far shorter. */
const MAX_EVENT_LENGTH = 1_000_000;

/** Silence after which the agent counts as gone, milliseconds: it writes a line every 15 s, even when idle. */
export const LONGEST_SILENCE_MS = 40_000;

/**
 * Reads server-sent events until the stream ends; lines that are not signals are ignored. Rejects when the stream falls
 * silent for `LONGEST_SILENCE_MS` or an event is too long.
 */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  take: (signal: AgentSignal) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await readInTime(reader);
      if (done) return;
      pending += decoder.decode(value, { stream: true });
      if (pending.length > MAX_EVENT_LENGTH) throw new Error('The event stream is not one of the agent');
      const lines = pending.split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        const signal = parseLine(line);
        if (signal !== undefined) take(signal);
      }
    }
  } finally {
    // Frees the connection; the result no longer matters
    reader.cancel().catch(() => undefined);
  }
}

/** A hung process keeps its connections open, so only silence reveals it. */
async function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The agent fell silent')), LONGEST_SILENCE_MS);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

function parseLine(line: string): AgentSignal | undefined {
  if (!line.startsWith('data:')) return undefined;
  try {
    return agentSignalSchema.safeParse(JSON.parse(line.slice('data:'.length))).data;
  } catch {
    return undefined;
  }
}
