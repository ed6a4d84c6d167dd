import { agentPolicyOf } from '../agent/core/failures/failure-policy.ts';
import type { AgentEvent, Progress } from '../agent/index.ts';

/** What one run did, and what it leaves behind. */
export interface Summary {
  /** Incidents that something happened to in this run. */
  readonly incidents: number;
  /** Clips uploaded in this run. */
  readonly uploaded: number;
  /** Clips that are failed now, whenever that happened: they need someone. */
  readonly failed: number;
  /** Clips that wait for the person who paused them: this run did not send them. */
  readonly paused: number;
  /** Bytes of the uploaded clips. */
  readonly bytes: number;
  readonly seconds: number;
  /** Files that are not uploaded because of what they are, in this run. */
  readonly held: number;
}

/** Counts events as they come. */
export interface RunTally {
  add(event: AgentEvent): void;
  summary(progress: Progress, elapsedMs: number): Summary;
}

/** A tally that has seen nothing. */
export function createRunTally(): RunTally {
  const folders = new Map<string, string | undefined>();
  const held = new Set<string>();
  let uploaded = 0;
  let bytes = 0;
  const release = (incident: string, file: string): void => {
    held.delete(fileKey(folders.get(incident) ?? '', file));
  };
  return {
    add(event) {
      if ('incidentId' in event && !folders.has(event.incidentId)) folders.set(event.incidentId, undefined);
      if (event.event === 'incident.found') folders.set(event.incidentId, event.folder);
      if (isHeld(event)) held.add(fileKey(event.folder, event.file));
      if (event.event === 'clip.uploaded' || event.event === 'clip.failed')
        release(event.incidentId, event.file);
      if (event.event !== 'clip.uploaded') return;
      uploaded += 1;
      bytes += event.bytes;
    },
    summary: (progress, elapsedMs) => ({
      incidents: folders.size,
      uploaded,
      failed: progress.clipsFailed,
      paused: progress.clipsPaused,
      bytes,
      seconds: Math.round(elapsedMs) / 1000,
      held: held.size,
    }),
  };
}

/** What is left out on purpose (a vendor's player, a link, a pipe) needs no one. */
const isHeld = (event: AgentEvent): event is Extract<AgentEvent, { event: 'file.held' }> =>
  event.event === 'file.held' && agentPolicyOf(event.code).file !== 'leftOut';

const fileKey = (folder: string, file: string): string => JSON.stringify([folder, file]);
