import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** Shortest key that is believed to be one, characters. */
const SHORTEST_KEY = 8;
/** Longest key, characters: it has to fit into one header line. */
const LONGEST_KEY = 512;

/** Words that stand where a key should be, after separators were dropped. */
const PLACEHOLDER =
  /^[<[{("'$%]|^(?:your|my|the|put|insert|enter|paste|add)?(?:own)?(?:api|secret|access)?(?:auth)?(?:key|token|secret)(?:here|goeshere)?$|^(?:changeme|replaceme|placeholder|todo|example|x+|0+|\*+|\.+)(?:key|token)?$/i;

/** The API key without white space around it, or why the text cannot be one. The text never appears in the failure. */
export function parseKey(text: string): Result<string, Failure> {
  const key = text.trim();
  const reason = findFault(key);
  return reason === undefined ? ok(key) : err(keyFailure(reason));
}

function findFault(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/^bearer\s/i.test(key)) return 'begins with the word "Bearer"; only the key itself belongs there';
  if (/[\r\n]/.test(key)) return 'has more than one line';
  if (/\s/.test(key)) return 'contains white space';
  if (!/^[\x21-\x7e]+$/.test(key)) return 'contains characters that are not printable ASCII';
  if (/^["'`]|["'`]$/.test(key)) return 'has quotation marks around it';
  if (PLACEHOLDER.test(key.replaceAll(/[-_]/g, ''))) return 'is a placeholder, not a key';
  if (key.length < SHORTEST_KEY || key.length > LONGEST_KEY)
    return `has ${key.length} characters; ${SHORTEST_KEY} to ${LONGEST_KEY} are possible`;
  return undefined;
}

const keyFailure = (reason: string): Failure => ({
  code: 'KEY_FORMAT',
  message: `The API key ${reason}.`,
  advice: 'Paste the key exactly as you received it: one line, nothing else.',
  retryable: false,
});
