import type { JsonProblem } from '../core/text/parse-strict-json.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** Longest key that is repeated in a message, characters. */
const LONGEST_KEY = 60;

/** Where and why a text is not JSON, in words; what was typed there tells the commonest slips apart. */
export function describeJsonTrouble(text: string, trouble: JsonProblem): string {
  return `line ${trouble.line}, column ${trouble.column}: ${reasonOf(text, trouble)}`;
}

function reasonOf(text: string, trouble: JsonProblem): string {
  switch (trouble.kind) {
    case 'duplicate-key':
      return `the key "${visibleName(trouble.what.slice(0, LONGEST_KEY))}" stands twice in its group`;
    case 'number':
      return 'the number is too large to be exact';
    case 'depth':
      return 'groups are nested too deeply';
    case 'syntax':
      return slipAt(restOf(text, trouble)) ?? `${trouble.what} is expected here`;
  }
}

function restOf(text: string, { line, column }: JsonProblem): string {
  const lines = text.split(/\r\n|\n|\r/);
  return lines[line - 1]?.slice(column - 1) ?? '';
}

function slipAt(rest: string): string | undefined {
  if (/^(?:\/\/|\/\*|#)/.test(rest)) return 'JSON has no comments';
  if (rest.startsWith('\\')) return 'a backslash inside text is written twice, as in "C:\\\\exports"';
  if (rest.startsWith("'")) return 'text stands in double quotation marks';
  return undefined;
}
