import type { IpcMainInvokeEvent, WebContents } from 'electron/main';
import type { Failure } from '../../../shared/domain/failure.ts';
import { channels } from '../../../shared/ipc/channels.ts';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import { err } from '../../../shared/lib/result.ts';
import type { Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import { isOwnSender, readSender } from './ipc-sender.ts';
import { measureData } from './measure-data.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Largest call, characters: as in the console. A settings file or a message with its image address is far below. */
const MAX_CALL_LENGTH = 1024 * 1024;
/** Largest order, characters: a list or a bundle that is saved (`saveText`). */
const MAX_ORDER_LENGTH = 51_000_000;
/** Calls that the agent works on at a time, as in the console; a page that loads asks some ten things at once. */
const CALLS = { atOnce: 16, waiting: 256 };
/** Orders at a time: a person gives one after the other, and dialogs stay open for long. */
const ORDERS = { atOnce: 8, waiting: 8 };

/** The page that is in the window now. */
export interface CurrentPage {
  contents(): WebContents | undefined;
  /** Aborted when that page is gone. */
  gone(): AbortSignal;
}

/** What answers; both never reject, whatever came in. */
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

/** One way in. */
interface Door {
  readonly channel: string;
  readonly maxLength: number;
  readonly semaphore: Semaphore;
  readonly answer: (request: unknown) => Promise<CallReply>;
}

/** The only ears of the main process: calls and orders of our own page, of sizes that it has any use for. */
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
      return gone.aborted ? Promise.resolve(err(tooMany)) : answers.call(request, gone);
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
  message: measure === 'too large' ? 'The request is too large.' : 'The request is no plain data.',
  advice: 'Close the window and open it again.',
  retryable: false,
});

const tooMany: Failure = {
  code: 'CALL_FAULT',
  message: 'Too many requests at once.',
  advice: 'Try again in a moment.',
  retryable: true,
};
