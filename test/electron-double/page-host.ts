import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Chromium, NewTarget } from './chromium.ts';
import type { Session } from './cdp.ts';
import { answerPage } from './answer-page.ts';
import { mainWorldScript, preloadScript, type ClickedText } from './page-side.ts';
import type { PageUrls } from './page-urls.ts';
import { fromText, toText } from './plain-data.ts';
import type { DoubleSession } from './session.ts';

const PRELOAD_WORLD = 'preload';

/** Events of a page for its window. Addresses are the app's. */
export interface PageListener {
  /** Returning false refuses it. */
  mayNavigate(url: string, isMainFrame: boolean): boolean;
  /** The same for the target of a redirected navigation, including one of the app's own. */
  mayRedirect(url: string, isMainFrame: boolean): boolean;
  mayOpenWindow(url: string, frameName: string, features: string): boolean;
  onRequest(details: {
    url: string;
    method: string;
    resourceType: string;
    referrer: string;
  }): Promise<boolean>;
  onInvoke(channel: string, args: readonly unknown[]): Promise<unknown>;
  onSend(channel: string, args: readonly unknown[]): void;
  /** A person right-clicked, and the page did not handle it. */
  onContextMenu(clicked: ClickedText): void;
  /** The page's address changed; with `isSameDocument` only the part after `#`, or a script changed it. */
  onUrl(url: string, isSameDocument: boolean): void;
  onLoaded(): void;
  onCrashed(): void;
  onClosed(): void;
}

/** One page of Chromium with a preload in a world of its own. */
export interface PageHost {
  navigate(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Sends to the preload; lost when there is none, as in Electron. */
  send(channel: string, args: readonly unknown[]): void;
  evaluate(expression: string): Promise<unknown>;
  /** Paths by file name, for webUtils.getPathForFile. */
  setDropped(paths: Readonly<Record<string, string>>): Promise<void>;
  readonly session: Session;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly chromium: Chromium;
  readonly urls: PageUrls;
  readonly session: DoubleSession;
  readonly preload: string | undefined;
  readonly width: number;
  readonly height: number;
}

export async function openPage(options: PageOptions, listener: PageListener): Promise<PageHost> {
  const { chromium, urls } = options;
  const { session, targetId } = await chromium.openPage(options.width, options.height);
  const secret = randomUUID();
  let ownNavigation: string | undefined;
  let preloadContext: number | undefined;
  const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

  function callPreload(message: unknown, contextId = preloadContext): void {
    if (contextId === undefined) return;
    const expression = `electronDoubleReceive(${JSON.stringify(toText(message))})`;
    quietly(session.send('Runtime.evaluate', { expression, contextId }));
  }

  session.on('Runtime.executionContextCreated', ({ context }) => {
    const { frameId } = context.auxData as { frameId?: string };
    if (context.name === PRELOAD_WORLD && frameId === targetId) preloadContext = context.id;
  });
  session.on('Runtime.executionContextsCleared', () => (preloadContext = undefined));
  session.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
    const { kind, id, channel, args } = JSON.parse(payload) as {
      kind: string;
      id: number;
      channel: string;
      args: unknown;
    };
    const values = fromText(JSON.stringify(args)) as readonly unknown[];
    if (kind === 'context menu') return listener.onContextMenu(values[0] as ClickedText);
    if (kind === 'send') return listener.onSend(channel, values);
    listener.onInvoke(channel, values).then(
      (value) => callPreload({ kind: 'reply', id, ok: true, value }, executionContextId),
      (error: Error) =>
        callPreload({ kind: 'reply', id, ok: false, value: error.message }, executionContextId),
    );
  });
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined)
      listener.onUrl(urls.toApp(frame.url + (frame.urlFragment ?? '')), false);
  });
  session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === targetId) listener.onUrl(urls.toApp(url), true);
  });
  const waitForLoad = new Set<() => void>();
  session.on('Page.loadEventFired', () => {
    listener.onLoaded();
    for (const loaded of waitForLoad) loaded();
    waitForLoad.clear();
  });
  session.on('Inspector.targetCrashed', () => listener.onCrashed());

  const opens: { readonly url: string; readonly isAllowed: boolean }[] = [];
  session.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
    opens.push({
      url,
      isAllowed: listener.mayOpenWindow(urls.toApp(url), windowName, windowFeatures.join(',')),
    });
  });
  chromium.onPopup((popup) => {
    if (popup.openerId !== targetId) return;
    const asked = opens.at(-1);
    if (asked?.isAllowed !== true) return quietly(closeUnloaded(chromium, popup));
    chromium.allow(asked.url);
    quietly(popup.session.send('Runtime.runIfWaitingForDebugger'));
  });
  chromium.root.on('Target.targetDestroyed', (gone) => {
    if (gone.targetId === targetId) listener.onClosed();
  });

  async function intercept(target: Session): Promise<void> {
    target.on('Fetch.requestPaused', (paused) => {
      const isOwn = paused.request.url === ownNavigation;
      const isMainFrame = paused.frameId === targetId;
      const mayNavigate = (url: string): boolean =>
        paused.redirectedRequestId === undefined
          ? isOwn || listener.mayNavigate(url, isMainFrame)
          : listener.mayRedirect(url, isMainFrame);
      quietly(
        answerPage(target, paused, {
          urls,
          chromium,
          session: options.session,
          mayNavigate,
          listener,
          targetId,
        }),
      );
    });
    await target.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }
  // Frames of other origins are in processes of their own; their requests are the window's requests too.
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const target = chromium.session(sessionId);
    const prepared = targetInfo.type === 'iframe' ? intercept(target) : Promise.resolve();
    quietly(prepared.then(() => target.send('Runtime.runIfWaitingForDebugger')));
  });

  await Promise.all([
    session.send('Page.enable'),
    session.send('Runtime.enable'),
    session.send('Inspector.enable'),
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    intercept(session),
    ...(options.preload === undefined ? [] : installPreload(session, options.preload, secret)),
  ]);
  await session.send('Runtime.runIfWaitingForDebugger');

  return {
    session,
    send: (channel, args) => callPreload({ kind: 'message', channel, args }),
    async navigate(url) {
      ownNavigation = urls.toPage(url);
      const loaded = new Promise<void>((resolve) => void waitForLoad.add(resolve));
      const { errorText } = await session.send('Page.navigate', { url: ownNavigation });
      if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
      await loaded;
    },
    async reload() {
      await session.send('Page.reload');
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error(result.description ?? exceptionDetails.text);
      return result.value as unknown;
    },
    async setDropped(paths) {
      const expression = `globalThis.electronDoublePaths = ${JSON.stringify(paths)}`;
      if (preloadContext !== undefined)
        await session.send('Runtime.evaluate', { expression, contextId: preloadContext });
    },
    async close() {
      await chromium.root.send('Target.closeTarget', { targetId });
    },
  };
}

/**
 * Electron never creates a refused window; here it exists for a moment and cannot reach anything. It has to run before
 * it can be closed: it shares its thread with the page that opened it.
 */
async function closeUnloaded({ root }: Chromium, { session, targetId }: NewTarget): Promise<void> {
  await session.send('Runtime.runIfWaitingForDebugger');
  await root.send('Target.closeTarget', { targetId });
}

/** The page's half first: the preload's half immediately sends it what to expose. */
function installPreload(session: Session, file: string, secret: string): readonly Promise<unknown>[] {
  const source = preloadScript(secret, readFileSync(file, 'utf8'));
  return [
    session.send('Runtime.addBinding', { name: 'electronDouble', executionContextName: PRELOAD_WORLD }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(secret) }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: PRELOAD_WORLD }),
  ];
}
