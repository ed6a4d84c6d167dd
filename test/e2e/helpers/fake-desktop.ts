import type { Page } from '@playwright/test';
import type { DesktopEvent } from '../../../shared/ipc/desktop.ts';
import { requestSchema } from '../../../shared/ipc/envelope.ts';
import type { Desk } from './desk.ts';

/** Returns the reply to a command. */
type Answer = (input: unknown) => unknown;

/**
 * The desktop's side of a page, without a desktop: calls go to the real agent, commands to answers that a test sets.
 */
export interface FakeDesktop {
  /** Commands that were received, except for those of the menu. */
  readonly orders: readonly { readonly call: string; readonly input: unknown }[];
  /** Folders that the page had the agent send. */
  readonly pushed: readonly unknown[];
  /** The menu's last state. */
  menu(): unknown;
  answer(order: string, answer: Answer): void;
  tell(event: DesktopEvent): Promise<void>;
  /** From now on nothing is answered, as when the main process is gone. */
  crash(): void;
}

const ok = (value: unknown): unknown => ({ ok: true, value });
const choice = { closeToTray: true, startAtLogin: false, notifyFinished: false, isGpuUsed: true };
const diagnosis = {
  runtime: 'Electron 45.4.1, Chromium 156',
  isGpuUsed: true,
  hasTray: true,
  pageCrashes: 0,
  pageHangs: 0,
  gpuCrashes: 0,
  processCrashes: 0,
  restarts: 0,
};

/**
 * Puts `window.desktop` on the page before it loads, as the preload script does. Dropped folders have the path of
 * `dropRoot` and their name.
 */
export async function giveDesktop(
  { page, agent }: Desk,
  {
    dropRoot = '',
    early = [],
  }: { readonly dropRoot?: string; readonly early?: readonly DesktopEvent[] } = {},
): Promise<FakeDesktop> {
  const orders: { readonly call: string; readonly input: unknown }[] = [];
  const pushed: unknown[] = [];
  let menu: unknown;
  let isGone = false;
  const answers = new Map<string, Answer>([
    ['choice.get', () => ok(choice)],
    ['choice.set', (input) => ok({ ...choice, ...Object(input) })],
    ['diagnosis.get', () => ok(diagnosis)],
    ['update.state', () => ok({ kind: 'off', reason: 'This is no installed app.' })],
    ['openHelp', () => ok({})],
    ['unsaved.set', () => ok({})],
  ]);
  await page.exposeFunction('agentCall', (request: unknown) => {
    if (isGone) throw new Error('The main process is gone');
    const { call, input } = requestSchema.parse(request);
    if (call === 'exports.push') pushed.push(input);
    return agent().call(request, new AbortController().signal);
  });
  await page.exposeFunction('desktopOrder', (request: unknown) => {
    if (isGone) throw new Error('The main process is gone');
    const { call, input } = requestSchema.parse(request);
    if (call === 'menu.set') {
      menu = input;
      return ok({});
    }
    orders.push({ call, input });
    return answers.get(call)?.(input);
  });
  await page.addInitScript(preload, { dropRoot, early });
  agent().signals.on((signal) => void send(page, 'signal', signal));
  return {
    orders,
    pushed,
    menu: () => menu,
    answer: (order, answer) => void answers.set(order, answer),
    tell: (event) => send(page, 'event', event),
    crash: () => void (isGone = true),
  };
}

/** A page that is loading or gone receives nothing. */
async function send(page: Page, kind: 'signal' | 'event', detail: unknown): Promise<void> {
  await page
    .evaluate(
      ([name, value]) => window.dispatchEvent(new CustomEvent(`desktop-${String(name)}`, { detail: value })),
      [kind, detail],
    )
    .catch(() => undefined);
}

/** Runs in the page. */
function preload({
  dropRoot,
  early,
}: {
  readonly dropRoot: string;
  readonly early: readonly unknown[];
}): void {
  const listenTo = (kind: string) => (listener: (value: unknown) => void) => {
    const hear = (event: Event): void => {
      if (event instanceof CustomEvent) listener(event.detail);
    };
    window.addEventListener(`desktop-${kind}`, hear);
    return () => window.removeEventListener(`desktop-${kind}`, hear);
  };
  const ask = (name: string) => (request: unknown) =>
    Promise.resolve(Reflect.apply(Reflect.get(window, name), undefined, [request]));
  const onEvent = listenTo('event');
  const waiting = [...early];
  Object.defineProperty(window, 'desktop', {
    value: {
      call: ask('agentCall'),
      order: ask('desktopOrder'),
      onSignal: listenTo('signal'),
      onEvent(listener: (value: unknown) => void) {
        const stop = onEvent(listener);
        // Events sent while the page was loading go to the first listener
        for (const event of waiting.splice(0)) listener(event);
        return stop;
      },
      pathsOf: (files: readonly File[]) => files.map(({ name }) => `${dropRoot}/${name}`),
    },
  });
}
