import type { uploadCalls } from '../../../shared/ipc/calls/uploads.ts';
import type { WideTarget } from '../../../shared/domain/upload-view.ts';
import { assertNever, ok } from '../../../shared/lib/result.ts';
import type { AuditDetail } from '../evidence/audit-trail.ts';
import { answerRoot } from '../intake/answer-root.ts';
import type { Clock } from '../ports.ts';
import type { UploadCommands } from '../queue/upload-commands.ts';
import type { Calls } from './call.ts';
import { readThumbnail, type ThumbnailDeps } from './clip-files.ts';
import { readHandover } from './handover.ts';
import type { PlayedClips } from './played-clips.ts';
import type { UploadReads } from './upload-reads.ts';

interface Deps extends ThumbnailDeps {
  readonly reads: UploadReads;
  readonly commands: UploadCommands;
  readonly played: Pick<PlayedClips, 'open'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Clips that are named one by one in the audit trail; the history of each clip has the others. */
const MOST_NAMED = 20;

/** The queue: what is in it, and what a person does with it. What was begun is finished, whoever hangs up. */
export function createUploadCalls(deps: Deps): Calls<keyof typeof uploadCalls> {
  const { reads, commands, tables } = deps;
  const changes = ['uploads', 'health'] as const;
  const audit = { asked: ({ target }: { readonly target: WideTarget }) => namesOf(target) };
  return {
    'uploads.listIncidents': { handle: (query) => ok(reads.listIncidents(query)) },
    'uploads.list': { handle: (query) => ok(reads.list(query)) },
    'uploads.placeOf': { handle: (query) => ok(reads.placeOf(query)) },
    'uploads.listClips': { handle: (query) => ok(reads.listClips(query)) },
    'uploads.listExports': { handle: (window) => ok(reads.listExports(window)) },
    'uploads.getExport': { handle: ({ exportId }) => reads.getExport(exportId) },
    'uploads.incidentOfExport': { handle: ({ exportId }) => ok(reads.incidentOfExport(exportId)) },
    'uploads.handover': {
      handle: ({ since }) => ok(readHandover(tables, reads, Date.parse(since), deps.clock.now())),
    },
    'uploads.getIncident': { handle: ({ incidentId }) => reads.getIncident(incidentId) },
    'uploads.getClip': { handle: ({ clipId }) => reads.getClip(clipId) },
    'uploads.getHistory': { handle: ({ of }) => reads.getHistory(of) },
    'uploads.getThumbnail': { handle: ({ clipId }, signal) => readThumbnail(deps, clipId, signal) },
    'uploads.openClip': { handle: ({ clipId }, signal) => deps.played.open(clipId, signal) },
    'uploads.retry': { handle: ({ target }) => commands.retry(target), audit, changes },
    'uploads.pause': { handle: ({ target }) => commands.pause(target), audit, changes },
    'uploads.resume': { handle: ({ target }) => commands.resume(target), audit, changes },
    'uploads.moveToFront': { handle: ({ target }) => commands.moveToFront(target), audit, changes },
    'uploads.answerRoot': {
      handle: ({ folder, answer }) => ok({ answered: answerRoot(tables, folder, answer) }),
      audit: { asked: ({ answer }) => ({ answer }) },
      changes,
    },
    'uploads.cancel': {
      handle: ({ target }) => commands.cancel(target),
      audit,
      changes,
    },
  };
}

function namesOf(target: WideTarget): AuditDetail {
  switch (target.kind) {
    case 'all':
      return { all: true };
    case 'incident':
      return { incidentId: target.incidentId };
    case 'clips':
      return { clips: target.clipIds.length, clipIds: target.clipIds.slice(0, MOST_NAMED) };
    default:
      return assertNever(target);
  }
}
