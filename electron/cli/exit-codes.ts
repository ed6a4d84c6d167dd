import type { FailureCode } from '../../shared/domain/failure.ts';
import { agentPolicyOf, type ExitReason } from '../agent/core/failures/failure-policy.ts';

/** Exit codes of the program; scripts rely on these numbers. */
export const exitCodes = {
  ok: 0,
  fault: 1,
  usage: 2,
  configuration: 10,
  keyRefused: 11,
  unreachable: 12,
  dataInUse: 13,
  someFailed: 14,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of the values of `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byReason: Readonly<Record<ExitReason, ExitCode>> = {
  fault: exitCodes.fault,
  configuration: exitCodes.configuration,
  keyRefused: exitCodes.keyRefused,
  // Whatever responds there is not the service, or not usable now
  unreachable: exitCodes.unreachable,
  notFound: exitCodes.unreachable,
  dataInUse: exitCodes.dataInUse,
};

/**
 * The exit code for a failure that ended the whole command; failures that a script cannot act on are 1. `notFound` is
 * for commands that are given an ID, which may be wrong although the service is reachable.
 */
export function exitCodeFor(code: FailureCode, notFound: ExitCode = byReason.notFound): ExitCode {
  const { exit } = agentPolicyOf(code);
  return exit === 'notFound' ? notFound : byReason[exit];
}

/** Source of signals: the process. */
interface ProcessSignals {
  on(name: StopSignal, listener: () => void): unknown;
  off(name: StopSignal, listener: () => void): unknown;
}

/** The signals that ask a program to stop. */
type StopSignal = 'SIGINT' | 'SIGTERM';

/** A requested stop. */
export interface StopRequest {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** The exit code of a program that this signal interrupted. */
  exitCode(): ExitCode | undefined;
  dispose(): void;
}

const signalExits = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

/** The first signal requests an orderly stop; the second one exits immediately. */
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

/** Does the work of a command. If a signal interrupts it, the exit code is the signal's. Disposes of `stop`. */
export async function untilStopped(
  stop: StopRequest,
  work: (signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const exit = await work(stop.signal);
    return exit === exitCodes.ok ? exit : (stop.exitCode() ?? exit);
  } catch (error) {
    const exit = stop.exitCode();
    if (exit === undefined) throw error;
    return exit;
  } finally {
    stop.dispose();
  }
}
