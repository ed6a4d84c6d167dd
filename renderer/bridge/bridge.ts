import type { Failure } from '../../shared/domain/failure.ts';
import { type Caller, askOver, createCaller } from '../../shared/ipc/caller.ts';
import {
  type DesktopEvent,
  type DesktopCommandInput,
  type DesktopCommandName,
  type DesktopCommandOutput,
  desktopEventSchema,
  type DesktopApi,
} from '../../shared/ipc/desktop.ts';
import { type AgentSignal, agentSignalSchema } from '../../shared/ipc/events.ts';
import type { Result } from '../../shared/lib/result.ts';
import { z } from 'zod';

/** The connection to the agent: without it, nothing on screen can be assumed to be current. */
export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly sinceMs: number }
  /** The console is running but has too many pages or requests; `text` says which. */
  | { readonly kind: 'limited'; readonly text: string }
  | { readonly kind: 'refused' };

/** Functions that only the desktop app has. Undefined in a browser, where whatever needs them is not shown. */
export interface DesktopAbilities {
  /** Never rejects. */
  order<Name extends DesktopCommandName>(
    name: Name,
    input: DesktopCommandInput<Name>,
  ): Promise<Result<DesktopCommandOutput<Name>, Failure>>;
  /** Returns the function that unsubscribes. */
  onEvent(listener: (event: DesktopEvent) => void): () => void;
  /** Paths of dropped files and folders; those without a path are left out. */
  pathsOf(files: readonly File[]): readonly string[];
}

/** A question that must be answered in a tab this page cannot reach, before the agent carries out a call. */
export interface OpenQuestion {
  readonly message: string;
  /** Address of that tab. */
  readonly address: string;
  /** Dismisses the question; the waiting call fails with CANCELLED. */
  cancel(): void;
}

/** Everything the pages can reach outside themselves. */
export interface Bridge {
  readonly caller: Caller;
  /** Returns the function that unsubscribes. */
  onSignal(listener: (signal: AgentSignal) => void): () => void;
  link(): Link;
  onLink(listener: () => void): () => void;
  /** The question that is open now; on a desktop, the system's dialogs ask instead. */
  question(): OpenQuestion | undefined;
  onQuestion(listener: () => void): () => void;
  readonly desktop: DesktopAbilities | undefined;
  stop(): void;
}

/** Listeners, called in the order in which they were added. */
interface Listeners<News> {
  /** Returns the function that removes the listener. */
  add(listener: (news: News) => void): () => void;
  tell(news: News): void;
}

/** Makes an empty list of listeners. */
export function createListeners<News>(): Listeners<News> {
  const listeners = new Set<(news: News) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(news) {
      for (const listener of listeners) listener(news);
    },
  };
}

/** The page's clock: what is shown as "now" and "since". Only this file reads it. */
export interface PageClock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
}

/** The browser's own clock. */
export const pageClock: PageClock = { now: () => Date.now(), monotonic: () => performance.now() };

declare global {
  interface Window {
    /** Set by the preload script of the desktop app; undefined in a browser. */
    readonly desktop?: unknown;
  }
}

/** Exactly these functions: a page and a preload script of different versions fail immediately. */
const apiSchema = z.strictObject({
  call: functionOf<DesktopApi['call']>(),
  order: functionOf<DesktopApi['order']>(),
  onSignal: functionOf<DesktopApi['onSignal']>(),
  onEvent: functionOf<DesktopApi['onEvent']>(),
  pathsOf: functionOf<DesktopApi['pathsOf']>(),
});
const pathsSchema = z.array(z.string());

/** Connects a window of the desktop app to the agent in its main process. Throws when `value` is not a `DesktopApi`. */
export function createDesktopBridge(value: unknown, clock: PageClock): Bridge {
  const api: DesktopApi = apiSchema.parse(value);
  const links = createListeners<undefined>();
  const stops = new Set<() => void>();
  let link: Link = { kind: 'connecting' };

  function setLink(next: Link): void {
    // "Since" is the first failure, not the latest attempt
    if (link.kind === 'lost' && next.kind === 'lost') return;
    link = next;
    links.tell(undefined);
  }

  async function call(request: unknown): Promise<unknown> {
    const reply = await orLost(api.call(request));
    if (link.kind !== 'open') setLink({ kind: 'open' });
    return reply;
  }

  /** Rejects only when the main process is gone: a refusal is a normal answer. */
  function orLost(answer: Promise<unknown>): Promise<unknown> {
    return answer.catch((error: unknown) => {
      setLink({ kind: 'lost', sinceMs: clock.now() });
      throw error;
    });
  }

  /** One subscription per listener: the preload script keeps events that arrive before the first one. */
  function subscribe<News>(
    { on, schema }: { readonly on: DesktopApi['onEvent']; readonly schema: z.ZodType<News> },
    listener: (news: News) => void,
  ): () => void {
    const unsubscribe = on((news) => {
      const { data } = schema.safeParse(news);
      if (data !== undefined) listener(data);
    });
    const stop = (): void => {
      stops.delete(stop);
      unsubscribe();
    };
    stops.add(stop);
    return stop;
  }

  const signals = { on: api.onSignal, schema: agentSignalSchema };
  const events = { on: api.onEvent, schema: desktopEventSchema };
  return {
    caller: createCaller(call),
    onSignal: (listener) => subscribe(signals, listener),
    link: () => link,
    question: () => undefined,
    onQuestion: () => () => undefined,
    onLink: (listener) => links.add(listener),
    desktop: {
      order: (name, input) => askOver((request) => orLost(api.order(request)), { call: name, input }),
      onEvent: (listener) => subscribe(events, listener),
      pathsOf: (files) => pathsSchema.catch([]).parse(api.pathsOf(files)),
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function');
}
