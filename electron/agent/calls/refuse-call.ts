import type { z } from 'zod';
import type { FailedField, Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** Most fields that one refusal names: the first ones say what is wrong. */
const MOST_FIELDS = 20;
/** Longest name of a field that is repeated, characters. */
const LONGEST_NAME = 80;
/** Longest text about a field, characters. */
const LONGEST_TEXT = 200;

/** The refusal of a call that the contract does not have. */
export const unknownCall: Failure = {
  code: 'CALL_UNKNOWN',
  message: 'The agent does not know this call.',
  advice: 'The window and the agent are of different versions: close the window and open it again.',
  retryable: false,
};

/** The answer when the program itself is wrong; what exactly, only the log says. */
export const faultyCall: Failure = {
  code: 'CALL_FAULT',
  message: 'The agent could not do this because of an internal error.',
  advice: "Try again. If it happens again, see the agent's log for details.",
  retryable: true,
};

/** The answer before the start and after the stop of an agent. */
export const notRunning: Failure = {
  code: 'CALL_FAULT',
  message: 'The agent is not running.',
  advice: 'Start it, and try again.',
  retryable: true,
};

/** The answer when the call was broken off by its caller or by the stop of the agent. */
export const brokenOff: Failure = {
  code: 'CANCELLED',
  message: 'The call ended before its answer came.',
  advice: 'Try again if you still need it.',
  retryable: true,
};

/** What is wrong with the input of a call: names of fields and rules, never the values that were given. */
export function refusedInput(error: z.core.$ZodError): Failure {
  const fields = error.issues.flatMap(fieldsOf).slice(0, MOST_FIELDS);
  const names = [...new Set(fields.map(({ name }) => name))].join(', ');
  return {
    code: 'CALL_INPUT',
    message: `The agent did not accept this input: ${names}.`,
    advice: 'Correct these fields.',
    retryable: false,
    fields,
  };
}

/** Findings in another shape than the contract's, for the log. */
export function findingsOf(error: z.core.$ZodError): readonly string[] {
  return error.issues.slice(0, MOST_FIELDS).map((issue) => `${nameOf(issue.path)}: ${issue.message}`);
}

function fieldsOf(issue: z.core.$ZodIssue): readonly FailedField[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MOST_FIELDS)
      .map((key) => ({ name: nameOf([...issue.path, key]), text: 'is not known here' }));
  return [
    { name: nameOf(issue.path), text: cut(issue.message.replace(/^Invalid input: /, ''), LONGEST_TEXT) },
  ];
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'input' : visibleName(cut(path.map(String).join('.'), LONGEST_NAME));
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text;
