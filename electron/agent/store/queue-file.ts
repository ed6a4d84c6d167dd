import { existsSync, renameSync, rmSync, statSync, writeFileSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { WriteDb } from './open-db.ts';

/** How often the queue's location is checked, milliseconds. */
const LOOK_MS = 2_000;

/** Where an open queue whose file was deleted is saved; the next opening moves it back. */
const savedFile = (file: string): string => `${file}.saved`;

/** What to do when the file of a queue in use is no longer there. */
export interface MovedActions {
  /** Notes it in the audit trail of the open queue. */
  note(action: 'queue.deleted' | 'queue.exchanged'): void;
  /**
   * Stops the agent, which ends the watch, then reports the failure and reopens the queue. A function is called after
   * the stop.
   */
  reopen(failure: Failure | (() => Failure)): void;
}

/**
 * Watches whether the file of an open queue is deleted or replaced. SQLite does not notice: it keeps writing to a file
 * that no longer has a name. A deleted file is saved from the open connection once nobody writes any more, so that
 * nothing is lost; then the queue is reopened. Returns a function that ends the watch; call it before closing the
 * connection.
 */
export function watchQueueFile(
  file: string,
  db: WriteDb,
  { note, reopen }: MovedActions,
): () => Promise<void> {
  let opened: string | undefined;
  let openedLog: string | undefined;
  let isEnded = false;
  let isGone = false;
  let isSaved = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const now = await identityOf(file);
    if (isEnded) return;
    if (opened === undefined) openedLog = await identityOf(`${file}-wal`);
    if (now !== 'gone') opened ??= now;
    if (now === undefined || now === opened) return next();
    if (now === 'gone') {
      isGone = true;
      note('queue.deleted');
      reopen(() => deleted(file, isSaved ? SAVED : NOT_SAVED));
    } else {
      note('queue.exchanged');
      // The old file's log would be read as the new file's and mixed into it
      if ((await identityOf(`${file}-wal`)) === openedLog) removeLog(file);
      reopen(exchanged(file));
    }
  }

  function next(): void {
    timer = setTimeout(() => void look(), LOOK_MS).unref();
  }

  void look();
  return async () => {
    isEnded = true;
    clearTimeout(timer);
    if (isGone) isSaved = await save(file, db);
  };
}

const identity = ({ dev, ino }: BigIntStats): string => `${dev} ${ino}`;

/** Identity of the file now at this path; its replacement would have another one. Undefined if there is no file. */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && identity(stats);
}

/** Undefined when the disk gives no answer. */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    return identity(await stat(file, { bigint: true }));
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : undefined;
  }
}

const SAVED = 'It was rewritten from the open queue; nothing was lost.';
const NOT_SAVED =
  'It could not be saved. Before sending anything, the agent asks the service what it already has.';

/** Copies a few pages at a time: a gigabyte in one go would block everything for seconds. */
async function save(file: string, db: WriteDb): Promise<boolean> {
  try {
    rmSync(savedFile(file), { force: true });
    // Under another name until it is complete, and closed to other accounts from the start
    const part = `${savedFile(file)}.part`;
    rmSync(part, { force: true });
    writeFileSync(part, '', { mode: 0o600 });
    await db.backup(part);
    renameSync(part, savedFile(file));
    return true;
  } catch {
    return false;
  }
}

/** Moves a saved queue to where the deleted one was; does nothing if none was saved or a queue is already there. */
export function putBackSaved(file: string): void {
  rmSync(`${savedFile(file)}.part`, { force: true });
  if (!existsSync(savedFile(file)) || existsSync(file)) return;
  // They belong to the file that was deleted
  removeLog(file);
  renameSync(savedFile(file), file);
}

function removeLog(file: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function deleted(file: string, rest: string): Failure {
  return {
    code: 'DATA_FOLDER',
    message: `${basename(file)} in ${dirname(file)} was deleted or moved while the agent was running. ${rest}`,
    advice: 'Keep other programs from cleaning up the data directory.',
    retryable: true,
  };
}

function exchanged(file: string): Failure {
  return {
    code: 'DATA_FOLDER',
    message: `${basename(file)} in ${dirname(file)} was replaced by another file while the agent was running.`,
    advice: 'Stop the agent before you restore a backup.',
    retryable: true,
  };
}
