import { EventEmitter } from 'node:events';
import type { DoubleIpc } from './ipc.ts';
import { openPage, type PageHost } from './page-host.ts';
import type { Chromium } from './chromium.ts';
import type { PageUrls } from './page-urls.ts';
import { applyPermissions } from './page-permissions.ts';
import type { DoubleSession } from './session.ts';
import { preventable, strict } from './strict.ts';

export interface ContentsNeeds {
  readonly chromium: () => Promise<Chromium>;
  readonly urls: PageUrls;
  readonly session: DoubleSession;
  readonly ipc: DoubleIpc;
}

/** The contents of a window, and the double's own access to their page. */
export interface DoubleContents {
  readonly contents: Electron.WebContents;
  readonly events: EventEmitter;
  readonly page: Promise<PageHost>;
  load(url: string): Promise<void>;
  destroy(): Promise<void>;
}

interface Shown {
  readonly preload: string | undefined;
  readonly width: number;
  readonly height: number;
  onLoaded(): void;
}

let lastId = 0;

/** Options that mean the same in Electron and in Chromium's own protocol. */
const printOptions: readonly string[] = ['preferCSSPageSize', 'printBackground', 'generateTaggedPDF'];

export function createContents(needs: ContentsNeeds, shown: Shown): DoubleContents {
  const events = new EventEmitter();
  let url = '';
  let isGone = false;
  let isCrashed = false;
  let isLoaded = false;
  let openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined;
  lastId += 1;
  const id = lastId;

  let documents = 0;
  let mainFrame = makeFrame();
  let loading: ((error: Error) => void) | undefined;

  /** Each document has a frame of its own; the previous document's frame is destroyed. */
  function makeFrame(): Electron.WebFrameMain {
    documents += 1;
    const mine = documents;
    const isDestroyed = (): boolean => isGone || isCrashed || mine !== documents;
    const frame: Electron.WebFrameMain = strict<Electron.WebFrameMain>('frame', {
      get url() {
        return url;
      },
      get origin() {
        return originOf(url);
      },
      get detached() {
        return isDestroyed();
      },
      parent: null,
      get top(): Electron.WebFrameMain {
        return frame;
      },
      isDestroyed,
      processId: 1,
      routingId: mine,
      frameToken: `frame-${id}-${mine}`,
      frames: [],
    });
    return frame;
  }

  /** The sender of a message in transit: Electron has no frame for one whose document is gone. */
  const senderFrame = (): Electron.WebFrameMain | null => (mainFrame.isDestroyed() ? null : mainFrame);

  const navigation = (target: string, isMainFrame: boolean) =>
    preventable({
      url: target,
      isMainFrame,
      isSameDocument: false,
      frame: mainFrame,
      initiator: mainFrame,
    });

  /** Rejects the load as Electron does when something else replaces it. */
  function abortLoad(): void {
    const aborted = Object.assign(new Error(`ERR_ABORTED (-3) loading '${url}'`), {
      code: 'ERR_ABORTED',
      errno: -3,
    });
    loading?.(aborted);
    if (loading !== undefined) events.emit('did-fail-load', preventable({}), -3, '', url, true, 1, 1);
    loading = undefined;
  }

  const page: Promise<PageHost> = needs.chromium().then((chromium) =>
    openPage(
      { ...needs, chromium, preload: shown.preload, width: shown.width, height: shown.height },
      {
        mayNavigate(target, isMainFrame) {
          const any = navigation(target, isMainFrame);
          events.emit('will-frame-navigate', any);
          const main = navigation(target, isMainFrame);
          if (isMainFrame && !any.defaultPrevented) events.emit('will-navigate', main, target);
          return !any.defaultPrevented && !main.defaultPrevented;
        },
        mayRedirect(target, isMainFrame) {
          const redirect = navigation(target, isMainFrame);
          events.emit('will-redirect', redirect, target, false, isMainFrame, 1, 1);
          // Nothing else replaces it
          if (redirect.defaultPrevented && isMainFrame) abortLoad();
          return !redirect.defaultPrevented;
        },
        mayOpenWindow(target, frameName, features) {
          const referrer = { url, policy: 'strict-origin-when-cross-origin' } as const;
          const asked = {
            url: target,
            frameName,
            features,
            disposition: 'foreground-tab',
            referrer,
          } as const;
          return openHandler === undefined || openHandler(asked).action === 'allow';
        },
        onRequest: (details) =>
          needs.session.isCancelled({
            ...details,
            id: 0,
            resourceType: details.resourceType as Electron.OnBeforeRequestListenerDetails['resourceType'],
            webContentsId: id,
            webContents: contents,
            frame: mainFrame,
            timestamp: 0,
            uploadData: [],
          }),
        onInvoke: (channel, args) => needs.ipc.invoke(contents, senderFrame(), channel, args),
        onSend: (channel, args) => needs.ipc.send(contents, senderFrame(), channel, args),
        onContextMenu({ editFlags, ...clicked }) {
          const flags = strict<Electron.EditFlags>('editFlags', editFlags);
          const params = strict<Electron.ContextMenuParams>('params', { ...clicked, editFlags: flags });
          events.emit('context-menu', preventable({}), params);
        },
        onUrl(next, isSameDocument) {
          url = next;
          isCrashed = false;
          if (!isSameDocument) mainFrame = makeFrame();
          if (isSameDocument) events.emit('did-navigate-in-page', preventable({}), next, true, 1, 1);
          else events.emit('did-navigate', preventable({}), next, 200, 'OK');
        },
        onLoaded() {
          isLoaded = true;
          events.emit('dom-ready', preventable({}));
          events.emit('did-finish-load');
          shown.onLoaded();
        },
        onCrashed() {
          isCrashed = true;
          events.emit('render-process-gone', preventable({}), { reason: 'crashed', exitCode: 5 });
        },
        onClosed: () => void (isGone = true),
      },
    ),
  );
  // Whoever loads the page gets the error; a window that is never loaded has nobody to report it to.
  page.catch(() => undefined);

  const load = async (target: string): Promise<void> => {
    const host = await page;
    events.emit('did-start-loading');
    abortLoad();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => undefined);
    loading = reject;
    await applyPermissions(needs, contents, originOf(target));
    await Promise.race([host.navigate(target), aborted]);
    if (loading === reject) loading = undefined;
  };
  const contents: Electron.WebContents = strict<Electron.WebContents>(
    'webContents',
    {
      id,
      get mainFrame() {
        return mainFrame;
      },
      session: needs.session.own,
      getURL: () => url,
      isDestroyed: () => isGone,
      setWindowOpenHandler: (handler) => void (openHandler = handler),
      loadURL: (target) => load(target),
      async printToPDF(asked) {
        const unknown = Object.keys(asked).filter((name) => !printOptions.includes(name));
        if (unknown.length > 0) throw new Error(`electron-double prints without ${unknown.join()}`);
        const host = await page;
        if (isGone || isCrashed || !isLoaded) throw new Error('Failed to generate PDF: there is no page');
        const { data } = await host.session.send('Page.printToPDF', asked);
        return Buffer.from(data, 'base64');
      },
      reload() {
        abortLoad();
        void page.then((host) => host.reload());
      },
      // The page is gone and cannot answer
      forcefullyCrashRenderer: () =>
        void page.then((host) => host.session.send('Page.crash')).catch(() => undefined),
      send(channel, ...args) {
        if (!isGone && !isCrashed) void page.then((host) => host.send(channel, args));
      },
    },
    events,
  );
  return {
    contents,
    events,
    page,
    load,
    async destroy() {
      abortLoad();
      isGone = true;
      events.emit('destroyed');
      await page.then((host) => host.close()).catch(() => undefined);
    },
  };
}

/** Origins as Electron writes them for its schemes, for which Node's parser has none. */
function originOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null || parsed.host === '' ? 'null' : `${parsed.protocol}//${parsed.host}`;
}
