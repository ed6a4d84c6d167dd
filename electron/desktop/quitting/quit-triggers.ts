import type { ChoiceStore } from '../choice-store.ts';
import type { MainWindow } from '../window/main-window.ts';
import type { Logger } from '../../agent/index.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { NativeDialogs, Question } from '../window/native-dialogs.ts';
import type { QuitProtocol } from './quit-app.ts';

/** The window as far as its closing matters. `session-end`: Windows. */
export interface ClosableWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'session-end', listener: () => void): unknown;
}

interface Deps {
  readonly window: Pick<MainWindow, 'hide'>;
  readonly choice: Pick<ChoiceStore, 'get' | 'mustAskOfClosing' | 'set' | 'tellOfTray'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly quit: Pick<QuitProtocol, 'isEnding' | 'quit'>;
  /** Says once that the app goes on without its window. */
  readonly tellOfTray: () => void;
  readonly say: Say;
}

/** Closing the window hides it or ends the app, as a person chose; the protocol of the end closes it for good. */
export function createCloseRule({ window, choice, dialogs, quit, tellOfTray, logger, say }: Deps) {
  let isAsking = false;

  async function hide(): Promise<void> {
    window.hide();
    if (await choice.tellOfTray()) tellOfTray();
  }

  /** Once: without a tray a person has to know how the window comes back before it is gone. */
  async function askFirst(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      const closeToTray = (await dialogs.ask(whatClosingDoes(say))) === GO_ON;
      await choice
        .set({ closeToTray })
        .catch((error: unknown) => logger.warn('What closing the window does could not be kept', { error }));
      await (closeToTray ? hide() : quit.quit('person'));
    } finally {
      isAsking = false;
    }
  }

  async function close(): Promise<void> {
    if (choice.mustAskOfClosing()) return askFirst();
    return choice.get().closeToTray ? hide() : quit.quit('person');
  }

  return (opened: ClosableWindow): void => {
    opened.on('close', (event) => {
      if (quit.isEnding()) return;
      event.preventDefault();
      close().catch((error: unknown) => logger.warn('The window could not be closed as chosen', { error }));
    });
    opened.on('session-end', () => void quit.quit('system'));
  };
}

const GO_ON = 0;

const whatClosingDoes = (say: Say): Question => ({
  kind: 'question',
  message: say('quit.closing'),
  detail: say('quit.closingText'),
  buttons: [say('quit.keepSending'), say('quit.quit')],
  usual: GO_ON,
  cancel: GO_ON,
});

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What tells that the system ends, as much as is used. `shutdown`: Linux and macOS. */
interface SystemEndSource {
  readonly powerMonitor: {
    on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
  };
  readonly process: { on(signal: (typeof SIGNALS)[number], listener: () => void): unknown };
}

/** Ends in order when the system does. The queue is on the disk with every step, so the system is never held up for long. */
export function followSystemEnd(
  { powerMonitor, process }: SystemEndSource,
  quit: Pick<QuitProtocol, 'quit'>,
): void {
  const end = (): void => void quit.quit('system');
  powerMonitor.on('shutdown', (event) => {
    // Asks the system to wait until the app is gone
    event?.preventDefault();
    end();
  });
  for (const signal of SIGNALS) process.on(signal, end);
}
