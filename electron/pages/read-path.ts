import { err, ok, type Result } from '../../shared/lib/result.ts';

/** Why an address is none of ours; a status of HTTP, and a sentence. */
export interface RefusedPath {
  readonly status: 400 | 414;
  readonly text: string;
}

/** Longest address, characters: a launch address has 51, an asset fewer than 100. */
const MAX_TARGET_LENGTH = 1024;
/** Escapes that would make a separator, an end of text, a dot or another escape appear after the check. */
const DISGUISED = /%(?:2f|5c|00|2e|25)/i;
/** What our own paths are made of. No dot first: neither `..` nor hidden files; no colon: neither drives nor streams. */
const SEGMENT = /^[\w-][\w.-]*$/;

/**
 * The parts of the path of an address, decoded once; empty for `/`. What follows a question mark is left out: nothing
 * here depends on it.
 */
export function readPath(target: string): Result<readonly string[], RefusedPath> {
  if (target.length > MAX_TARGET_LENGTH) return err({ status: 414, text: 'The address is too long.' });
  const [path = ''] = target.split('?', 1);
  const decoded = DISGUISED.test(path) ? undefined : decode(path);
  if (decoded === undefined || !decoded.startsWith('/')) return err(malformed);
  if (decoded === '/') return ok([]);
  const segments = decoded.slice(1).split('/');
  return segments.every((segment) => SEGMENT.test(segment)) ? ok(segments) : err(malformed);
}

const malformed: RefusedPath = { status: 400, text: 'The address is not one of these pages.' };

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
