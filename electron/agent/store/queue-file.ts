import { existsSync, renameSync, rmSync, statSync, writeFileSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { WriteDb } from './open-db.ts';

/** How often it is looked whether the queue is still where it was opened, milliseconds. */
const LOOK_MS = 2_000;

/** What an open queue is saved as when its file was deleted; the next opening puts it in its place. */
const savedFile = (file: string): string => `${file}.saved`;

/** What follows when the file of a queue that is in use is not there any more. */
export interface MovedActions {
  /** Notes it in the audit trail of the open queue. */
  note(action: 'queue.deleted' | 'queue.exchanged'): void;
  /** Stops the agent, which ends the watch, says it and opens the queue again. What a function says is asked after that. */
  reopen(failure: Failure | (() => Failure)): void;
}

/**
 * Watches whether the file of an open queue is deleted or exchanged, which SQLite does not notice: it goes on writing
 * into a file that has no name any more. A deleted one is saved from the open connection when nobody writes any more, so
 * that nothing is lost; then the queue is opened again. Returns what ends the watch, before the connection is closed.
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
    opened ??= now;
    if (now === undefined || now === opened) return next();
    if (now === 'gone') {
      isGone = true;
      note('queue.deleted');
      reopen(() => deleted(file, isSaved ? SAVED : NOT_SAVED));
    } else {
      note('queue.exchanged');
      // The log of the former file, read as that of the new one, would be mixed into it
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

/** Which file stands there now; another one under the same name has another identity. Undefined for none. */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && identity(stats);
}

/** Undefined when the disk does not say. */
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

/** A few pages at a time: at once, a gigabyte would hold everything up for seconds. */
async function save(file: string, db: WriteDb): Promise<boolean> {
  try {
    rmSync(savedFile(file), { force: true });
    // Under another name until it is whole, and closed to other accounts from the start
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

/** Puts a queue that was saved in the place of the deleted one; without one, and where a queue stands, does nothing. */
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
