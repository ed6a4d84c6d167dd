import type { z } from 'zod';
import type { Failure, FailedField } from '../../../shared/domain/failure.ts';
import type { CallArguments, CallName, CallOutput } from '../../../shared/ipc/contract.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { AuditDetail, AuditTrail } from '../evidence/audit-trail.ts';
import type { Subject } from './change-signals.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

type Answer<Name extends CallName> = Result<CallOutput<Name>, Failure>;

/** Everything about one call of the contract, together where it is registered. */
export interface Call<Name extends CallName> {
  /** Gets validated input; `signal` aborts when nobody waits for the response any more. */
  readonly handle: (input: CallArguments<Name>, signal: AbortSignal) => Answer<Name> | Promise<Answer<Name>>;
  /**
   * Present on a call that changes users, keys, settings or what is sent. The audit trail gets a row before the work
   * starts, so that a killed program leaves a trace too, and one with the outcome. Only IDs, field names and codes.
   */
  readonly audit?: {
    readonly asked?: (input: CallArguments<Name>) => AuditDetail;
    readonly done?: (output: CallOutput<Name>) => AuditDetail;
  };
  /** Subjects that every window re-reads afterwards, unless the call was refused: then nothing changed. */
  readonly changes?: readonly Subject[];
}

/** All of the named calls: leaving one out is a type error. */
export type Calls<Name extends CallName = CallName> = { readonly [N in Name]: Call<N> };

interface Deps {
  readonly trail: Pick<AuditTrail, 'note'>;
  /** Reports that the subject changed: whoever watches it re-reads it. */
  readonly announce: (subject: Subject) => void;
}

/**
 * Carries out one call and writes its audit rows. If the first row cannot be written, the call is not made and it
 * rejects.
 */
export async function carryOut<Name extends CallName>(
  { trail, announce }: Deps,
  name: Name,
  call: Call<Name>,
  input: CallArguments<Name>,
  signal: AbortSignal,
): Promise<Answer<Name>> {
  const { audit } = call;
  if (audit === undefined) return handleAndAnnounce(call, announce, input, signal);
  const of = trail.note(name, { state: 'asked', ...audit.asked?.(input) });
  try {
    const result = await handleAndAnnounce(call, announce, input, signal);
    trail.note(
      name,
      result.ok
        ? { state: 'done', of, ...audit.done?.(result.value) }
        : { state: 'refused', of, code: result.error.code },
    );
    return result;
  } catch (error) {
    trail.note(name, { state: 'broken', of });
    throw error;
  }
}

async function handleAndAnnounce<Name extends CallName>(
  { handle, changes = [] }: Call<Name>,
  announce: Deps['announce'],
  input: CallArguments<Name>,
  signal: AbortSignal,
): Promise<Answer<Name>> {
  let isRefused = false;
  try {
    const result = await handle(input, signal);
    isRefused = !result.ok;
    return result;
  } finally {
    // Also after an error: part of the work may have been done
    if (!isRefused) for (const subject of changes) announce(subject);
  }
}

/** Most fields that one refusal names: the first ones show what is wrong. */
const MOST_FIELDS = 20;
/** Longest field name that is repeated, characters. */
const LONGEST_NAME = 80;
/** Longest text about a field, characters. */
const LONGEST_TEXT = 200;

/** The failure of a call that the contract does not have. */
export const unknownCall: Failure = {
  code: 'CALL_UNKNOWN',
  message: 'The agent does not recognise this request.',
  advice: 'This page may be from a different version of the agent. Reload it, or restart the app.',
  retryable: false,
};

/** The failure of a call because of a bug in the program; only the log has the cause. */
export const faultyCall: Failure = {
  code: 'CALL_FAULT',
  message: 'The agent could not do this because of an internal error.',
  advice: 'Try again. If it happens again, see the program log in Health.',
  retryable: true,
};

/** The failure of a call before the agent has started or after it has stopped. */
export const notRunning: Failure = {
  code: 'CALL_FAULT',
  message: 'The agent is not running.',
  advice: 'Try again in a moment. If that does not help, restart the app or the agent.',
  retryable: true,
};

/** The failure of a call that was cancelled by its caller or because the agent stopped. */
export const brokenOff: Failure = {
  code: 'CANCELLED',
  message: 'The request was interrupted before it finished.',
  advice: 'Before you repeat a change or a message, check whether it went through.',
  retryable: true,
  mayHaveHappened: true,
};

/** Describes a problem for which the schema has no message, instead of the library's message. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : 'is not valid';
    case 'too_small':
      if (issue.origin === 'number') return `must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : 'is too short';
    case 'too_big':
      return issue.origin === 'number' ? `must be at most ${issue.maximum}` : 'is too long';
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    default:
      return 'is not valid';
  }
};

/** The failure of a call with invalid input: names of fields and rules, never the given values. */
export function refusedInput(error: z.core.$ZodError): Failure {
  const fields = error.issues.flatMap(fieldsOf).slice(0, MOST_FIELDS);
  const names = [...new Set(fields.map(({ name }) => name))].join(', ');
  return {
    code: 'CALL_INPUT',
    message: `The agent did not accept this input: ${names}.`,
    advice: 'Correct the input and try again.',
    retryable: false,
    fields,
  };
}

/** Describes, for the log, how an output differs from the contract. */
export function findingsOf(error: z.core.$ZodError): readonly string[] {
  return error.issues.slice(0, MOST_FIELDS).map((issue) => `${nameOf(issue.path)}: ${issue.message}`);
}

function fieldsOf(issue: z.core.$ZodIssue): readonly FailedField[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MOST_FIELDS)
      .map((key) => ({ name: nameOf([...issue.path, key]), text: 'is not a known field' }));
  return [{ name: nameOf(issue.path), text: cut(issue.message, LONGEST_TEXT) }];
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'input' : visibleName(cut(path.map(String).join('.'), LONGEST_NAME));
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text;
