import { userInfo } from 'node:os';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';

const GIVE_RIGHT =
  "Give the agent's account permission to read the folder. The agent will retry automatically.";

/** The failure that a file system error means for a file, which messages call `path`. */
export function fileFailure(error: unknown, path: string): Failure {
  return fileFailureNamed(systemErrorName(error) ?? 'unknown error', path);
}

/** `fileFailure` for an error from a thread, given its `systemErrorName`. */
export function fileFailureNamed(name: string, path: string): Failure {
  return { ...failureOf(name, path), detail: name };
}

function failureOf(name: string, path: string): Failure {
  const trouble = troubleOf(name);
  if (trouble.whom === 'process') return handlesUsedUp(name);
  const { what } = trouble;
  switch (what) {
    case 'gone':
      return fileGone(path);
    case 'link':
      return fileIsLink(path);
    case 'folder':
      return fileNotRegular(path);
    case 'name-too-long':
      return nameTooLong(path);
    case 'denied':
      return noAccess(path);
    case 'busy':
      return fileLocked(path);
    case 'unreachable':
    case 'unreadable':
      return fileUnreadable(path, name);
    default:
      return assertNever(what);
  }
}

function fileUnreadable(path: string, name: string): Failure {
  const message = `Could not read ${visibleName(path)} (${name}).`;
  const advice = 'Check the disk or share. The agent will retry automatically.';
  return passing('FILE_READ', message, advice);
}

function nameTooLong(path: string): Failure {
  const message = `Path too long for this system: ${visibleName(path)}. It is not sent.`;
  return lasting('FILE_NAME_UNREADABLE', message, 'Shorten its name or the names of the folders above it.');
}

/** Adds the root, which need not be watched, to a failure to read a file: it tells which disk or share to check. */
export function inRoot(failure: Failure, rootPath: string): Failure {
  const { file } = agentPolicyOf(failure.code);
  if (file !== 'unreadable') return failure;
  return { ...failure, message: `${failure.message} Location: ${visibleName(rootPath)}.` };
}

/** The file became shorter, longer, newer or another one; `how` says which. Sending starts over as a new generation. */
export function fileChanged(path: string, how: string): Failure {
  const message = `File changed: ${visibleName(path)} ${how}.`;
  return passing(
    'FILE_CHANGED',
    message,
    'It will be sent once it stops changing. If it fails before that, retry it.',
  );
}

export function fileNotRegular(path: string): Failure {
  const message = `Not a regular file: ${visibleName(path)} is a folder, pipe, socket or device. It was not opened.`;
  return lasting('FILE_NOT_REGULAR', message, 'Replace it with a regular file.');
}

export function fileIsLink(path: string): Failure {
  const message = `Links are not sent: ${visibleName(path)} is a link.`;
  return lasting('FILE_LINK', message, 'Replace it with the file or folder that it points to.');
}

/** The folder of the file is reached through a link that leads out of the watched root. */
export function fileOutside(path: string): Failure {
  const message = `Behind a link that leads elsewhere: ${visibleName(path)}. It was not read.`;
  return lasting('FILE_LINK', message, 'Replace the link with the folder that it points to.');
}

function fileGone(path: string): Failure {
  const message = `No longer in the folder: ${visibleName(path)}. Its entry in the queue is kept.`;
  return lasting('FILE_GONE', message, 'Put it back if it has not been sent yet.');
}

function fileLocked(path: string): Failure {
  const message = `Locked by another program: ${visibleName(path)}.`;
  const advice =
    'Nothing to do: the agent will retry automatically. If this continues, close the program that has it open.';
  return passing('FILE_LOCKED', message, advice);
}

/** A cloud drive lists the file but keeps its bytes elsewhere. */
export function fileOffline(path: string): Failure {
  const message = `In the cloud, not on this PC: ${visibleName(path)}. It was not downloaded.`;
  const advice =
    'Make it available offline ("Always keep on this device" in OneDrive). It will be sent once it is downloaded.';
  return passing('FILE_OFFLINE', message, advice);
}

function noAccess(path: string): Failure {
  const account = accountName();
  const message = `The account ${account} cannot read ${visibleName(path)}.`;
  return passing(
    'FILE_NO_ACCESS',
    message,
    `Give the account ${account} permission to read it. The agent will retry automatically.`,
  );
}

