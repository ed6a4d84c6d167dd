import { jsonAnswer, type Answer } from '../http/answer.ts';
import { xmlError } from '../storage/xml-error.ts';
import type { FaultAction } from './fault-rule.ts';

type Ordered = Extract<FaultAction, { kind: 'answer' | 'early-answer' }>;

/** The answer that a rule asks for: XML when it names a storage code, text as given, anything else as JSON. */
export function orderedAnswer(action: Ordered): Answer {
  if (action.kind === 'early-answer') return xmlError(action.status, action.code, 'Ordered by a rule.');
  const { status, headers = {} } = action;
  if (action.code !== undefined) {
    const answer = xmlError(status, action.code, 'Ordered by a rule.');
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  if (action.bodyBase64 !== undefined)
    return { status, headers, body: Buffer.from(action.bodyBase64, 'base64') };
  if (action.body === undefined) return { status, headers };
  if (typeof action.body === 'string') return { status, headers, body: action.body };
  const answer = jsonAnswer(status, action.body);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The answer to send after the effect, altered as a rule asks. */
export function alterAnswer(answer: Answer, action: FaultAction | undefined): Answer {
  if (action?.kind === 'answer') return orderedAnswer(action);
  if (action?.kind === 'mangle-etag') return withEtag(answer, (etag) => [...etag].map(swapDigit).join(''));
  if (action?.kind === 'no-etag') return withEtag(answer, () => undefined);
  return answer;
}

function withEtag(answer: Answer, change: (etag: string) => string | undefined): Answer {
  const { etag, ...others } = answer.headers ?? {};
  const changed = etag === undefined ? undefined : change(etag);
  return { ...answer, headers: changed === undefined ? others : { ...others, etag: changed } };
}

/** Replaces each hexadecimal digit by another, so that the etag keeps its form. */
function swapDigit(character: string): string {
  return /[0-9a-f]/.test(character) ? (15 - Number.parseInt(character, 16)).toString(16) : character;
}
