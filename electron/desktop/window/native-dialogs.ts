import type { BrowserWindow, MessageBoxOptions, OpenDialogOptions, SaveDialogOptions } from 'electron/main';
import type { ElectronApi } from '../electron-api.ts';

/** A question for a system dialog: words that are safe to show, and the answers in their order. */
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

/**
 * The system's dialogs. Each is attached to the window, which is brought to front for it: without a visible window,
 * macOS blocks the whole main process, and with it all uploads, until somebody answers.
 */
export interface NativeDialogs {
  /** Index of the chosen button; that of `cancel` where no window can be shown. */
  ask(question: Question, signal?: AbortSignal): Promise<number>;
  /**
   * Asks only if the window is visible now; otherwise waits for the signal and answers `cancel`. Never brings the
   * window up.
   */
  offer(question: Question, signal: AbortSignal): Promise<number>;
  /** Absolute path of a folder, or undefined when the dialog was cancelled. */
  chooseFolder(): Promise<string | undefined>;
  /** Absolute path of the file to write, or undefined when the dialog was cancelled; it asks before one is replaced. */
  chooseSavePlace(name: string): Promise<string | undefined>;
}

interface Deps {
  readonly dialog: Pick<ElectronApi['dialog'], 'showMessageBox' | 'showOpenDialog' | 'showSaveDialog'>;
  /** The visible window; undefined while it is closed or hidden. */
  readonly parent: () => BrowserWindow | undefined;
  /** Brings the window to front; undefined when there can be none yet. */
  readonly front: () => Promise<BrowserWindow | undefined>;
}

/** The dialogs of the system. `noLink` and the order of buttons are the same on every system. */
export function createNativeDialogs({ dialog, parent, front }: Deps): NativeDialogs {
  async function show(window: BrowserWindow, question: Question, signal?: AbortSignal): Promise<number> {
    const options = { ...boxOf(question), ...(signal && { signal }) };
    const { response } = await dialog.showMessageBox(window, options);
    return response;
  }

  return {
    async ask(question, signal) {
      const window = await front();
      if (window === undefined || signal?.aborted === true) return question.cancel;
      return show(window, question, signal);
    },
    async offer(question, signal) {
      const window = parent();
      if (window !== undefined) return show(window, question, signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return question.cancel;
    },
    async chooseFolder() {
      const options: OpenDialogOptions = { properties: ['openDirectory', 'dontAddToRecent'] };
      const window = await front();
      if (window === undefined) return undefined;
      const answer = await dialog.showOpenDialog(window, options);
      return answer.canceled ? undefined : answer.filePaths[0];
    },
    async chooseSavePlace(name) {
      const options: SaveDialogOptions = {
        defaultPath: name,
        properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
      };
      const window = await front();
      if (window === undefined) return undefined;
      const answer = await dialog.showSaveDialog(window, options);
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
