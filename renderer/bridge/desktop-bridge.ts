import { z } from 'zod';
import { askOver, createCaller, type Transport } from '../../shared/ipc/caller.ts';
import {
  desktopEventSchema,
  orderOutputs,
  type DesktopApi,
  type DesktopEvent,
} from '../../shared/ipc/desktop.ts';
import { agentSignalSchema, type AgentSignal } from '../../shared/ipc/events.ts';
import type { Bridge, DesktopAbilities, Link } from './bridge.ts';
import { createListeners } from './listeners.ts';
import type { PageClock } from './page-clock.ts';

declare global {
  interface Window {
    /** Put there by the preload script of the desktop app; in a browser there is none. */
    readonly desktop?: unknown;
  }
}

/** Exactly these functions: a page of one version over a preload of another is a mistake that is told at once. */
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
  const signals = createListeners<AgentSignal>();
  const events = createListeners<DesktopEvent>();
  const links = createListeners<undefined>();
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

  const desktop = createAbilities(api, (request) => orLost(api.order(request)), events.add);
  const stops = [
    api.onSignal((signal) => {
      const { data } = agentSignalSchema.safeParse(signal);
      if (data !== undefined) signals.tell(data);
    }),
    api.onEvent((event) => {
      const { data } = desktopEventSchema.safeParse(event);
      if (data !== undefined) events.tell(data);
    }),
  ];
  return {
    caller: createCaller(call),
    onSignal: signals.add,
    link: () => link,
    onLink: (listener) => links.add(listener),
    desktop,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

function createAbilities(
  api: DesktopApi,
  transport: Transport,
  onEvent: DesktopAbilities['onEvent'],
): DesktopAbilities {
  return {
    order: (name, input) => askOver(transport, { call: name, input }, orderOutputs[name].output),
    onEvent,
    pathsOf: (files) => pathsSchema.catch([]).parse(api.pathsOf(files)),
  };
}

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function');
}
