import { err, ok, type Result } from '../../shared/lib/result.ts';
import { parseTime } from './parse-time.ts';

/** Longest title and description, characters. */
const LONGEST = { '--title': 200, '--description': 10_000 } as const;

/** A title or description from the command line; the error says what is wrong with it. */
export function parseText(
  option: keyof typeof LONGEST,
  text: string | undefined,
): Result<string | undefined, string> {
  if (text === undefined) return ok(undefined);
  const trimmed = text.trim();
  if (trimmed === '') return err(`${option} is blank.`);
  if (trimmed.length > LONGEST[option]) return err(`${option} takes at most ${LONGEST[option]} characters.`);
  const forbidden = option === '--title' ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u;
  return forbidden.test(trimmed) ? err(`${option} contains control characters.`) : ok(trimmed);
}

/** The time of an incident as ISO 8601 in UTC with milliseconds. */
export const parseIncidentAt = (text: string | undefined): Result<string | undefined, string> =>
  text === undefined ? ok(undefined) : parseTime('--incident-at', text);
