import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { OWNER_ONLY, replaceFile, type Logger } from '../agent/index.ts';
import type { NativeDialogs } from './window/native-dialogs.ts';

interface Deps {
  readonly dialogs: Pick<NativeDialogs, 'chooseSavePlace'>;
  readonly logger: Logger;
}

/**
 * Saves a text where a person says; the system's dialog asks before a file is replaced. False when the dialog was left.
 * Errors: DISK_FULL, FILE_NO_ACCESS, FILE_READ, and then a file that was there is as it was.
 */
export async function saveText(
  { dialogs, logger }: Deps,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<Result<{ readonly isSaved: boolean }, Failure>> {
  const place = await dialogs.chooseSavePlace(safeFileName(name));
  if (place === undefined) return ok({ isSaved: false });
  try {
    // Users and first passwords may be in it. A folder that is gone is not made anew: it may be a share
    await replaceFile(place, text, { rights: OWNER_ONLY, needsFolder: true });
    return ok({ isSaved: true });
  } catch (error) {
    logger.warn('A file could not be saved', { error });
    return err(cannotSave(place, error));
  }
}

function cannotSave(place: string, error: unknown): Failure {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const message = `${visibleName(place)} could not be saved (${reason}).`;
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return {
      code: 'DISK_FULL',
      message,
      advice: 'Make room on the disk, or save it elsewhere.',
      retryable: true,
    };
  const advice = 'Save it in a folder that this account may write to.';
  const code = ['EACCES', 'EPERM', 'EROFS'].includes(reason) ? 'FILE_NO_ACCESS' : 'FILE_READ';
  return { code, message, advice, retryable: true };
}

/** Longest name that every file system takes, characters; some count bytes, of which a character has up to four. */
const LONGEST_NAME = 60;

const LONGEST_EXTENSION = 8;

/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** What a name may not have on one of the systems, what hides or turns text, and what begins a hidden file or an option. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\ufffd]+/gu;

/** A name that a page proposed, reduced to one that can be offered in a save dialog: no folders, nothing hidden. */
export function safeFileName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replaceAll(UNSAFE, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '')
    .replace(/[\s.]+$/, '');
  const dot = clean.lastIndexOf('.');
  const hasExtension = dot > 0 && clean.length - dot - 1 <= LONGEST_EXTENSION;
  const extension = hasExtension ? clean.slice(dot) : '';
  const stem = [...clean.slice(0, clean.length - extension.length)].slice(0, LONGEST_NAME).join('').trimEnd();
  const first = stem.split('.')[0] ?? '';
  if (stem === '') return `export${extension}`;
  return DEVICE.test(first.trim()) ? `export-${stem}${extension}` : `${stem}${extension}`;
}
