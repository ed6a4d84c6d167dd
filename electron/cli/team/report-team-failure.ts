import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Clock } from '../../agent/index.ts';
import { exitCodeFor, exitCodes, type ExitCode } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import type { Output } from '../output.ts';
import { failureText } from '../report-failure.ts';

/** Where and how a failure is told; `interrupted` is the exit code of a signal that came. */
export interface Telling {
  readonly output: Output;
  readonly clock: Clock;
  readonly json: boolean;
  readonly interrupted: ExitCode | undefined;
}

/** Says why a call of the service failed, on stderr and, with `--json`, as one object on stdout. */
export function reportTeamFailure(failure: Failure, telling: Telling): ExitCode {
  const { output, clock, json, interrupted } = telling;
  output.note(interrupted === undefined ? visibleName(failureText(failure)) : 'Interrupted.');
  if (interrupted === undefined) for (const line of fieldLines(failure)) output.note(line);
  if (failure.mayHaveHappened === true) output.note(MAY_HAVE_HAPPENED);
  const at = new Date(clock.now()).toISOString();
  if (json) output.line(jsonText({ event: 'error', at, ...failure }));
  return interrupted ?? exitCodeFor(failure.code, exitCodes.fault);
}

/** Of a single field, the message mostly has the text already. */
const fieldLines = ({ fields, message }: Failure): readonly string[] =>
  (fields ?? [])
    .filter(({ text }) => !message.includes(text))
    .map(({ name, text }) => visibleName(`  ${name}: ${text}`));

const MAY_HAVE_HAPPENED = `
ATTENTION: this may have been carried out all the same.
The request was sent and its answer never came. Look in the service before sending it again.`;
