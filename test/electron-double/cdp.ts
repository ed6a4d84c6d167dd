import { EventEmitter, once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from '@playwright/test';

/** A session of Chromium's protocol, with Playwright's types of its methods and events. */
export type Session = Pick<CDPSession, 'send' | 'on'>;

/** A connection to Chromium, whose messages are JSON. */
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

/** Both directions of a connection to Chromium, one text per message. */
interface Line {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

/** Over the pipe of a Chromium that this process started: each message ends with a zero byte. */
export function connectByPipe(toBrowser: Writable, fromBrowser: Readable): Connection {
  toBrowser.on('error', () => undefined);
  fromBrowser.setEncoding('utf8');
  return connect({
    send: (text) => void toBrowser.write(`${text}\0`),
    onMessage(listener) {
      let rest = '';
      fromBrowser.on('data', (chunk: string) => {
        const messages = (rest + chunk).split('\0');
        rest = messages.pop() ?? '';
        messages.forEach(listener);
      });
    },
    onClose: (listener) => void fromBrowser.on('close', listener),
  });
}

/** To the Chromium of another process, at its `ws://127.0.0.1:PORT/devtools/browser/ID`. */
export async function connectBySocket(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return connect({
    send: (text) => socket.send(text),
    onMessage: (listener) => socket.addEventListener('message', ({ data }) => listener(String(data))),
    onClose: (listener) => socket.addEventListener('close', listener),
  });
}

function connect(line: Line): Connection {
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
    line.send(JSON.stringify({ id, method, params: params ?? {}, ...scope }));
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

  line.onMessage((text) => receive(JSON.parse(text) as Message));
  line.onClose(() => {
    for (const { method, reject } of waiting.values()) reject(new Error(`${method}: Chromium has ended.`));
    waiting.clear();
  });
  return { root: sessionOf(''), session: sessionOf };
}
