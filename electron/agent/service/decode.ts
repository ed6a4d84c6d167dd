import type { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  oddAnswer,
  statusFailure,
  unmarkedFailure,
  type AnswerContext,
  type AnswerKind,
} from './answer-failures.ts';
import { statusInBody } from './error-body.ts';
import type { RawAnswer } from './http.ts';

declare global {
  /** In Node since 21, but not yet in TypeScript's declarations. */
  interface JSON {
    /** A value that `JSON.stringify` writes as this text. */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * Decodes an answer by the schema, or returns one failure. `what` names the call for people.
 * Errors: API_REDIRECT, API_EMPTY, API_NOT_JSON, API_BAD_JSON, API_NUMBER, API_SHAPE, or what the status means.
 */
export function decodeAnswer<T>(
  what: string,
  answer: RawAnswer,
  schema: z.ZodType<T>,
  nowMs: number,
  kind: AnswerKind = 'video',
): Result<T, Failure> {
  const context: AnswerContext = { what, answer, nowMs, kind };
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return err(
      oddAnswer('API_REDIRECT', `a redirect to ${redirectHost(answer)} was refused`, context, 'stranger'),
    );
  }
  const rounded = new Set<string>();
  const parsed = parseBody(context, rounded);
  const body = parsed.ok ? parsed.value : undefined;
  if (status >= 400) return err(statusFailure(context, status, body));
  if (!parsed.ok) return parsed;
  const inner = statusInBody(body);
  if (inner !== undefined) return err(statusFailure(context, inner, body));
  const result = schema.safeParse(body);
  const issue = result.success ? undefined : result.error.issues[0];
  const unmarked = unmarkedFailure(context, body, issue !== undefined && isWrapperMissing(body, issue));
  if (unmarked !== undefined) return err(unmarked);
  if (result.success) return ok(result.data);
  const { code, problem } = describeIssue(issue, body, rounded);
  return err(oddAnswer(code, problem, context));
}

/** Types that a schema expects, in words. */
const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

function describeIssue(
  issue: z.core.$ZodIssue | undefined,
  body: unknown,
  rounded: ReadonlySet<string>,
): { readonly code: 'API_NUMBER' | 'API_SHAPE'; readonly problem: string } {
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), body);
  const field = path.length === 0 ? 'the response' : `"${path.map(String).join('.')}"`;
  const wanted = issue?.code === 'invalid_type' ? kinds[issue.expected] : undefined;
  if (JSON.isRawJSON(value) || (typeof value === 'string' && rounded.has(value)))
    return { code: 'API_NUMBER', problem: `${field} is a number that cannot be read exactly` };
  const what = wanted ?? 'in the expected form';
  if (path.length > 0 && value === undefined)
    return {
      code: 'API_SHAPE',
      problem: `the response has no ${wanted === 'a list' ? 'list ' : ''}${field}`,
    };
  return { code: 'API_SHAPE', problem: `${field} is not ${what}` };
}

/** Whether the expected content is missing altogether, or replaced by an `error`. */
function isWrapperMissing(body: unknown, { path: [name, ...inner] }: z.core.$ZodIssue): boolean {
  if (name === undefined || name === 'error') return true;
  return inner.length === 0 && typeof body === 'object' && body !== null && !Object.hasOwn(body, name);
}

function redirectHost(answer: RawAnswer): string {
  const location = answer.headers.location;
  return location !== undefined && URL.canParse(location) ? new URL(location).host : 'another address';
}

/** Adds to `rounded` the digits of each number that became text because JavaScript would round it. */
function parseBody(context: AnswerContext, rounded: Set<string>): Result<unknown, Failure> {
  const text = context.answer.body.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return err(oddAnswer('API_EMPTY', 'the response is empty', context, 'stranger'));
  if (/^\s*</.test(text))
    return err(
      oddAnswer(
        'API_NOT_JSON',
        'a web page came back instead of data, perhaps a login page',
        context,
        'stranger',
      ),
    );
  const problem = checkJsonText(text);
  if (problem === 'too-deep')
    return err(oddAnswer('API_BAD_JSON', 'the response is nested too deeply', context));
  try {
    return ok(problem === 'unsafe-number' ? parseExactly(text, context.kind, rounded) : JSON.parse(text));
  } catch {
    return err(oddAnswer('API_BAD_JSON', 'the response is not valid JSON', context));
  }
}

/**
 * Reads without loss the numbers that JavaScript would round (service.md gap 34). In the team's answers they become
 * text. Incident data goes back to the service, so there they stay numbers, digit by digit.
 */
function parseExactly(text: string, kind: AnswerKind, rounded: Set<string>): unknown {
  const keepDigits = (
    _key: string,
    value: unknown,
    { source }: { readonly source?: string } = {},
  ): unknown => {
    if (typeof value !== 'number' || source === undefined || isSafeNumber(source)) return value;
    if (kind === 'video') return JSON.rawJSON(source);
    rounded.add(source);
    return source;
  };
  return JSON.parse(text, keepDigits);
}

/** Reads the stored answer about an incident: numbers stay as they were received, digit by digit. */
export const parseKept = (text: string): unknown => parseExactly(text, 'video', new Set());

/** Deepest nesting that any answer of the service needs, with a wide margin. */
const MAX_DEPTH = 32;

/**
 * Checks JSON text before it is parsed: `JSON.parse` accepts millions of nested levels and silently rounds numbers over
 * 2^53. Returns the problem, or undefined.
 */
export function checkJsonText(text: string): 'too-deep' | 'unsafe-number' | undefined {
  let depth = 0;
  let index = 0;
  while (index < text.length) {
    const char = text.charCodeAt(index);
    if (char === 0x22) {
      index = endOfString(text, index);
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) return 'too-deep';
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, index);
      if (!isSafeNumber(text.slice(index, end))) return 'unsafe-number';
      index = end - 1;
    }
    index += 1;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) {
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  }
  return index;
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && '0123456789.eE+-'.includes(text.charAt(index))) index += 1;
  return index;
}

function isSafeNumber(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(digits) || Number.isSafeInteger(value);
}
