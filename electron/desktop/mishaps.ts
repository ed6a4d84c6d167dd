import type { DesktopDiagnosis } from '../../shared/ipc/desktop.ts';
import { lastSelfTest } from './self-test/self-test.ts';

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
