import { randomUUID } from 'node:crypto';
import { readFile, rename, open } from 'node:fs/promises';
import { join } from 'node:path';
import { v5 as uuidV5 } from 'uuid';
import { z } from 'zod';
import {
  clipId,
  deskId,
  incidentId,
  rootId,
  type ClipId,
  type DeskId,
  type IncidentId,
  type RootId,
} from '../../../shared/domain/ids.ts';
import { FailureError } from '../../../shared/domain/failure-error.ts';

const DESK_FILE = 'desk.json';
/** Name space of all ids that this product derives. */
const NAMESPACE = '6f0d3a86-5f4e-4e6b-9a53-0f6f1f2d7c11';

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

/** Id of a watched root, from the desk and the root's real path. */
export function rootIdOf(desk: DeskId, realPath: string): RootId {
  return rootId(uuidV5(`root\n${desk}\n${realPath}`, NAMESPACE));
}

/** Id of an incident (service.md gap 11): the same export folder always gives the same id, a re-used name another one. */
export function incidentIdOf(desk: DeskId, root: string, exportPath: string, birthMs: number): IncidentId {
  return incidentId(uuidV5(`incident\n${desk}\n${root}\n${exportPath}\n${birthMs}`, NAMESPACE));
}

/** Id of a clip (service.md gap 12). Generations after the first add `#2`, `#3` ... to the path. */
export function clipIdOf(incident: string, path: string, generation: number): ClipId {
  const suffix = generation === 1 ? '' : `#${generation}`;
  return clipId(uuidV5(`clip\n${incident}\n${path}${suffix}`, NAMESPACE));
}
