import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { DeskId } from '../../../shared/domain/ids.ts';
import type { incidentCalls } from '../../../shared/ipc/calls/incidents.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { PushRequest } from '../files/watched-root.ts';
import type { ReadDb } from '../store/open-db.ts';
import type { Tables } from '../store/tables.ts';
import { editIncident } from '../record/edit-incident.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { checkFolder, checkPush } from '../intake/check-push.ts';
import { previewExport } from '../intake/preview-export.ts';
import type { Clock } from '../ports.ts';
import type { WatchedRoot } from '../files/watched-root.ts';
import type { ThumbnailJobs } from '../queue/thumbnail-jobs.ts';
import type { RootGates } from '../files/root-gate.ts';
import { listFolders } from './list-folders.ts';
import { readThumbnail } from './read-thumbnail.ts';
import { createBrowseGate } from '../files/browse-gate.ts';
import { createRootGate } from '../files/root-gate.ts';
import type { Handlers } from './handler.ts';

/** How long a look at the rights of one folder may take, milliseconds: a person waits for the list. */
const RIGHTS_DEADLINE_MS = 2_000;

interface Parts {
  readonly tables: Tables;
  readonly db: Pick<ReadDb, 'prepare'>;
  readonly queue: IncidentQueue;
  readonly clock: Clock;
  readonly gates: RootGates;
  readonly pictures: ThumbnailJobs;
  readonly deskId: DeskId;
  readonly dataDir: string;
  readonly roots: readonly WatchedRoot[];
  /** `Agent.push`. */
  readonly push: (requests: readonly PushRequest[]) => void;
  /** A person changed an incident: its PUT may be due, and lists show something else. */
  readonly onEdited: (incidentId: string) => void;
  /** Aborted when the agent stops. */
  readonly stopping: AbortSignal;
}

/** Answers what a person orders about incidents and folders. */
export function createIncidentHandlers(parts: Parts): Handlers<keyof typeof incidentCalls> {
  const { clock, roots, stopping } = parts;
  const gate = createBrowseGate(clock, stopping);
  const childGate = createRootGate({ clock, rootPath: '', deadlineMs: RIGHTS_DEADLINE_MS });
  stopping.addEventListener('abort', () => childGate.close(), { once: true });
  const checks = { gate, roots, dataDir: parts.dataDir };
  const places = [...roots.map(({ realPath }) => dirname(realPath)), homedir()];

  return {
    'incidents.edit': ({ incidentId, changes }) => {
      const edited = editIncident(parts, incidentId, changes);
      if (edited.ok) parts.onEdited(incidentId);
      return edited;
    },
    'exports.preview': async ({ folder }, signal) => {
      const checked = await checkFolder(checks, folder, signal);
      return checked.ok ? previewExport(parts, checked.value, signal) : checked;
    },
    'exports.push': async ({ folders, ...details }, signal) => {
      const checked = await checkPush(checks, folders, signal);
      if (!checked.ok) return checked;
      parts.push(checked.value.map((folder) => ({ folder, ...details })));
      return ok({ folders: checked.value });
    },
    'folders.list': ({ path }, signal) => listFolders({ gate, childGate, places }, path, signal),
    'uploads.getThumbnail': ({ clipId }, signal) => readThumbnail(parts, clipId, signal),
  };
}