export function fileEmpty(path: string): Failure {
  const advice = 'If it is still being exported, wait. Otherwise, export it again.';
  return passing('FILE_EMPTY', `Empty file: ${visibleName(path)}.`, advice);
}

/** `reason` is what the container reader found, for support. */
export function fileIncomplete(path: string, reason: string): Failure {
  const message = `Cut off before its end: ${visibleName(path)}. The export is unfinished or was interrupted.`;
  const advice =
    'If it is still being exported, wait. Otherwise, export it again. After 6 hours without a change, it is sent as is.';
  return { ...passing('FILE_INCOMPLETE', message, advice), detail: reason };
}

/** A clip that still has a temporary name although nothing is writing to it. */
export function fileUnfinished(path: string): Failure {
  const message = `Still named like an unfinished copy: ${visibleName(path)}. Nothing is writing to it.`;
  return passing('FILE_INCOMPLETE', message, 'Copy or export the clip again.');
}

export function nameUnreadable(folder: string, hex: string): Failure {
  const place = folder === '' ? 'A name' : `A name in ${visibleName(folder)}`;
  const message = `${place} is not valid text (hex ${hex}), so the file or folder is not sent.`;
  return lasting('FILE_NAME_UNREADABLE', message, 'Rename it.');
}

export function looseFile(name: string): Failure {
  const message = `Outside any export folder: ${visibleName(name)}. It is not sent.`;
  return lasting('FILE_SKIPPED', message, 'Move it into the folder of its incident.');
}

function moreSkipped(mostNamed: number): Failure {
  const message = `More entries were skipped here; only the first ${mostNamed} are listed.`;
  return lasting('FILE_SKIPPED', message, 'Correct the listed ones first. The others will then be listed.');
}

/** What happens to an export with a folder that cannot be read; `whole`: that folder is the export itself. */
const sentAllTheSame = (extent: 'whole' | 'part'): string =>
  extent === 'whole' ? 'nothing new in it is sent' : 'the rest of the export is sent';

export function folderDenied(path: string, extent: 'whole' | 'part', detail: string): Failure {
  const message = `The folder ${visibleName(path)} cannot be listed; ${sentAllTheSame(extent)}.`;
  return { ...passing('FOLDER_NO_ACCESS', message, GIVE_RIGHT), detail };
}

export function folderUnreadable(path: string, extent: 'whole' | 'part', detail: string): Failure {
  const message = `The folder ${visibleName(path)} could not be read (${detail}); ${sentAllTheSame(extent)}.`;
  const advice = 'Check the disk or share. The agent will retry automatically.';
  return { ...passing('FOLDER_NO_ACCESS', message, advice), detail };
}

export function folderTooDeep(path: string, mostLevels: number): Failure {
  const message = `The folder ${visibleName(path)} is more than ${mostLevels} levels deep and is not scanned.`;
  return lasting('FOLDER_TOO_DEEP', message, 'Move its files to a folder higher up.');
}

export function folderCycle(path: string): Failure {
  const message = `The folder ${visibleName(path)} contains itself and is not scanned again.`;
  return lasting('FOLDER_CYCLE', message, 'Remove the mount that leads back to it.');
}

function passing(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: true };
}

function lasting(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: false };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'that runs this agent';
  }
}

/** Most problems listed for one folder tree; a hundred thousand pipes would fill the log and help nobody. */
const MOST_NAMED = 100;

/** A skipped entry, and why. The path is relative to the export, or to the root for loose entries. */
export interface EntryProblem {
  readonly path: string;
  readonly failure: Failure;
}

/** Collects problems up to a limit; a last one says that there are more. */
export interface ProblemList {
  readonly list: readonly EntryProblem[];
  add(path: string, failure: Failure): void;
}

/** Makes an empty list. */
export function createProblemList(): ProblemList {
  const list: EntryProblem[] = [];
  return {
    list,
    add(path, failure) {
      if (list.length < MOST_NAMED) list.push({ path, failure });
      else if (list.length === MOST_NAMED) list.push({ path: '…', failure: moreSkipped(MOST_NAMED) });
    },
  };
}
