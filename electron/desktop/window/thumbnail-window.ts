import type { BrowserWindow } from 'electron/main';
import type { NoThumbnailReason, ThumbnailAnswer } from '../../../shared/domain/thumbnail-answer.ts';
import { THUMBNAIL_DEADLINE_MS } from '../../../shared/domain/thumbnail-limits.ts';
import type { ClipSource, Clock, Logger, ThumbnailMaker } from '../../agent/index.ts';
import type { AnswerPage } from '../security/app-protocol.ts';
import { APP_SCHEME } from '../security/app-protocol.ts';
import type { ElectronApi } from '../electron-api.ts';
import { guardSession } from '../security/guards.ts';
import type { OpenWindow } from './open-window.ts';
import { createThumbnailProtocol } from './thumbnail-protocol.ts';

/** A session in memory that no other window shares. */
const PARTITION = 'thumbnails';
/** The page ends by itself before; later it hangs, milliseconds. */
const HUNG_AFTER_MS = THUMBNAIL_DEADLINE_MS + 5_000;
/** After so long without a clip its process is ended, milliseconds. */
const IDLE_MS = 60_000;
/** Crashes in a row after which none is tried until the next start: the decoder itself fails here. */
const MAX_CRASHES = 3;

interface Deps {
  readonly electron: Pick<ElectronApi, 'session'>;
  readonly openWindow: OpenWindow;
  /** Answers for the built pages. */
  readonly answerPage: AnswerPage;
  readonly isPackaged: boolean;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
}

/** The maker of pictures with a hidden window of its own, where foreign files are decoded. */
export interface ThumbnailWindow extends ThumbnailMaker {
  /** Ends the window for good. */
  stop(): void;
}

type Ending = 'crash' | 'deadline';

/** Makes it; nothing is opened before the first clip. */
export function createThumbnailWindow(deps: Deps): ThumbnailWindow {
  const { electron, openWindow, clock, logger } = deps;
  const protocol = createThumbnailProtocol(deps.answerPage);
  let isGuarded = false;
  let current: BrowserWindow | undefined;
  let idling: AbortController | undefined;
  let crashes = 0;

  /** Once: a session lives as long as the program. */
  function guard(): void {
    if (isGuarded) return;
    isGuarded = true;
    const session = electron.session.fromPartition(PARTITION);
    guardSession(session, deps);
    session.protocol.handle(APP_SCHEME, protocol.answer);
  }

  function open(): BrowserWindow {
    guard();
    const looks = { show: false, width: 640, height: 360, skipTaskbar: true };
    const window = current ?? openWindow(looks, { partition: PARTITION });
    if (current === undefined)
      window.once('closed', () => {
        if (current === window) current = undefined;
      });
    current = window;
    return window;
  }

  function close(): void {
    idling?.abort();
    const ending = current;
    current = undefined;
    if (ending?.isDestroyed() === false) ending.destroy();
  }

  function closeWhenIdle(): void {
    const mine = new AbortController();
    idling = mine;
    clock.sleep(IDLE_MS, mine.signal).then(close, () => undefined);
  }

  function endBadly(ending: Ending): ThumbnailAnswer {
    close();
    crashes += 1;
    logger.warn('The window that makes pictures ended badly; it is made anew', { ending, inARow: crashes });
    if (crashes === MAX_CRASHES) logger.error('No more pictures are made until the next start', { crashes });
    return none(ending);
  }

  async function make(source: ClipSource, signal: AbortSignal): Promise<ThumbnailAnswer> {
    signal.throwIfAborted();
    if (crashes >= MAX_CRASHES) return none('off');
    idling?.abort();
    const window = open();
    const offer = protocol.offer(source);
    const over = new AbortController();
    try {
      const outcome = await Promise.race([
        offer.answered,
        badEnd(window, offer.address, over.signal),
        clock.sleep(HUNG_AFTER_MS, over.signal).then((): Ending => 'deadline'),
        rejectedBy(signal, over.signal),
      ]);
      if (typeof outcome === 'string') return endBadly(outcome);
      crashes = 0;
      return outcome;
    } catch (error) {
      // What it still reads or decodes is of no use
      close();
      throw error;
    } finally {
      offer.end();
      over.abort();
      if (current !== undefined) closeWhenIdle();
    }
  }

  return { make, stop: close };
}

/** Loads the page; resolves when it crashes, is closed or cannot be loaded, and never otherwise. */
function badEnd(window: BrowserWindow, address: string, over: AbortSignal): Promise<Ending> {
  return new Promise((resolve) => {
    const crashed = (): void => resolve('crash');
    window.webContents.on('render-process-gone', crashed);
    window.on('closed', crashed);
    over.addEventListener(
      'abort',
      () => {
        window.off('closed', crashed);
        if (!window.isDestroyed()) window.webContents.off('render-process-gone', crashed);
      },
      { once: true },
    );
    window.loadURL(address).catch(crashed);
  });
}

function rejectedBy(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });
}

function none(reason: NoThumbnailReason): ThumbnailAnswer {
  return { kind: 'none', reason };
}
