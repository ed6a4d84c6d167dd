import type { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { checkJsonText } from '../core/check-json.ts';
import { oddAnswer, statusFailure, statusInBody } from './failures.ts';
import type { RawAnswer } from './http.ts';

/**
 * Turns an answer into what the schema says, or into one failure. `what` names the call for people.
 * Errors: API_REDIRECT, API_EMPTY, API_NOT_JSON, API_BAD_JSON, API_NUMBER, API_SHAPE, or what the status means.
 */
export function decodeAnswer<T>(
  what: string,
  answer: RawAnswer,
  schema: z.ZodType<T>,
  nowMs: number,
): Result<T, Failure> {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return err(oddAnswer('API_REDIRECT', what, `redirects to ${redirectHost(answer)} are refused`, answer));
  }
  const parsed = parseBody(what, answer);
  const body = parsed.ok ? parsed.value : undefined;
  if (status >= 400) return err(statusFailure(what, status, answer, body, nowMs));
  if (!parsed.ok) return parsed;
  const inner = statusInBody(body);
  if (inner !== undefined) return err(statusFailure(what, inner, answer, body, nowMs));
  const result = schema.safeParse(body);
  if (result.success) return ok(result.data);
  const issue = result.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.join('.');
  return err(oddAnswer('API_SHAPE', what, `${field}: ${issue?.message ?? 'of another shape'}`, answer));
}

function redirectHost(answer: RawAnswer): string {
  const location = answer.headers.location;
  return location !== undefined && URL.canParse(location) ? new URL(location).host : 'elsewhere';
}

function parseBody(what: string, answer: RawAnswer): Result<unknown, Failure> {
  const text = answer.body.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return err(oddAnswer('API_EMPTY', what, 'the answer is empty', answer));
  if (/^\s*</.test(text)) {
    return err(
      oddAnswer('API_NOT_JSON', what, 'a web page came instead of data, perhaps a login page', answer),
    );
  }
  const problem = checkJsonText(text);
  if (problem === 'too-deep')
    return err(oddAnswer('API_BAD_JSON', what, 'the answer is nested too deep', answer));
  if (problem === 'unsafe-number') {
    return err(oddAnswer('API_NUMBER', what, 'a number cannot be read exactly', answer));
  }
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(oddAnswer('API_BAD_JSON', what, 'the answer is not complete JSON', answer));
  }
}
