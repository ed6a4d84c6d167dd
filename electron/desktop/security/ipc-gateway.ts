import type { IpcMainInvokeEvent, WebContents } from 'electron/main';
import type { Failure } from '../../../shared/domain/failure.ts';
import { channels } from '../../../shared/ipc/channels.ts';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import { err } from '../../../shared/lib/result.ts';
import type { Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import { pageGone } from './agent-calls.ts';
import { APP_ORIGIN, isOwnAddress } from './app-protocol.ts';

/** Largest call, characters, as in the console; a settings file or a message with its image address is far smaller. */
const MAX_CALL_LENGTH = 1024 * 1024;
/** Largest command, characters: a list or a bundle that is saved (`saveText`). */
const MAX_ORDER_LENGTH = 51_000_000;
/** Calls that the agent handles at a time, as in the console; a page that loads makes about ten at once. */
const CALLS = { atOnce: 16, waiting: 256 };
/** Commands handled at a time: a person gives them one by one, and dialogs stay open for long. */
const ORDERS = { atOnce: 8, waiting: 8 };

/** The page that is in the window now. */
export interface CurrentPage {
  contents(): WebContents | undefined;
  /** Aborted when that page is gone. */
  gone(): AbortSignal;
}

/** Handlers of calls and commands; neither rejects, whatever came in. */
export interface Answers {
  call(request: unknown, gone: AbortSignal): Promise<CallReply>;
  order(request: unknown): Promise<CallReply>;
}

interface Deps {
  readonly electron: Pick<ElectronApi, 'ipcMain'>;
  readonly page: CurrentPage;
  readonly answers: Answers;
  readonly logger: Logger;
}

/** One channel with its limits and handler. */
interface Door {
  readonly channel: string;
  readonly maxLength: number;
  readonly semaphore: Semaphore;
  readonly answer: (request: unknown) => Promise<CallReply>;
}

/** The only IPC handlers of the main process: calls and commands of our own page, up to a limited size. */
export function openIpcGateway({ electron: { ipcMain }, page, answers, logger }: Deps): { close(): void } {
  function open({ channel, maxLength, semaphore, answer }: Door): void {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, request: unknown): Promise<CallReply> => {
      const sender = readSender(event, page.contents());
      if (!isOwnSender(sender)) {
        logger.warn('A message from a foreign sender was refused', { channel, ...sender });
        throw new Error('Refused');
      }
      const measure = measureData(request, maxLength);
      if (measure !== 'fits') return err(refusedData(measure));
      return semaphore.run(() => answer(request)) ?? err(tooMany);
    });
  }

  open({
    channel: channels.call,
    maxLength: MAX_CALL_LENGTH,
    semaphore: createSemaphore(CALLS),
    answer(request) {
      const gone = page.gone();
      return gone.aborted ? Promise.resolve(err(pageGone)) : answers.call(request, gone);
    },
  });
  open({
    channel: channels.order,
    maxLength: MAX_ORDER_LENGTH,
    semaphore: createSemaphore(ORDERS),
    answer: answers.order,
  });
  return {
    close() {
      for (const channel of [channels.call, channels.order]) ipcMain.removeHandler(channel);
    },
  };
}

const refusedData = (measure: 'too large' | 'no plain data'): Failure => ({
  code: 'CALL_INPUT',
  message: measure === 'too large' ? 'The request is too large.' : 'The request is not valid.',
  advice:
    measure === 'too large'
      ? 'Try again with fewer items or shorter text.'
      : 'Restart the app and try again.',
  retryable: false,
});

const tooMany: Failure = {
  code: 'CALL_FAULT',
  message: 'There were too many requests at once.',
  advice: 'Try again in a moment.',
  retryable: true,
};

/** Who sent a message, as Electron reports it. */
export interface SenderFacts {
  /** False for any window except the app's main window. */
  readonly isOwnWindow: boolean;
  readonly isMainFrame: boolean;
  /** The frame was removed or detached since it sent the message. */
  readonly isGone: boolean;
  readonly url: string;
  readonly origin: string;
}

/** Whether a message is accepted: only from the main frame of our own window, showing one of our pages. */
export function isOwnSender(facts: SenderFacts): boolean {
  const { isOwnWindow, isMainFrame, isGone, url, origin } = facts;
  return isOwnWindow && isMainFrame && !isGone && origin === APP_ORIGIN && isOwnAddress(url);
}

/** The sender of a message, compared with the contents of our window. */
export function readSender(
  { sender, senderFrame: frame }: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  own: WebContents | undefined,
): SenderFacts {
  const isOwnWindow = own !== undefined && sender === own;
  if (frame === null || frame.isDestroyed() || frame.detached)
    return { isOwnWindow, isMainFrame: false, isGone: true, url: '', origin: '' };
  const isMainFrame = frame.parent === null && frame === sender.mainFrame;
  return { isOwnWindow, isMainFrame, isGone: false, url: frame.url, origin: frame.origin };
}

/** Whether a message can be passed on. */
type Measure = 'fits' | 'too large' | 'no plain data';

/** Deepest nesting that is accepted; the contract has six levels. */
const DEEPEST = 16;

/** Cost of each value besides its text, characters, so that a million empty lists are not free. */
const COST_OF_VALUE = 4;

/**
 * Whether a value from the bridge is plain data (what JSON can express, and `undefined`) of at most `limit` characters.
 * Stops at the limit; cycles end at the maximum depth.
 */
export function measureData(value: unknown, limit: number): Measure {
  let left = limit;

  /** The problem with a value, or undefined. */
  function take(each: unknown, depth: number): Exclude<Measure, 'fits'> | undefined {
    left -= COST_OF_VALUE;
    if (typeof each === 'string') left -= each.length;
    if (left < 0) return 'too large';
    if (each === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof each)) return undefined;
    if (typeof each !== 'object' || depth >= DEEPEST) return 'no plain data';
    return Array.isArray(each) ? takeAll(each, depth) : takeObject(each, depth);
  }

  function takeAll(values: readonly unknown[], depth: number): Exclude<Measure, 'fits'> | undefined {
    for (const each of values) {
      const problem = take(each, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  function takeObject(object: object, depth: number): Exclude<Measure, 'fits'> | undefined {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return 'no plain data';
    for (const [name, each] of Object.entries(object)) {
      left -= name.length;
      const problem = take(each, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  return take(value, 0) ?? 'fits';
}

/** Runs a limited number of tasks at a time and lets a limited number wait, in order of arrival. */
interface Semaphore {
  /** Runs the task when there is room for it; undefined when too many are already waiting. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined;
}

export function createSemaphore(limits: { readonly atOnce: number; readonly waiting: number }): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function runNow<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place goes to the next in line, so that no newcomer gets ahead of it
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    run(task) {
      if (running < limits.atOnce) {
        running += 1;
        return runNow(task);
      }
      if (waiting.length >= limits.waiting) return undefined;
      return new Promise<void>((resolve) => void waiting.push(resolve)).then(() => runNow(task));
    },
  };
}
