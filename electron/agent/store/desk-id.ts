import { randomUUID } from 'node:crypto';
import { readFile, rename, open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { deskId, type DeskId } from '../../../shared/domain/ids.ts';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { NoticeCode } from '../../../shared/ipc/events.ts';
import type { Tables } from './tables.ts';

const DESK_FILE = 'desk.json';
const deskSchema = z.object({
  deskId: z.uuid(),
  queueId: z.uuid().optional(),
  starts: z.int().min(0).optional(),
});

type DeskFile = z.infer<typeof deskSchema>;

/** A problem that a start found and repaired: reported once, and noted in the audit trail as `action`. */
export interface StartFinding {
  readonly code: NoticeCode;
  readonly message: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** The queue's own row about its desk. */
export interface DeskMemory extends Pick<Tables['desk'], 'identity' | 'identify'> {
  /** The queue was damaged and has just been set aside. */
  readonly isRebuilt?: boolean;
  /** The desk ID of the damaged queue, if it could still be read. */
  readonly rebuiltFrom?: string | undefined;
}

/**
 * The desk's ID, generated once and kept beside the queue database as well as in it: after a lost database the same
 * incident IDs are derived again (service.md gap 11), and a lost or damaged file is restored from the queue. Rejects
 * with `FailureError` DATA_FOLDER when neither knows the ID of a desk that had one, because a new ID duplicates every
 * incident.
 */
export async function identifyDesk(
  dataDir: string,
  memory: DeskMemory,
  report: (finding: StartFinding) => void,
): Promise<DeskId> {
  const file = await readDeskFile(dataDir);
  const queue = memory.identity();
  const rememberedId = queue?.deskId ?? memory.rebuiltFrom;
  const known = file === 'damaged' ? undefined : file;
  if (file === 'damaged' && rememberedId === undefined) throw damaged(dataDir);
  if (known !== undefined && rememberedId !== undefined && known.deskId !== rememberedId)
    throw otherDesk(dataDir);
  if (known === undefined && rememberedId !== undefined) report(restored(dataDir, file === 'damaged'));
  if (memory.isRebuilt !== true && known?.queueId !== undefined)
    reportStrangeQueue(dataDir, known, queue, report);
  const identity = {
    deskId: known?.deskId ?? rememberedId ?? randomUUID(),
    queueId: queue?.queueId ?? randomUUID(),
    starts: Math.max(queue?.starts ?? 0, known?.starts ?? 0) + 1,
  };
  // First, so that a kill in between leaves a queue that is ahead of the file, and never one that looks old
  memory.identify(identity);
  await writeDeskFile(dataDir, identity);
  return deskId(identity.deskId);
}

/** The ID in desk.json, generated if there is none; for callers without an open queue. Errors: as `identifyDesk`. */
export async function loadDeskId(dataDir: string): Promise<DeskId> {
  const file = await readDeskFile(dataDir);
  if (file === 'damaged') throw damaged(dataDir);
  const known = file ?? { deskId: randomUUID() };
  if (file === undefined) await writeDeskFile(dataDir, known);
  return deskId(known.deskId);
}

async function readDeskFile(dataDir: string): Promise<DeskFile | 'damaged' | undefined> {
  try {
    return deskSchema.parse(JSON.parse(await readFile(join(dataDir, DESK_FILE), 'utf8')));
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'damaged';
  }
}

async function writeDeskFile(dataDir: string, facts: DeskFile): Promise<void> {
  const file = join(dataDir, DESK_FILE);
  const temporary = `${file}.new`;
  {
    await using handle = await open(temporary, 'w', 0o600);
    await handle.writeFile(`${JSON.stringify(facts, undefined, 2)}\n`);
    await handle.sync();
  }
  await rename(temporary, file);
}

function reportStrangeQueue(
  dataDir: string,
  file: DeskFile,
  queue: ReturnType<DeskMemory['identity']>,
  report: (finding: StartFinding) => void,
): void {
  const rest =
    'Before sending anything, the agent asks the service what it already has. Uploads that were in progress may remain open in the service; its operator can end them.';
  if (queue === undefined)
    report({
      code: 'QUEUE_LOST',
      message: `The queue database in ${dataDir} is missing, so a new one was created. ${rest} To go back, stop the agent and restore queue.db from a backup.`,
      action: 'queue.lost',
      detail: {},
    });
  else if (queue.queueId !== file.queueId || queue.starts < (file.starts ?? 0))
    report({
      code: 'QUEUE_REPLACED',
      message: `The data directory ${dataDir} contains ${queue.queueId === file.queueId ? 'an older copy of its queue database' : 'a different queue database than at the last start'}. ${rest}`,
      action: 'queue.replaced',
      detail: {},
    });
}

function restored(dataDir: string, wasDamaged: boolean): StartFinding {
  const what = wasDamaged ? 'was damaged' : 'was missing';
  return {
    code: 'DESK_RESTORED',
    message: `desk.json in ${dataDir} ${what} and was restored from the queue database. This desk keeps its ID.`,
    action: 'desk.restored',
    detail: { file: DESK_FILE },
  };
}

function otherDesk(dataDir: string): FailureError {
  return new FailureError({
    code: 'DATA_FOLDER',
    message: `desk.json and queue.db in ${dataDir} belong to different desks.`,
    advice:
      'Put back the one that was replaced. To continue with the queue as it is, delete desk.json: it will be restored from the queue.',
    retryable: false,
  });
}

function damaged(dataDir: string): FailureError {
  return new FailureError({
    code: 'DATA_FOLDER',
    message: `The ID of this desk cannot be read from desk.json in ${dataDir}.`,
    advice:
      'Restore desk.json or queue.db from a backup of this directory. Without one, delete desk.json: the desk gets a new ID and, unless siteId is set, sends exports that are still in the watched folders again as new incidents.',
    retryable: false,
  });
}
