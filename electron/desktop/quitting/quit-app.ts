import { noProgress, type Agent, type Clock, type Logger } from '../../agent/index.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { NativeDialogs, Question } from '../window/native-dialogs.ts';
import { finishing, KEEP_WORKING, quitQuestion, whatIsLeft } from './quit-question.ts';
import type { ChoiceStore } from '../choice-store.ts';
import type { MainWindow } from '../window/main-window.ts';

/** How long the pieces on the line may take to arrive, milliseconds; a piece has 16 MB or more. */
const DRAIN_MS = 10_000;
/** After this a person is shown that it takes a while, and may end it, milliseconds. */
const SHOW_AFTER_MS = 800;
/** How long the orderly stop may take, milliseconds; a hung share or database must not keep the app alive. */
const STOP_MS = 8_000;
/** The same when the system ends: it kills after some five seconds, milliseconds. */
const SYSTEM_STOP_MS = 3_500;

/** How long checking and installing may take until it ends the app, milliseconds; on macOS it unpacks first. */
const INSTALL_MS = 120_000;

/** What ends the app itself in place of the plain exit; when it rejects, the plain exit follows. */
export type LastStep = () => Promise<void>;

/** Who wants the end: a person, who is asked; or the system or a signal, which cannot wait for an answer. */
export type QuitCause = 'person' | 'system';

/** What Electron tells about the end, as much as is used. */
export interface QuitSource {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'window-all-closed', listener: () => void): unknown;
  exit(code: number): void;
}

interface Deps {
  readonly app: QuitSource;
  readonly dialogs: Pick<NativeDialogs, 'ask' | 'offer'>;
  /** True while the page has changes of the settings that end with it. */
  readonly hasUnsavedChanges: () => boolean;
  /** Takes the window away; nobody waits in front of one that does not answer any more. */
  readonly hideWindow: () => void;
  /** Stops everything in reverse order, the agent too. */
  readonly stopAll: () => Promise<void>;
  /** Resolves when the log is on the disk. */
  readonly flushLog: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly say: Say;
}

/** The one way in which the app ends. */
export interface QuitProtocol {
  /**
   * Asks a person where something is left or would be lost, lets what is on the line arrive, stops all, ends. Resolves when a person
   * chose to keep working; else the process is gone. `last` runs after the stop in place of the plain exit.
   */
  quit(cause: QuitCause, last?: LastStep): Promise<void>;
  /** The agent whose work may be left when the app ends; there is none before. */
  followAgent(agent: Pick<Agent, 'drain' | 'progress'>): void;
  /** What is asked for a last step when a person quits: the installer of an update. */
  installAtEnd(lastStep: () => LastStep | undefined): void;
  /** True from the moment on when nothing can keep the app alive any more. */
  isEnding(): boolean;
}

/** Makes the protocol; every way to an end leads through it. */
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

  /** Resolves when the system ends. */
  function untilHurried(): Promise<void> {
    if (hurry.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      hurry.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Until all has arrived, a person has had enough, the time is over, or the system ends. */
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

  /** True when all is stopped in time; there is less of it when the system ends, also when it does so meanwhile. */
  function stopInTime(): Promise<boolean> {
    const stopping = deps.stopAll();
    const hurried = untilHurried().then(() => within(SYSTEM_STOP_MS, stopping));
    return Promise.race([within(STOP_MS, stopping), hurried]);
  }

  /** An installer ends the app itself; one that does not must not leave it behind without a window. */
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
    // The window stays until then: what is shown meanwhile stands above it
    if (!hurry.signal.aborted) await drain();
    deps.hideWindow();
    const isStopped = await stopInTime();
    if (!isStopped) logger.error('The orderly stop took too long; the app ends without it');
    // An installer that began while the system ends would be cut off
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
    // The system may have ended it while a person was asked
    if (state !== 'asking') return;
    if (isMeant) return end(last);
    state = 'working';
    hurry = new AbortController();
  }

  app.on('before-quit', (event) => {
    // Electron would end at once; after the protocol it may
    if (state === 'ended') return;
    event.preventDefault();
    void quit('person');
  });
  // Without a listener Electron ends the app with its last window; uploads go on without one
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

/** The window as far as its closing matters. `session-end`: Windows. */
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
  /** Says once that the app goes on without its window. */
  readonly tellOfTray: () => void;
  readonly say: Say;
}

/** Closing the window hides it or ends the app, as a person chose; the protocol of the end closes it for good. */
export function createCloseRule({ window, choice, dialogs, quit, tellOfTray, logger, say }: TriggerDeps) {
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
