import { exitCodes, type ExitCode } from './exit-codes.ts';

/** Where signals come from: the process. */
export interface ProcessSignals {
  on(name: StopSignal, listener: () => void): unknown;
  off(name: StopSignal, listener: () => void): unknown;
}

/** The signals that ask a program to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** A stop that someone asked for. */
export interface StopRequest {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** What a program ends with that this signal interrupted. */
  exitCode(): ExitCode | undefined;
  dispose(): void;
}

const signalExits = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

/** The first signal asks to stop in order; the second one ends the program at once. */
export function listenForStop(source: ProcessSignals, exitNow: (code: ExitCode) => void): StopRequest {
  const controller = new AbortController();
  let first: ExitCode | undefined;
  const stop = (name: StopSignal) => (): void => {
    if (first !== undefined) return exitNow(signalExits[name]);
    first = signalExits[name];
    controller.abort(new Error(`stopped by ${name}`));
  };
  const listeners = { SIGINT: stop('SIGINT'), SIGTERM: stop('SIGTERM') };
  source.on('SIGINT', listeners.SIGINT);
  source.on('SIGTERM', listeners.SIGTERM);
  return {
    signal: controller.signal,
    exitCode: () => first,
    dispose() {
      source.off('SIGINT', listeners.SIGINT);
      source.off('SIGTERM', listeners.SIGTERM);
    },
  };
}
