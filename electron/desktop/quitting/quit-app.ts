import { noProgress, type Agent, type Clock, type Logger } from '../../agent/index.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { NativeDialogs, Question } from '../window/native-dialogs.ts';
import { finishing, KEEP_WORKING, quitQuestion, whatIsLeft } from './quit-question.ts';
import type { ChoiceStore } from '../choice-store.ts';
import type { MainWindow } from '../window/main-window.ts';

/** How long parts that are being sent may take to arrive, milliseconds; a part has 16 MB or more. */
const DRAIN_MS = 10_000;
/** After this a person sees that quitting takes a while and may skip the wait, milliseconds. */
const SHOW_AFTER_MS = 800;
/** How long the orderly stop may take, milliseconds; a hung share or database must not keep the app alive. */
const STOP_MS = 8_000;
/** The same when the system shuts down: it kills programs after some five seconds, milliseconds. */
const SYSTEM_STOP_MS = 3_500;

/**
 * How long verifying and installing may take until the installer ends the app, milliseconds; on macOS it unpacks first.
 */
const INSTALL_MS = 120_000;

/** Ends the app itself instead of the plain exit; if it rejects, the plain exit follows. */
export type LastStep = () => Promise<void>;

/**
 * Who asked to quit: a person, who may be asked to confirm; or the system or a signal, which cannot wait for an answer.
 */
export type QuitCause = 'person' | 'system';

/** The part of Electron's quitting API that is used. */
export interface QuitSource {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'window-all-closed', listener: () => void): unknown;
  exit(code: number): void;
}

interface Deps {
  readonly app: QuitSource;
  readonly dialogs: Pick<NativeDialogs, 'ask' | 'offer'>;
  /** True while the page has unsaved changes to the settings, which quitting would lose. */
  readonly hasUnsavedChanges: () => boolean;
  /** Hides the window, so that nobody sits in front of one that no longer responds. */
  readonly hideWindow: () => void;
  /** Stops everything in reverse order, including the agent. */
  readonly stopAll: () => Promise<void>;
  /** Resolves when the log is on the disk. */
  readonly flushLog: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly say: Say;
}

/** The only way the app ends. */
export interface QuitProtocol {
  /**
   * Asks a person if something is unsent or would be lost, lets what is being sent arrive, stops everything and exits.
   * Resolves when the person chose to keep working; otherwise the process is gone. `last` runs after the stop instead
   * of the plain exit.
   */
  quit(cause: QuitCause, last?: LastStep): Promise<void>;
  /** Sets the agent whose work may be unfinished when the app ends; there is none before. */
  followAgent(agent: Pick<Agent, 'drain' | 'progress'>): void;
  /** Sets where the last step comes from when `quit` gets none: the installer of an update. */
  installAtEnd(lastStep: () => LastStep | undefined): void;
  /** True once nothing can keep the app alive any more. */
  isEnding(): boolean;
}

