import { EventEmitter } from 'node:events';
import type { DialogAnswer, DialogFacts, DoubleOptions, NotificationFacts } from './control.ts';
import { preventable, strict, strictClass } from './strict.ts';

/** Exit code for an internal software error (sysexits.h). */
const EXIT_SOFTWARE = 70;

export interface DoubleDialogs {
  readonly dialog: Electron.Dialog;
  readonly Notification: typeof Electron.Notification;
  readonly asked: () => readonly DialogFacts[];
  readonly answer: (answer: DialogAnswer) => void;
  readonly notifications: () => readonly NotificationFacts[];
  readonly clickNotification: (index: number) => void;
}

/**
 * On macOS a message box without a window, or on top of an invisible one, blocks the whole main process until somebody
 * answers it, and `signal` cannot close it. An app that does this has hung: here it ends, whichever system runs the
 * test.
 */
function refuseBlocking(args: readonly unknown[]): void {
  const [parent] = args as readonly [Electron.BaseWindow];
  if (args.length > 1 && parent.isVisible() && !parent.isMinimized()) return;
  const { title, message } = args.at(-1) as Electron.MessageBoxOptions;
  endHung(`"${message ?? title ?? 'a dialog'}" has no window that is seen`);
}

function endHung(why: string): never {
  process.stderr.write(`electron-double: the main process would hang: ${why}\n`);
  process.exit(EXIT_SOFTWARE);
}

export function createDialogs({ notifications }: Pick<DoubleOptions, 'notifications'>): DoubleDialogs {
  const asked: DialogFacts[] = [];
  const open: ((answer: DialogAnswer) => void)[] = [];
  const answers: DialogAnswer[] = [];
  const shown: { readonly facts: NotificationFacts; readonly events: EventEmitter }[] = [];

  /** `signal` closes it, like its own cancel button. */
  function ask(facts: DialogFacts, signal?: AbortSignal): Promise<DialogAnswer> {
    asked.push(facts);
    const given = answers.shift();
    if (given !== undefined) return Promise.resolve(given);
    return new Promise((resolve) => {
      open.push(resolve);
      signal?.addEventListener('abort', () => {
        if (open.includes(resolve)) open.splice(open.indexOf(resolve), 1);
        resolve({ kind: 'cancelled' });
      });
    });
  }

  // A window may come before the options.
  async function showMessageBox(...args: readonly unknown[]): Promise<Electron.MessageBoxReturnValue> {
    refuseBlocking(args);
    const {
      message,
      detail = '',
      buttons = [],
      cancelId = 0,
      signal,
    } = args.at(-1) as Electron.MessageBoxOptions;
    const answer = await ask({ kind: 'message', message, detail, buttons }, signal);
    if (answer.kind !== 'button') return { response: cancelId, checkboxChecked: false };
    const response = buttons.findIndex((button) => button.replaceAll('&', '') === answer.button);
    if (response === -1)
      throw new Error(`The dialog "${message}" has no button "${answer.button}": ${buttons.join(' | ')}`);
    return { response, checkboxChecked: false };
  }
  async function showOpenDialog(...args: readonly unknown[]): Promise<Electron.OpenDialogReturnValue> {
    refuseBlocking(args);
    const { title = '', message = '' } = args.at(-1) as Electron.OpenDialogOptions;
    const answer = await ask({ kind: 'open', message: title, detail: message, buttons: [] });
    const filePaths = answer.kind === 'paths' ? [...answer.paths] : [];
    return { canceled: filePaths.length === 0, filePaths };
  }
  async function showSaveDialog(...args: readonly unknown[]): Promise<Electron.SaveDialogReturnValue> {
    refuseBlocking(args);
    const { title = '', defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions;
    const answer = await ask({ kind: 'save', message: title, detail: defaultPath, buttons: [] });
    const [filePath = ''] = answer.kind === 'paths' ? answer.paths : [];
    return { canceled: filePath === '', filePath };
  }

  function makeNotification(options: Electron.NotificationConstructorOptions = {}): Electron.Notification {
    const events = new EventEmitter();
    const facts = { title: options.title ?? '', body: options.body ?? '' };
    return strict<Electron.Notification>(
      'Notification',
      {
        ...facts,
        show() {
          if (notifications === 'failing')
            return void setImmediate(() => events.emit('failed', preventable({}), 'not allowed'));
          shown.push({ facts, events });
          events.emit('show', preventable({}));
        },
        close: () => void events.emit('close', preventable({})),
      },
      events,
    );
  }
  return {
    dialog: strict<Electron.Dialog>('dialog', {
      showMessageBox,
      showOpenDialog,
      showSaveDialog,
      showErrorBox: (message) => endHung(`the error box "${message}" waits for somebody`),
    }),
    Notification: strictClass<typeof Electron.Notification>('Notification', makeNotification, {
      isSupported: () => notifications !== 'unsupported',
    }),
    asked: () => asked,
    answer(answer) {
      const waiting = open.shift();
      if (waiting === undefined) answers.push(answer);
      else waiting(answer);
    },
    notifications: () => shown.map(({ facts }) => facts),
    clickNotification(index) {
      const found = shown[index];
      if (found === undefined) throw new Error(`There are ${shown.length} notifications.`);
      found.events.emit('click', preventable({}));
    },
  };
}
