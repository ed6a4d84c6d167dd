import type { Failure } from '../../shared/domain/failure.ts';
import type { Clock } from '../agent/index.ts';
import { exitCodeFor, exitCodes, type ExitCode } from './exit-codes.ts';
import { jsonText } from './json-text.ts';
import type { Output } from './output.ts';

/** Says why a command ends, on stderr and, with `--json`, on stdout too; answers the exit code of the first failure. */
export function reportFailures(
  failures: readonly Failure[],
  { output, clock, json }: { readonly output: Output; readonly clock: Clock; readonly json: boolean },
): ExitCode {
  for (const failure of failures) {
    output.note(failureText(failure));
    if (json) output.line(failureJson(failure, clock.now()));
  }
  const [first] = failures;
  return first === undefined ? exitCodes.fault : exitCodeFor(first.code);
}

/** A failure in one line: code, what happened, what to do. */
export function failureText({ code, message, advice }: Failure): string {
  return `${code}: ${message} ${advice}`.trimEnd();
}

function failureJson({ code, message, advice }: Failure, atMs: number): string {
  return jsonText({ event: 'error', at: new Date(atMs).toISOString(), code, message, advice });
}
