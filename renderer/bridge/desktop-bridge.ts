import { z } from 'zod';
import { askOver, createCaller } from '../../shared/ipc/caller.ts';
import { desktopEventSchema, type DesktopApi } from '../../shared/ipc/desktop.ts';
import { agentSignalSchema } from '../../shared/ipc/events.ts';
import { type Bridge, type Link, createListeners } from './bridge.ts';
import type { PageClock } from './bridge.ts';

declare global {
  interface Window {
    /** Put there by the preload script of the desktop app; in a browser there is none. */
    readonly desktop?: unknown;
  }
}

/** Exactly these functions: a page of one version over a preload of another is an error at once. */
const apiSchema = z.strictObject({
  call: functionOf<DesktopApi['call']>(),
  order: functionOf<DesktopApi['order']>(),
  onSignal: functionOf<DesktopApi['onSignal']>(),
  onEvent: functionOf<DesktopApi['onEvent']>(),
  pathsOf: functionOf<DesktopApi['pathsOf']>(),
});
const pathsSchema = z.array(z.string());

/** The way from a window of the desktop app to the agent in its main process. Throws when `value` is no `DesktopApi`. */
export function createDesktopBridge(value: unknown, clock: PageClock): Bridge {
  const api: DesktopApi = apiSchema.parse(value);
  const links = createListeners<undefined>();
  const stops = new Set<() => void>();
  let link: Link = { kind: 'connecting' };

  function setLink(next: Link): void {
    // "Since" is the first moment, not the last try
    if (link.kind === 'lost' && next.kind === 'lost') return;
    link = next;
    links.tell(undefined);
  }

  async function call(request: unknown): Promise<unknown> {
    const startedMs = clock.monotonic();
    const reply = await orLost(api.call(request));
    setLink({ kind: 'open', latencyMs: clock.monotonic() - startedMs });
    return reply;
  }

  /** Only a main process that is gone rejects: what it refuses is an answer. */
  function orLost(answer: Promise<unknown>): Promise<unknown> {
    return answer.catch((error: unknown) => {
      setLink({ kind: 'lost', sinceMs: clock.now() });
      throw error;
    });
  }

  /** Each listener by a subscription of its own: the preload keeps what came before the first of them. */
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
