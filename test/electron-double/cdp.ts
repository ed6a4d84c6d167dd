import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from '@playwright/test';

/** A session of Chromium's protocol, with Playwright's types of its methods and events. */
export type Session = Pick<CDPSession, 'send' | 'on'>;

/** Chromium's end of the pipe: messages are JSON, each ended by a zero. */
export interface Connection {
  readonly root: Session;
  session(id: string): Session;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export function connect(toBrowser: Writable, fromBrowser: Readable): Connection {
  const waiting = new Map<number, Waiting>();
  const emitters = new Map<string, EventEmitter>();
  let lastId = 0;

  function emitterOf(sessionId: string): EventEmitter {
    const known = emitters.get(sessionId) ?? new EventEmitter();
    emitters.set(sessionId, known);
    return known;
  }

  function send(sessionId: string, method: string, params: unknown): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const scope = sessionId === '' ? {} : { sessionId };
    toBrowser.write(`${JSON.stringify({ id, method, params: params ?? {}, ...scope })}\0`);
    return new Promise((resolve, reject) => waiting.set(id, { method, resolve, reject }));
  }

  function receive(message: Message): void {
    if (message.method !== undefined) {
      emitterOf(message.sessionId ?? '').emit(message.method, message.params);
      return;
    }
    const asked = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(`${asked.method}: ${message.error.message}`));
  }

  function sessionOf(id: string): Session {
    const events = emitterOf(id);
    const session = {
      send: (method: string, params?: unknown) => send(id, method, params),
      on(event: string, listener: (payload: unknown) => void) {
        events.on(event, listener);
        return session;
      },
    };
    return session as unknown as Session;
  }

  let rest = '';
  fromBrowser.setEncoding('utf8');
  fromBrowser.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(JSON.parse(message) as Message);
  });
  fromBrowser.on('close', () => {
    for (const { method, reject } of waiting.values()) reject(new Error(`${method}: Chromium has ended.`));
    waiting.clear();
  });
  toBrowser.on('error', () => undefined);
  return { root: sessionOf(''), session: sessionOf };
}
