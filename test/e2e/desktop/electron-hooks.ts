import type * as common from 'electron/common';
import type * as main from 'electron/main';
import type {
  DialogAnswer,
  DialogFacts,
  MenuLine,
  NotificationFacts,
  SystemControl,
} from '../../electron-double/control.ts';

/** The hooked parts, under the names in Electron's main module. */
type Electron = Pick<
  typeof main,
  'app' | 'BrowserWindow' | 'dialog' | 'Menu' | 'Notification' | 'powerMonitor' | 'powerSaveBlocker' | 'Tray'
> &
  Pick<typeof common, 'shell'>;

/**
 * Runs in Electron's main process before the app: acts for the person where the system would need one. It is sent there
 * as text, so it can only use its arguments.
 */
export function installHooks(electron: Electron): void {
  const { app, BrowserWindow, dialog, Menu, Notification, powerMonitor, powerSaveBlocker, shell, Tray } =
    electron;
  const opened: string[] = [];
  const revealed: string[] = [];
  const asked: DialogFacts[] = [];
  const waiting: ((answer: DialogAnswer) => void)[] = [];
  const answers: DialogAnswer[] = [];
  const shown: Electron.Notification[] = [];
  const awake = new Set<number>();
  const popups: (readonly MenuLine[])[] = [];
  let tray: { toolTip: string; menu: Electron.Menu | null } | undefined;

  shell.openExternal = (url) => Promise.resolve(void opened.push(url));
  shell.showItemInFolder = (path) => void revealed.push(path);

  function ask(facts: DialogFacts, signal?: AbortSignal): Promise<DialogAnswer> {
    asked.push(facts);
    const given = answers.shift();
    if (given !== undefined) return Promise.resolve(given);
    return new Promise((resolve) => {
      waiting.push(resolve);
      signal?.addEventListener('abort', () => {
        if (waiting.includes(resolve)) waiting.splice(waiting.indexOf(resolve), 1);
        resolve({ kind: 'cancelled' });
      });
    });
  }
  // The dialogs replaced here would stop the main process on macOS
  const refuseBlocking = (args: readonly unknown[]): void => {
    if (args.length < 2 || !(args[0] as Electron.BrowserWindow).isVisible()) app.exit(70);
  };
  dialog.showMessageBox = async (...args: readonly unknown[]) => {
    refuseBlocking(args);
    const {
      message,
      detail = '',
      buttons = [],
      cancelId = 0,
      signal,
    } = args.at(-1) as Electron.MessageBoxOptions;
    const answer = await ask({ kind: 'message', message, detail, buttons }, signal);
    const response =
      answer.kind === 'button'
        ? buttons.findIndex((button) => button.replaceAll('&', '') === answer.button)
        : cancelId;
    return { response, checkboxChecked: false };
  };
  dialog.showOpenDialog = async (...args: readonly unknown[]) => {
    refuseBlocking(args);
    const { title = '', message = '' } = args.at(-1) as Electron.OpenDialogOptions;
    const answer = await ask({ kind: 'open', message: title, detail: message, buttons: [] });
    const filePaths = answer.kind === 'paths' ? [...answer.paths] : [];
    return { canceled: filePaths.length === 0, filePaths };
  };
  dialog.showSaveDialog = async (...args: readonly unknown[]) => {
    refuseBlocking(args);
    const { title = '', defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions;
    const answer = await ask({ kind: 'save', message: title, detail: defaultPath, buttons: [] });
    const [filePath = ''] = answer.kind === 'paths' ? answer.paths : [];
    return { canceled: filePath === '', filePath };
  };
  dialog.showErrorBox = () => app.exit(70);

  Notification.isSupported = () => true;
  Notification.prototype.show = function show(this: Electron.Notification) {
    shown.push(this);
  };
  const { setToolTip, setContextMenu } = Tray.prototype;
  Tray.prototype.setToolTip = function keepToolTip(this: Electron.Tray, toolTip) {
    tray = { menu: null, ...tray, toolTip };
    setToolTip.call(this, toolTip);
  };
  Tray.prototype.setContextMenu = function keepMenu(this: Electron.Tray, menu) {
    tray = { toolTip: '', ...tray, menu };
    setContextMenu.call(this, menu);
  };
  // The system would block the main process until a person has chosen
  Menu.prototype.popup = function keepPopup(this: Electron.Menu) {
    popups.push(linesOf(this));
  };
  const { start, stop } = powerSaveBlocker;
  powerSaveBlocker.start = (type) => {
    const id = start.call(powerSaveBlocker, type);
    awake.add(id);
    return id;
  };
  powerSaveBlocker.stop = (id) => {
    awake.delete(id);
    return stop.call(powerSaveBlocker, id);
  };

  const linesOf = (menu: Electron.Menu | null | undefined): readonly MenuLine[] =>
    (menu?.items ?? [])
      .filter(({ visible }) => visible)
      .map((item) => ({
        label: item.label,
        type: item.type,
        isEnabled: item.enabled,
        isChecked: item.checked,
        role: item.role ?? '',
        accelerator: item.accelerator ?? '',
        submenu: linesOf(item.submenu),
      }));
  function choose(
    menu: Electron.Menu | null | undefined,
    fits: (label: string) => boolean,
  ): Electron.MenuItem {
    const item = menu?.items.find(({ label, visible }) => visible && fits(label));
    if (item === undefined) throw new Error('There is no such item in the menu.');
    return item;
  }
  const press = (item: Electron.MenuItem): void => (item.click as () => void)();
  function first(): Electron.BrowserWindow {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) throw new Error('No window is open.');
    return window;
  }
  const factsOf = ({ title, body }: Electron.Notification): NotificationFacts => ({ title, body });

  const control: SystemControl = {
    menu: async () => linesOf(Menu.getApplicationMenu()),
    async clickMenu(labels) {
      let menu: Electron.Menu | null | undefined = Menu.getApplicationMenu();
      let item: Electron.MenuItem | undefined;
      for (const label of labels) {
        item = choose(menu, (known) => known.replaceAll('&', '') === label);
        menu = item.submenu;
      }
      if (item !== undefined) press(item);
    },
    tray: async () => tray && { toolTip: tray.toolTip, menu: linesOf(tray.menu) },
    clickTray: async (label) => press(choose(tray?.menu, (known) => known.startsWith(label))),
    notifications: async () => shown.map(factsOf),
    clickNotification: async (index) => void shown[index]?.emit('click'),
    dialogs: async () => asked,
    async answerDialog(answer) {
      const open = waiting.shift();
      if (open === undefined) answers.push(answer);
      else open(answer);
    },
    power: async (event) => void powerMonitor.emit(event, { preventDefault: () => undefined }),
    openUrl: async (url) => void app.emit('open-url', { preventDefault: () => undefined }, url),
    openedExternally: async () => opened,
    revealed: async () => revealed,
    isKeptAwake: async () => awake.size > 0,
    async window() {
      const [window] = BrowserWindow.getAllWindows();
      return {
        exists: window !== undefined,
        isVisible: window?.isVisible() ?? false,
        isFocused: window?.isFocused() ?? false,
        isMaximized: window?.isMaximized() ?? false,
        bounds: window?.getNormalBounds() ?? { x: 0, y: 0, width: 0, height: 0 },
      };
    },
    windowsShown: async () =>
      BrowserWindow.getAllWindows()
        .toSorted((one, other) => one.id - other.id)
        .map((window) => window.isVisible()),
    closeWindow: async () => first().close(),
    placeWindow: async (bounds) => first().setBounds(bounds),
    maximizeWindow: async () => first().maximize(),
    contextMenus: async () => popups,
    endSession: async () => void first().emit('session-end', { reasons: ['logoff'] }),
    async blurWindow() {
      const window = first();
      window.blur();
      // A build server has no other program to take the focus.
      window.isFocused = () => false;
    },
    crashPage: async () => first().webContents.forcefullyCrashRenderer(),
    windowText: async () => String(await first().webContents.executeJavaScript('document.body.innerText')),
    quit: async () => void setImmediate(() => app.quit()),
  };
  Object.assign(globalThis, { desktopSystem: control });
}
