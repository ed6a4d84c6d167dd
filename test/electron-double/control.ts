/** A menu as a person sees it. */
export interface MenuLine {
  readonly label: string;
  readonly type: string;
  readonly isEnabled: boolean;
  readonly isChecked: boolean;
  readonly role: string;
  readonly accelerator: string;
  readonly submenu: readonly MenuLine[];
}

/** The tray's sign. */
export interface TrayFacts {
  readonly toolTip: string;
  readonly menu: readonly MenuLine[];
}

/** A notification of the system, in the order they came. */
export interface NotificationFacts {
  readonly title: string;
  readonly body: string;
}

/** A dialog of the system that the app opened, and waits for until it is answered. */
export interface DialogFacts {
  readonly kind: 'message' | 'open' | 'save';
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** What a person does with a dialog: a button by its words, paths, or nothing (`cancelled`). */
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
  /** Of the window when it is not maximised, pixels. */
  readonly bounds: WindowBounds;
}

/** A place on the screens, pixels. */
export interface WindowBounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the system says to the app about the machine. */
export type PowerEvent =
  | 'suspend'
  | 'resume'
  | 'on-battery'
  | 'on-ac'
  | 'lock-screen'
  | 'unlock-screen'
  | 'shutdown';

/** What the system and a person in front of it do to the app and see of it; by each driver the same. */
export interface SystemControl {
  menu(): Promise<readonly MenuLine[]>;
  /** Chooses an item by the labels on the way to it. */
  clickMenu(labels: readonly string[]): Promise<void>;
  tray(): Promise<TrayFacts | undefined>;
  /** Chooses an item of the tray's menu by what its label begins with. */
  clickTray(label: string): Promise<void>;
  notifications(): Promise<readonly NotificationFacts[]>;
  clickNotification(index: number): Promise<void>;
  /** All dialogs so far, answered ones too. */
  dialogs(): Promise<readonly DialogFacts[]>;
  /** Answers the oldest open dialog, or the next one that opens. */
  answerDialog(answer: DialogAnswer): Promise<void>;
  power(event: PowerEvent): Promise<void>;
  /** The system hands a link of the app's scheme to the running app (macOS). */
  openUrl(url: string): Promise<void>;
  /** Addresses given to the system's browser. */
  openedExternally(): Promise<readonly string[]>;
  /** Files shown in the file manager. */
  revealed(): Promise<readonly string[]>;
  /** Whether the app keeps the machine awake now. */
  isKeptAwake(): Promise<boolean>;
  window(): Promise<WindowFacts>;
  /** Of each window whether it is shown, in the order in which they were made. */
  windowsShown(): Promise<readonly boolean[]>;
  /** As with the window's own close button. */
  closeWindow(): Promise<void>;
  /** As a person moves and sizes it. */
  placeWindow(bounds: WindowBounds): Promise<void>;
  maximizeWindow(): Promise<void>;
  /** Context menus that came up so far. */
  contextMenus(): Promise<readonly (readonly MenuLine[])[]>;
  /** As Windows tells a window that the person signs out or the system ends. */
  endSession(): Promise<void>;
  /** Gives the keyboard to another program. */
  blurWindow(): Promise<void>;
  /** Ends the page's process, as a fault in it does. */
  crashPage(): Promise<void>;
  /** What the window shows, asked through the app: works when the page was made anew. */
  windowText(): Promise<string>;
  /** As the system's own Quit does. */
  quit(): Promise<void>;
}

/** What only the double can do. */
export interface DoubleControl extends SystemControl {
  /** Where Playwright finds the windows; waits for the first one. */
  endpoint(): Promise<string>;
  /** A second start, as the first one hears of it. */
  secondInstance(args: readonly string[], workingDir: string): Promise<void>;
  /** A message that claims to come from another frame; answers what that frame would be told. */
  askAs(frame: ForeignFrame, channel: string, args: readonly unknown[]): Promise<string>;
  /** As from the task bar. */
  minimizeWindow(): Promise<void>;
  /** The window's page answers no input any more; `false`: it does again. */
  hangPage(isHung: boolean): Promise<void>;
  /** Ends a process of Chromium beside the pages, as a fault in a driver does. */
  loseProcess(type: 'GPU' | 'Utility'): Promise<void>;
  /** An error in the main process that nothing catches. */
  fault(): Promise<void>;
  /** A person gives the key store its password. */
  unlockKeyStore(): Promise<void>;
  /** The paths of the files that are dropped next, by their names. */
  nameDropped(paths: readonly string[]): Promise<void>;
}

/** Frames that no message may come from. */
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

/** How a double is started: JSON in this environment variable. */
export const OPTIONS_VARIABLE = 'ELECTRON_DOUBLE';
export interface DoubleOptions {
  /** Folder in which all of the system's folders of this run lie. */
  readonly home: string;
  readonly chromium: ChromiumChoice;
  /** Folder of package.json. */
  readonly appPath: string;
  readonly isPackaged: boolean;
  /** Of a packaged app: where its installer put what lies beside it. */
  readonly resourcesPath?: string;
  /** What answers behind safeStorage on Linux; `locked`: nothing does until the test unlocks it. */
  readonly keyStore: 'keyring' | 'portal' | 'nothing' | 'locked';
  /** What Chromium calls it, after the name of the desktop alone. */
  readonly keyBackend: ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>;
  /** Default: shown. */
  readonly notifications?: 'shown' | 'failing' | 'unsupported';
  /** GNOME without an extension has no place for the icon; Electron makes it all the same. Default: shown. */
  readonly tray?: 'shown' | 'nowhere';
}
