import type { BrowserWindow, MessageBoxOptions, OpenDialogOptions, SaveDialogOptions } from 'electron/main';
import type { ElectronApi } from '../electron-api.ts';

/** A question that the system asks: words that are safe to show, and the answers in their order. */
export interface Question {
  readonly kind: 'question' | 'warning' | 'error';
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** Index of the answer that Enter gives. */
  readonly usual: number;
  /** Index of the answer that Escape and closing give. */
  readonly cancel: number;
}

/** The system's dialogs, above the window while there is one. */
export interface NativeDialogs {
  /** Index of the chosen button. */
  ask(question: Question, signal?: AbortSignal): Promise<number>;
  /** Absolute path of a folder, or undefined when the dialog was left. */
  chooseFolder(): Promise<string | undefined>;
  /** Absolute path for a file to be written; the dialog itself asks before one is replaced. */
  chooseSavePlace(name: string): Promise<string | undefined>;
}

interface Deps {
  readonly dialog: Pick<ElectronApi['dialog'], 'showMessageBox' | 'showOpenDialog' | 'showSaveDialog'>;
  /** The window that dialogs belong to; undefined while there is none, or none that is shown. */
  readonly parent: () => BrowserWindow | undefined;
}

/** The dialogs of the system. `noLink` and the order of buttons are the same on every system. */
export function createNativeDialogs({ dialog, parent }: Deps): NativeDialogs {
  return {
    async ask(question, signal) {
      const options = { ...boxOf(question), ...(signal && { signal }) };
      const window = parent();
      const answer = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
      return answer.response;
    },
    async chooseFolder() {
      const options: OpenDialogOptions = { properties: ['openDirectory', 'dontAddToRecent'] };
      const window = parent();
      const answer = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return answer.canceled ? undefined : answer.filePaths[0];
    },
    async chooseSavePlace(name) {
      const options: SaveDialogOptions = {
        defaultPath: name,
        properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
      };
      const window = parent();
      const answer = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return answer.canceled || answer.filePath === '' ? undefined : answer.filePath;
    },
  };
}

function boxOf({ kind, message, detail, buttons, usual, cancel }: Question): MessageBoxOptions {
  return {
    type: kind,
    message,
    detail,
    buttons: [...buttons],
    defaultId: usual,
    cancelId: cancel,
    noLink: true,
  };
}
