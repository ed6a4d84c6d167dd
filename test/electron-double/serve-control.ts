import { once, type EventEmitter } from 'node:events';
import { flushCompileCache } from 'node:module';
import { basename } from 'node:path';
import type { Chromium } from './chromium.ts';
import type { ControlAnswer, ControlRequest, DoubleControl, ForeignFrame } from './control.ts';
import type { DoubleDialogs } from './dialogs.ts';
import type { DoubleIpc } from './ipc.ts';
import type { DoubleMenus } from './menus.ts';
import { preventable, strict } from './strict.ts';
import type { createSystem } from './system.ts';
import type { DoubleWindow, DoubleWindows } from './windows.ts';

export interface ControlNeeds {
  readonly app: Electron.App;
  readonly appEvents: EventEmitter;
  readonly chromium: () => Promise<Chromium>;
  readonly windows: DoubleWindows;
  readonly menus: DoubleMenus;
  readonly dialogs: DoubleDialogs;
  readonly system: ReturnType<typeof createSystem>;
  readonly ipc: DoubleIpc;
}

/** Carries out the requests of the test's process: what a person or the system would do, and what they would see. */
export function createControl(needs: ControlNeeds): DoubleControl {
  const { app, appEvents, windows, menus, dialogs, system, ipc } = needs;
  function first(): DoubleWindow {
    const [window] = windows.list();
    if (window === undefined) throw new Error('No window is open.');
    return window;
  }
  return {
    menu: async () => menus.applicationMenu(),
    clickMenu: async (labels) => menus.clickApplicationMenu(labels),
    tray: async () => menus.tray(),
    clickTray: async (label) => menus.clickTray(label),
    notifications: async () => dialogs.notifications(),
    clickNotification: async (index) => dialogs.clickNotification(index),
    dialogs: async () => dialogs.asked(),
    answerDialog: async (answer) => dialogs.answer(answer),
    power: async (event) => system.tellPower(event),
    openUrl: async (url) => void appEvents.emit('open-url', preventable({}), url),
    openedExternally: async () => system.opened(),
    revealed: async () => system.revealed(),
    isKeptAwake: async () => system.isKeptAwake(),
    async window() {
      const [open] = windows.list();
      const nowhere = { x: 0, y: 0, width: 0, height: 0 };
      const gone = { isVisible: false, isFocused: false, isMaximized: false, bounds: nowhere };
      return { exists: open !== undefined, ...(open?.facts() ?? gone) };
    },
    windowsShown: async () => windows.list().map(({ facts }) => facts().isVisible),
    closeWindow: async () => first().window.close(),
    placeWindow: async (bounds) => first().place(bounds),
    maximizeWindow: async () => first().window.maximize(),
    contextMenus: async () => menus.popups(),
    endSession: async () => first().endSession(),
    blurWindow: async () => first().window.blur(),
    async crashPage() {
      const { session } = await first().page;
      // The page is gone and cannot answer.
      session.send('Page.crash').catch(() => undefined);
    },
    async windowText() {
      const page = await first().page;
      return String(await page.evaluate('document.body?.innerText ?? ""'));
    },
    // Answers first: the process ends with it.
    quit: async () => void setImmediate(() => app.quit()),
    async endpoint() {
      if (windows.list().length === 0) await once(appEvents, 'browser-window-created');
      await first().page;
      // Normally written at the end of a process, but most tests kill this one midway
      flushCompileCache();
      const chromium = await needs.chromium();
      return chromium.endpoint();
    },
    secondInstance: async (args, workingDir) =>
      void appEvents.emit('second-instance', preventable({}), args, workingDir, {}),
    async askAs(frame, channel, args) {
      const { sender, senderFrame } = foreign(frame, first().window.webContents);
      return ipc.invoke(sender, senderFrame, channel, args).then(
        (answer) => `answered ${JSON.stringify(answer)}`,
        (error: Error) => `refused ${error.message}`,
      );
    },
    minimizeWindow: async () => first().minimize(),
    hangPage: async (isHung) => first().hang(isHung),
    loseProcess: async (type) =>
      void appEvents.emit('child-process-gone', preventable({}), {
        type,
        reason: 'crashed',
        exitCode: 139,
        serviceName: type === 'GPU' ? 'GPU' : 'network.mojom.NetworkService',
        name: type,
      }),
    // Answers first: the process ends with it
    fault: async () =>
      void setImmediate(() => {
        throw new Error('A fault of the test');
      }),
    unlockKeyStore: async () => system.unlockKeyStore(),
    async nameDropped(paths) {
      const byName = Object.fromEntries(paths.map((path) => [basename(path), path]));
      await (await first().page).setDropped(byName);
    },
  };
}

/** A sender that differs from the window's own page in one respect. */
function foreign(
  kind: ForeignFrame,
  sender: Electron.WebContents,
): { sender: Electron.WebContents; senderFrame: Electron.WebFrameMain | null } {
  const { mainFrame } = sender;
  const fake = (change: Partial<Electron.WebFrameMain>): Electron.WebFrameMain =>
    strict<Electron.WebFrameMain>('frame', {
      url: mainFrame.url,
      origin: mainFrame.origin,
      parent: null,
      top: mainFrame,
      detached: false,
      isDestroyed: () => false,
      ...change,
    });
  switch (kind) {
    case 'sub-frame':
      return { sender, senderFrame: fake({ parent: mainFrame }) };
    case 'other origin':
      return { sender, senderFrame: fake({ url: 'https://evil.example/', origin: 'https://evil.example' }) };
    case 'empty address':
      return { sender, senderFrame: fake({ url: '', origin: 'null' }) };
    case 'about:blank':
      return { sender, senderFrame: fake({ url: 'about:blank', origin: 'null' }) };
    case 'gone':
      return { sender, senderFrame: null };
    case 'destroyed':
      return { sender, senderFrame: fake({ isDestroyed: () => true }) };
    case 'other window':
      return {
        sender: strict<Electron.WebContents>('webContents', { id: 99, mainFrame }),
        senderFrame: mainFrame,
      };
  }
}

/** Answers requests over the process's own channel, in the order in which they come. */
export function serveControl(control: DoubleControl): void {
  process.on('message', (request: ControlRequest) => {
    const method = control[request.name] as (...args: readonly unknown[]) => Promise<unknown>;
    const reply = (answer: ControlAnswer): void =>
      void process.send?.(answer, undefined, undefined, () => undefined);
    method(...request.args).then(
      (value) => reply({ id: request.id, ok: true, value }),
      (error: Error) => reply({ id: request.id, ok: false, message: error.message }),
    );
  });
  // The test is gone: nobody else would end this process.
  process.on('disconnect', () => process.exit(1));
}
