import { randomUUID } from 'node:crypto';
import { readFile, rename, open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { deskId, type DeskId } from '../../../shared/domain/ids.ts';
import { FailureError } from '../../../shared/domain/failure.ts';

const DESK_FILE = 'desk.json';
const deskSchema = z.object({ deskId: z.uuid() });

/** The desk id that a queue remembers; see `tables.desk`. */
export interface DeskMemory {
  get(): string | undefined;
  set(deskId: string): unknown;
}

const noMemory: DeskMemory = { get: () => undefined, set: () => undefined };

/**
 * The desk's id, made once and kept beside the queue database, not in it: a lost database then finds the
 * same incident ids again (service.md gap 11). Throws `FailureError` DATA_FOLDER when the file is damaged,
 * because a new id would double every incident; a lost one is restored from the queue's memory of it.
 */
export async function loadDeskId(dataDir: string, memory: DeskMemory = noMemory): Promise<DeskId> {
  const remembered = memory.get();
  const id =
    (await readDeskId(dataDir)) ?? (await createDeskId(join(dataDir, DESK_FILE), remembered ?? randomUUID()));
  if (remembered === undefined) memory.set(id);
  else if (remembered !== id) throw otherDesk(dataDir);
  return id;
}

async function readDeskId(dataDir: string): Promise<DeskId | undefined> {
  const file = join(dataDir, DESK_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw damaged(file, error);
  });
  if (text === undefined) return undefined;
  try {
    return deskId(deskSchema.parse(JSON.parse(text)).deskId);
  } catch (error) {
    throw damaged(file, error);
  }
}

async function createDeskId(file: string, id: string): Promise<DeskId> {
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  await handle.writeFile(`${JSON.stringify({ deskId: id }, undefined, 2)}\n`);
  await handle.sync();
  await handle.close();
  await rename(temporary, file);
  return deskId(id);
}

function otherDesk(dataDir: string): FailureError {
  return new FailureError({
    code: 'DATA_FOLDER',
    message: `desk.json and the queue in ${dataDir} belong to different desks.`,
    advice: 'Put back the desk.json that belongs to this queue, or use another data directory.',
    retryable: false,
  });
}

function damaged(file: string, cause: unknown): FailureError {
  return new FailureError(
    {
      code: 'DATA_FOLDER',
      message: `${file} cannot be read, so this desk does not know its own id.`,
      advice: 'Restore the file from a backup. Deleting it makes every export a new incident.',
      retryable: false,
    },
    { cause },
  );
}
