import type { BrowserWindow } from 'electron/main';
import type { DesktopDiagnosis } from '../../shared/ipc/desktop.ts';
import type { Say } from '../../shared/words/native-words.ts';
import type { Clock, Logger } from '../agent/index.ts';
import { readChoicesNow, type ChoiceStore } from './choice-store.ts';
import type { ElectronApi } from './electron-api.ts';
import { lastSelfTest } from './self-test/self-test.ts';
import type { NativeDialogs, Question } from './window/native-dialogs.ts';

/** Counts what went wrong with the app's own processes since it started; shown in Health. */
export interface CrashCounts {
  count(kind: CrashKind): void;
  /** What Health shows about the app itself. */
  diagnosis(facts: Facts): Promise<DesktopDiagnosis>;
}

/** The page crashed or hung, the graphics process or another one ended. */
export type CrashKind = 'page' | 'hang' | 'gpu' | 'process';

interface Facts extends Pick<DesktopDiagnosis, 'isGpuUsed' | 'hasTray'> {
  /** Consecutive faults before this start. */
  readonly faults: number;
  /** The account's folder, which has the result of the last self-test. */
  readonly folder: string;
}

/** Creates the counters. */
export function createCrashCounts(): CrashCounts {
  const counts: Record<CrashKind, number> = { page: 0, hang: 0, gpu: 0, process: 0 };
  return {
    count: (kind) => void (counts[kind] += 1),
    async diagnosis({ isGpuUsed, hasTray, faults, folder }) {
      const selfTest = await lastSelfTest(folder);
      const { electron, chrome } = process.versions;
      return {
        ...(electron !== undefined && { runtime: `Electron ${electron}, Chromium ${chrome}` }),
        isGpuUsed,
        hasTray,
        pageCrashes: counts.page,
        pageHangs: counts.hang,
        gpuCrashes: counts.gpu,
        processCrashes: counts.process,
        restarts: faults,
        ...(selfTest !== undefined && { selfTest }),
      };
    },
  };
}

/** Ends that are not faults: a clean exit, and a process that the system killed. */
const meant: readonly string[] = ['clean-exit', 'killed'];

/**
 * Switches the graphics processor off if a person chose so or its driver crashed twice: virtual and remote desktops
 * would show an empty window. This must happen before Electron is ready, so the file of the choices is read
 * synchronously. Returns whether the graphics processor is used.
 */
export function chooseGraphics(
  app: Pick<ElectronApi['app'], 'disableHardwareAcceleration'>,
  choiceFile: string,
): boolean {
  if (readChoicesNow(choiceFile).isGpuUsed) return true;
  app.disableHardwareAcceleration();
  return false;
}

interface ProcessDeps {
  readonly app: Pick<ElectronApi['app'], 'on'>;
  readonly choice: Pick<ChoiceStore, 'noteGpuCrash'>;
  readonly crashes: Pick<CrashCounts, 'count'>;
  readonly logger: Logger;
}

/** Counts the ends of Chromium processes other than pages; the second crash of the graphics process switches it off. */
export function followProcesses({ app, choice, crashes, logger }: ProcessDeps): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (meant.includes(reason)) return;
    logger.error('A process of the app ended', { type, reason, exitCode, name });
    crashes.count(type === 'GPU' ? 'gpu' : 'process');
    if (type !== 'GPU') return;
    choice.noteGpuCrash().then(
      (isOff) => {
        if (isOff) logger.warn('The graphics processor will not be used from the next start on');
      },
      (error: unknown) => logger.warn('Could not save that the graphics process crashed', { error }),
    );
  });
}

const FIRST = 0;

interface PageDeps {
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Counts each crash and each hang. */
  readonly crashes: Pick<CrashCounts, 'count'>;
  readonly onGiveUp: () => void;
  readonly say: Say;
}

/** Reloads a crashed page, and asks a person when it keeps crashing or hangs. */
export function recoverCrashedPage(
  window: Pick<BrowserWindow, 'on' | 'once' | 'webContents' | 'isDestroyed'>,
  { dialogs, clock, logger, crashes, onGiveUp, say }: PageDeps,
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
    // This is reported as a crash, which reloads the page
    window.webContents.forcefullyCrashRenderer();
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    logger.error("The window's page process ended", { reason, exitCode });
    if (reason === 'clean-exit') return;
    crashes.count('page');
    onCrash().catch((error: unknown) => logger.error('The page could not be loaded again', { error }));
  });
  window.on('unresponsive', () => {
    logger.warn('The page is not responding');
    crashes.count('hang');
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

/** A page that crashes this often within `WITHIN_MS` will crash again. */
const MOST_RELOADS = 5;

const WITHIN_MS = 10 * 60_000;

/** Times of the recent reloads with this one, milliseconds; undefined when it would be one too many. */
export function nextReloads(earlier: readonly number[], nowMs: number): readonly number[] | undefined {
  const counting = earlier.filter((atMs) => nowMs - atMs < WITHIN_MS);
  return counting.length < MOST_RELOADS ? [...counting, nowMs] : undefined;
}
