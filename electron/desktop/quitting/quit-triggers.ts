import type { ChoiceStore } from '../choice-store.ts';
import type { MainWindow } from '../window/main-window.ts';
import type { QuitProtocol } from './quit-app.ts';

/** The window as far as its closing matters. `session-end`: Windows. */
export interface ClosableWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'session-end', listener: () => void): unknown;
}

interface Deps {
  readonly window: Pick<MainWindow, 'hide'>;
  readonly choice: Pick<ChoiceStore, 'get' | 'tellOfTray'>;
  readonly quit: Pick<QuitProtocol, 'isEnding' | 'quit'>;
  /** Says once that the app goes on without its window. */
  readonly tellOfTray: () => void;
}

/** Closing the window hides it or ends the app, as a person chose; the protocol of the end closes it for good. */
export function createCloseRule({ window, choice, quit, tellOfTray }: Deps) {
  async function hide(): Promise<void> {
    window.hide();
    if (await choice.tellOfTray()) tellOfTray();
  }

  return (opened: ClosableWindow): void => {
    opened.on('close', (event) => {
      if (quit.isEnding()) return;
      event.preventDefault();
      void (choice.get().closeToTray ? hide() : quit.quit('person'));
    });
    opened.on('session-end', () => void quit.quit('system'));
  };
}

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
