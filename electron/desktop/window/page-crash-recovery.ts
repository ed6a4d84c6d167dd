import type { BrowserWindow } from 'electron/main';
import type { Clock, Logger } from '../../agent/index.ts';
import type { Mishaps } from '../mishaps.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { NativeDialogs, Question } from './native-dialogs.ts';

const FIRST = 0;

interface Deps {
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Told of each crash and each hang. */
  readonly mishaps: Pick<Mishaps, 'count'>;
  readonly onGiveUp: () => void;
  readonly say: Say;
}

/** Loads the page again when it crashed, and asks a person when it does so again and again or hangs. */
export function recoverCrashedPage(
  window: Pick<BrowserWindow, 'on' | 'once' | 'webContents' | 'isDestroyed'>,
  { dialogs, clock, logger, mishaps, onGiveUp, say }: Deps,
): void {
  let reloads: readonly number[] = [];

  async function onCrash(): Promise<void> {
    const next = nextReloads(reloads, clock.monotonic());
    if (next === undefined) {
      const answer = await dialogs.ask(crashesAgain(say));
      if (answer !== FIRST) return onGiveUp();
      reloads = [clock.monotonic()];
    } else {
      reloads = next;
    }
    if (!window.isDestroyed()) window.webContents.reload();
  }

  async function onHang(answering: AbortSignal): Promise<void> {
    const answer = await dialogs.ask(hangs(say), answering);
    if (answering.aborted || answer === FIRST || window.isDestroyed()) return;
    // Its end comes back as a crash, which loads the page again
    window.webContents.forcefullyCrashRenderer();
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    logger.error('The page ended', { reason, exitCode });
    if (reason === 'clean-exit') return;
    mishaps.count('page');
    onCrash().catch((error: unknown) => logger.error('The page could not be loaded again', { error }));
  });
  window.on('unresponsive', () => {
    logger.warn('The page is not responding');
    mishaps.count('hang');
    const answering = new AbortController();
    window.once('responsive', () => answering.abort());
    onHang(answering.signal).catch((error: unknown) => {
      if (!answering.signal.aborted) logger.error('The question about the page failed', { error });
    });
  });
}

const crashesAgain = (say: Say): Question => ({
  kind: 'error',
  message: say('fault.crashes'),
  detail: say('fault.crashesText'),
  buttons: [say('fault.reload'), say('quit.quit')],
  usual: FIRST,
  cancel: FIRST,
});

const hangs = (say: Say): Question => ({
  kind: 'warning',
  message: say('fault.hangs'),
  detail: say('fault.hangsText'),
  buttons: [say('fault.wait'), say('fault.reload')],
  usual: FIRST,
  cancel: FIRST,
});

/** A page that crashes this often in this time will do so again. */
const MOST_RELOADS = 5;

const WITHIN_MS = 10 * 60_000;

/** The times of the reloads that count, with this one; undefined when it would be one too many. Milliseconds. */
export function nextReloads(earlier: readonly number[], nowMs: number): readonly number[] | undefined {
  const counting = earlier.filter((atMs) => nowMs - atMs < WITHIN_MS);
  return counting.length < MOST_RELOADS ? [...counting, nowMs] : undefined;
}
