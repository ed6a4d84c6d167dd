import type { DesktopDiagnosis } from '../../shared/ipc/desktop.ts';
import { lastSelfTest } from './self-test/self-test.ts';
import type { Logger } from '../agent/index.ts';
import type { ElectronApi } from './electron-api.ts';
import { readChoicesNow, type ChoiceStore } from './choice-store.ts';

/** What went wrong with the app's own processes since it started; shown in Health. */
export interface Mishaps {
  count(kind: MishapKind): void;
  all(): Readonly<Record<MishapKind, number>>;
}

/** The page crashed or hung, the graphics process or another one ended. */
export type MishapKind = 'page' | 'hang' | 'gpu' | 'process';

/** Makes the counters. */
export function createMishaps(): Mishaps {
  const counts: Record<MishapKind, number> = { page: 0, hang: 0, gpu: 0, process: 0 };
  return {
    count: (kind) => void (counts[kind] += 1),
    all: () => ({ ...counts }),
  };
}

interface Facts extends Pick<DesktopDiagnosis, 'isGpuUsed' | 'hasTray'> {
  readonly mishaps: Pick<Mishaps, 'all'>;
  /** Faults in a row that this start follows. */
  readonly faults: number;
  /** Of this account: the last self-test lies there. */
  readonly folder: string;
}

/** What Health shows of the app itself. */
export async function diagnosisOf({
  mishaps,
  isGpuUsed,
  hasTray,
  faults,
  folder,
}: Facts): Promise<DesktopDiagnosis> {
  const counts = mishaps.all();
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
}

/** Ends that nobody meant; systems kill what they want gone, and a clean exit is none. */
const meant: readonly string[] = ['clean-exit', 'killed'];

/**
 * Draws without the graphics processor where a person chose so or its driver crashed twice: virtual and remote desks
 * show an empty window otherwise. Has to be said before Electron is ready, so the file of the choices is read at once.
 * Answers whether it is used.
 */
export function chooseGraphics(
  app: Pick<ElectronApi['app'], 'disableHardwareAcceleration'>,
  choiceFile: string,
): boolean {
  if (readChoicesNow(choiceFile).isGpuUsed) return true;
  app.disableHardwareAcceleration();
  return false;
}

interface Deps {
  readonly app: Pick<ElectronApi['app'], 'on'>;
  readonly choice: Pick<ChoiceStore, 'noteGpuCrash'>;
  readonly mishaps: Pick<Mishaps, 'count'>;
  readonly logger: Logger;
}

/** Counts what of Chromium ends beside the pages; the second crash of the graphics process switches it off. */
export function followProcesses({ app, choice, mishaps, logger }: Deps): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (meant.includes(reason)) return;
    logger.error('A process of the app ended', { type, reason, exitCode, name });
    mishaps.count(type === 'GPU' ? 'gpu' : 'process');
    if (type !== 'GPU') return;
    choice.noteGpuCrash().then(
      (isOff) => {
        if (isOff) logger.warn('The graphics processor will not be used after the next start');
      },
      (error: unknown) => logger.warn('It could not be saved that the graphics process crashed', { error }),
    );
  });
}
