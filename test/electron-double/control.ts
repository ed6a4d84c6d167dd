/** A menu item as a person sees it. */
export interface MenuLine {
  readonly label: string;
  readonly type: string;
  readonly isEnabled: boolean;
  readonly isChecked: boolean;
  readonly role: string;
  readonly accelerator: string;
  readonly submenu: readonly MenuLine[];
}

/** The icon in the tray. */
export interface TrayFacts {
  readonly toolTip: string;
  readonly menu: readonly MenuLine[];
}

/** A notification of the system. */
export interface NotificationFacts {
  readonly title: string;
  readonly body: string;
}

/** A dialog of the system that the app has opened and that waits for an answer. */
export interface DialogFacts {
  readonly kind: 'message' | 'open' | 'save';
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** A person's answer to a dialog: a button by its label, paths, or nothing (`cancelled`). */
export type DialogAnswer =
  | { readonly kind: 'button'; readonly button: string }
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  | { readonly kind: 'cancelled' };

/** The first window, as the system shows it. */
export interface WindowFacts {
  readonly exists: boolean;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  readonly isMaximized: boolean;
  /** Bounds of the window when it is not maximised, pixels. */
  readonly bounds: WindowBounds;
}

/** A place on the screens, pixels. */
export interface WindowBounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Events about the machine that the system sends to the app. */
export type PowerEvent =
  | 'suspend'
  | 'resume'
  | 'on-battery'
  | 'on-ac'
  | 'lock-screen'
  | 'unlock-screen'
  | 'shutdown';

/** Actions of the system and of a person on the app, and what they see of it; the same with each driver. */
export interface SystemControl {
  menu(): Promise<readonly MenuLine[]>;
  /** Chooses an item by the labels on the way to it. */
  clickMenu(labels: readonly string[]): Promise<void>;
  tray(): Promise<TrayFacts | undefined>;
  /** Chooses an item of the tray's menu by the beginning of its label. */
  clickTray(label: string): Promise<void>;
  notifications(): Promise<readonly NotificationFacts[]>;
  clickNotification(index: number): Promise<void>;
  /** All dialogs so far, including answered ones. */
  dialogs(): Promise<readonly DialogFacts[]>;
  /** Answers the oldest open dialog, or the next one that opens. */
  answerDialog(answer: DialogAnswer): Promise<void>;
  power(event: PowerEvent): Promise<void>;
  /** The system passes a link with the app's scheme to the running app (macOS). */
  openUrl(url: string): Promise<void>;
  /** Addresses opened in the system's browser. */
  openedExternally(): Promise<readonly string[]>;
  /** Files shown in the file manager. */
  revealed(): Promise<readonly string[]>;
  /** Whether the app keeps the machine awake now. */
  isKeptAwake(): Promise<boolean>;
  window(): Promise<WindowFacts>;
  /** For each window, in order of creation, whether it is shown. */
  windowsShown(): Promise<readonly boolean[]>;
  /** Closes the window, as its own close button does. */
  closeWindow(): Promise<void>;
  /** Moves and sizes the window, as a person does. */
  placeWindow(bounds: WindowBounds): Promise<void>;
  maximizeWindow(): Promise<void>;
  /** Context menus opened so far. */
  contextMenus(): Promise<readonly (readonly MenuLine[])[]>;
  /** Windows notifies a window that the person signs out or the system shuts down. */
  endSession(): Promise<void>;
  /** Moves the focus to another program. */
  blurWindow(): Promise<void>;
  /** Ends the page's process, as a crash does. */
  crashPage(): Promise<void>;
  /** The text of the window, read through the app: works even when the page was recreated. */
  windowText(): Promise<string>;
  /** Quits like the system's own Quit. */
  quit(): Promise<void>;
}

/** Actions that only the double supports. */
export interface DoubleControl extends SystemControl {
  /** The address at which Playwright finds the windows; waits for the first one. */
  endpoint(): Promise<string>;
  /** A second start as the first instance sees it. */
  secondInstance(args: readonly string[], workingDir: string): Promise<void>;
  /** Sends a message that claims to come from another frame; returns the answer that the frame would get. */
  askAs(frame: ForeignFrame, channel: string, args: readonly unknown[]): Promise<string>;
  /** Minimises the window, as from the task bar. */
  minimizeWindow(): Promise<void>;
  /** Makes the window's page stop answering input; `false` makes it answer again. */
  hangPage(isHung: boolean): Promise<void>;
  /** Ends one of Chromium's processes other than the pages', as a driver fault does. */
  loseProcess(type: 'GPU' | 'Utility'): Promise<void>;
  /** Throws an uncaught error in the main process. */
  fault(): Promise<void>;
  /** A person unlocks the key store with its password. */
  unlockKeyStore(): Promise<void>;
  /** Sets the paths of the files that are dropped next, by their names. */
  nameDropped(paths: readonly string[]): Promise<void>;
}

/** Frames whose messages must be refused. */
export type ForeignFrame =
  | 'sub-frame'
  | 'other origin'
  | 'empty address'
  | 'about:blank'
  | 'gone'
  | 'destroyed'
  | 'other window';

/** A request to the double's process, and its answer. */
export type ControlRequest = {
  readonly [Name in keyof DoubleControl]: {
    readonly id: number;
    readonly name: Name;
    readonly args: Parameters<DoubleControl[Name]>;
  };
}[keyof DoubleControl];
export type ControlAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** The Chromium that shows the windows: one of their own, or pages of one that the test has started. */
export type ChromiumChoice =
  | { readonly kind: 'own'; readonly executable: string }
  | { readonly kind: 'shared'; readonly socket: string };

/** The environment variable with the options of a double, as JSON. */
export const OPTIONS_VARIABLE = 'ELECTRON_DOUBLE';
export interface DoubleOptions {
  /** Folder for all system folders of this run. */
  readonly home: string;
  readonly chromium: ChromiumChoice;
  /** Folder of package.json. */
  readonly appPath: string;
  readonly isPackaged: boolean;
  /** Packaged app only: the folder that its installer put the resources in. */
  readonly resourcesPath?: string;
  /** The key store behind safeStorage on Linux; `locked`: it does not answer until the test unlocks it. */
  readonly keyStore: 'keyring' | 'portal' | 'nothing' | 'locked';
  /** Chromium's name for it, which it derives from the desktop's name alone. */
  readonly keyBackend: ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>;
  /** Default: shown. */
  readonly notifications?: 'shown' | 'failing' | 'unsupported';
  /** GNOME without an extension has no place for the icon; Electron creates it all the same. Default: shown. */
  readonly tray?: 'shown' | 'nowhere';
}
