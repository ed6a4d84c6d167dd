import type { SimulatorSettings } from '../simulator/settings.ts';

/** Signs with a clock that is off by this much, then corrects it. */
export function shiftedSigning(settings: SimulatorSettings) {
  return async <T>(offsetMs: number, sign: () => Promise<T>): Promise<T> => {
    settings.clockOffsetMs = offsetMs;
    try {
      return await sign();
    } finally {
      settings.clockOffsetMs = 0;
    }
  };
}