/** Creates the protocol; every way to quit goes through it. */
export function createQuitProtocol(deps: Deps): QuitProtocol {
  const { app, dialogs, clock, logger, say } = deps;
  let agent: Pick<Agent, 'drain' | 'progress'> | undefined;
  let lastStep = (): LastStep | undefined => undefined;
  let state: 'working' | 'asking' | 'ending' | 'ended' = 'working';
  let hurry = new AbortController();

  /** True when `work` ended in time. */
  async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
    const timer = new AbortController();
    const late = clock.sleep(limitMs, timer.signal).then(
      () => false,
      () => false,
    );
    const done = work.then(
      () => true,
      (error: unknown) => {
        logger.error('A step of quitting failed', { error });
        return true;
      },
    );
    try {
      return await Promise.race([done, late]);
    } finally {
      timer.abort();
    }
  }

  async function mayQuit(): Promise<boolean> {
    const left = whatIsLeft(agent?.progress() ?? noProgress);
    const question = quitQuestion({ left, losesChanges: deps.hasUnsavedChanges() }, say);
    if (question === undefined) return true;
    const answer = await dialogs.ask(question, hurry.signal);
    return answer !== KEEP_WORKING;
  }

  /** Resolves when the system shuts down. */
  function untilHurried(): Promise<void> {
    if (hurry.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      hurry.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Waits until everything has arrived, a person skips the wait, the time is up, or the system shuts down. */
  async function drain(): Promise<void> {
    const over = new AbortController();
    const hurried = untilHurried();
    const showing = clock
      .sleep(SHOW_AFTER_MS, over.signal)
      .then(() => dialogs.offer(finishing(say), over.signal))
      .catch(() => new Promise<void>(() => undefined));
    await within(DRAIN_MS, Promise.race([agent?.drain(), showing, hurried]));
    over.abort();
  }

  /**
   * Returns whether everything stopped in time. There is less time when the system shuts down, even if that begins
   * meanwhile.
   */
  function stopInTime(): Promise<boolean> {
    const stopping = deps.stopAll();
    const hurried = untilHurried().then(() => within(SYSTEM_STOP_MS, stopping));
    return Promise.race([within(STOP_MS, stopping), hurried]);
  }

  /** An installer ends the app itself; if it does not, the app must not stay running without a window. */
  function run(step: LastStep): void {
    void clock.sleep(INSTALL_MS).then(() => app.exit(0));
    step().catch(async (error: unknown) => {
      logger.error('The last step of quitting failed', { error });
      await deps.flushLog();
      app.exit(0);
    });
  }

  async function end(last: LastStep | undefined): Promise<void> {
    state = 'ending';
    // The window stays visible until then: dialogs are attached to it
    if (!hurry.signal.aborted) await drain();
    deps.hideWindow();
    const isStopped = await stopInTime();
    if (!isStopped) logger.error('The orderly stop took too long; the app ends without it');
    // An installer that starts during a shutdown would be cut off
    const step = hurry.signal.aborted ? undefined : (last ?? lastStep());
    state = 'ended';
    if (step === undefined) app.exit(0);
    else run(step);
  }

  async function quit(cause: QuitCause, last?: LastStep): Promise<void> {
    if (cause === 'system') hurry.abort();
    if (state === 'ending' || state === 'ended' || (state === 'asking' && cause === 'person')) return;
    logger.info('The app was asked to quit', { cause });
    if (cause === 'system') return end(last);
    state = 'asking';
    const isMeant = await mayQuit().catch((error: unknown) => {
      logger.error('The question before quitting failed', { error });
      return true;
    });
    // The system may have ended the app while the question was open
    if (state !== 'asking') return;
    if (isMeant) return end(last);
    state = 'working';
    hurry = new AbortController();
  }

  app.on('before-quit', (event) => {
    // Electron would exit immediately; it may once the protocol is done
    if (state === 'ended') return;
    event.preventDefault();
    void quit('person');
  });
  // Without a listener Electron ends the app with its last window; uploads continue without one
  app.on('window-all-closed', () => undefined);
  return {
    quit,
    followAgent(followed) {
      agent = followed;
    },
    installAtEnd(step) {
      lastStep = step;
    },
    isEnding: () => state === 'ending' || state === 'ended',
  };
}

/** The window events that matter for closing. `session-end`: Windows. */
interface ClosableWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'session-end', listener: () => void): unknown;
}

interface TriggerDeps {
  readonly window: Pick<MainWindow, 'hide'>;
  readonly choice: Pick<ChoiceStore, 'get' | 'mustAskOfClosing' | 'set' | 'tellOfTray'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly quit: Pick<QuitProtocol, 'isEnding' | 'quit'>;
  /** Shows the one-time notice that the app keeps running without its window. */
  readonly tellOfTray: () => void;
  readonly say: Say;
}

/** Makes closing the window hide it or quit, as a person chose; while quitting, it closes for good. */
export function createCloseRule({ window, choice, dialogs, quit, tellOfTray, logger, say }: TriggerDeps) {
  let isAsking = false;

  async function hide(): Promise<void> {
    window.hide();
    if (await choice.tellOfTray()) tellOfTray();
  }

  /** Asks once: without a tray, a person has to know how to get the window back before it is hidden. */
  async function askFirst(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      const closeToTray = (await dialogs.ask(whatClosingDoes(say))) === GO_ON;
      await choice
        .set({ closeToTray })
        .catch((error: unknown) =>
          logger.warn('The choice for closing the window could not be saved', { error }),
        );
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

/** The shutdown events that are used. `shutdown`: Linux and macOS. */
interface SystemEndSource {
  readonly powerMonitor: {
    on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
  };
  readonly process: { on(signal: (typeof SIGNALS)[number], listener: () => void): unknown };
}

/**
 * Quits in order when the system shuts down. Every step of the queue is on disk, so the system is not held up for long.
 */
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
