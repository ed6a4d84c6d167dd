import type { uploadCalls } from '../../../shared/ipc/calls/uploads.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { UploadCommands } from '../queue/upload-commands.ts';
import type { UploadReads } from './upload-reads.ts';
import type { Handlers } from './handler.ts';

interface Parts {
  readonly reads: UploadReads;
  readonly orders: UploadCommands;
}

/** The queue: what is in it, and what a person orders. An order that was given is carried out, whoever hangs up. */
export function createUploadHandlers({ reads, orders }: Parts): Handlers<keyof typeof uploadCalls> {
  return {
    'uploads.listIncidents': (query) => ok(reads.listIncidents(query)),
    'uploads.placeOfIncident': (query) => ok(reads.placeOfIncident(query)),
    'uploads.listClips': (query) => ok(reads.listClips(query)),
    'uploads.getIncident': ({ incidentId }) => reads.getIncident(incidentId),
    'uploads.getClip': ({ clipId }) => reads.getClip(clipId),
    'uploads.getHistory': ({ of }) => reads.getHistory(of),
    'uploads.retry': ({ target }) => orders.retry(target),
    'uploads.pause': ({ target }) => orders.pause(target),
    'uploads.resume': ({ target }) => orders.resume(target),
    'uploads.cancel': ({ target }) => orders.cancel(target),
    'uploads.moveToFront': ({ target }) => orders.moveToFront(target),
  };
}
