import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Alteration } from '../../../shared/domain/upload-view.ts';
import { alterationText, judgeAlteration } from '../core/settle/settle-rule.ts';
import type { ClipRow, SentClip } from '../store/clip-rows.ts';
import type { JobRow } from '../store/job-rows.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';
import type { ThumbnailRow } from '../store/thumbnail-rows.ts';
import type { AgentEvents } from '../events.ts';
import { PRIORITY, type IncidentQueue, type ThumbnailJobs } from './incident-jobs.ts';
import { orphanUpload } from './orphan-uploads.ts';
import { reasonOf, type AfterCommit } from './outcome.ts';
import type { Clock } from '../ports.ts';

/** Writes what became of a clip or thumbnail, and all that follows from it. Call each inside a transaction. */
export interface ClipResults {
  /** `version` is the one that storage has; a clip that has settled with a new version meanwhile is sent again. */
  clipUploaded(
    clipId: string,
    storageKey: string,
    sha256: string,
    version: SentVersion,
    proof: UploadProof,
  ): AfterCommit;
  /** For a clip that is now too large for one piece: another worker sends it. */
  sendInParts(clipId: string): undefined;
  thumbnailUploaded(clipId: string, storageKey: string, sha256: string, sent: SentImage): AfterCommit;
  /** For a made thumbnail whose file is gone or has changed: another one is made. */
  thumbnailLost(clipId: string): undefined;
  /** For an incident that cannot be sent at all: each waiting clip fails with the reason. */
  incidentGivenUp(incidentId: string, failure: Failure): AfterCommit;
  givenUp(job: Pick<JobRow, 'kind' | 'subject'>, failure: Failure): AfterCommit;
  retrying(job: JobRow, failure: Failure, delayMs: number): AfterCommit;
}

/** The image that storage has. */
export type SentImage = Pick<ThumbnailRow, 'path' | 'sizeBytes' | 'mtimeNs'>;

/** What distinguishes two versions of a file. Not the inode, which a share that is mounted again may change. */
export type SentVersion = Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>;

const isSameImage = (one: SentImage, other: SentImage): boolean =>
  one.path === other.path && one.sizeBytes === other.sizeBytes && one.mtimeNs === other.mtimeNs;

/** What the history keeps of the successful try. `startedAt` in milliseconds since 1970. */
export interface UploadProof {
  readonly startedAt: number | null;
  /** Of an object in one piece, as returned by storage. */
  readonly etag?: string;
  readonly requestIds?: readonly RequestId[];
  /** Change time of the file after its last byte was read, nanoseconds since 1970. */
  readonly ctimeNs?: string;
}

interface Deps {
  readonly tables: Tables;
  readonly queue: IncidentQueue;
  readonly events: AgentEvents;
  /** Counts the bytes of clips on the line. */
  readonly meter: { ended(clipId: string): void };
  readonly thumbnailJobs: ThumbnailJobs;
  readonly clock: Clock;
}

/** A clip that storage acknowledged, and what to announce once that is committed. */
interface StoredClip {
  readonly id: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly version: SentVersion;
  readonly proof: UploadProof;
  announce: AfterCommit;
}

/**
 * Creates the writer of clips that storage acknowledged; `sendInParts` takes those whose file has changed meanwhile.
 */
function createStoredClips(
  { tables, queue, events, meter, clock }: Deps,
  sendInParts: (clipId: string) => void,
): (stored: readonly StoredClip[]) => void {
  /** The alteration stays with the clip until other bytes are sent for it. */
  function noteAlteration(clip: SentClip, altered: Alteration | undefined): Alteration | undefined {
    if (altered === undefined) {
      if (clip.altered !== null) tables.clips.setAltered(clip.id, null);
      return undefined;
    }
    tables.clips.setAltered(clip.id, JSON.stringify(altered));
    tables.history.clip(clip.id, { at: clock.now(), facts: { kind: 'altered', ...altered } });
    return altered;
  }

  function noteAltered({ id, incidentId, path }: SentClip, altered: Alteration): void {
    events.emit({
      event: 'clip.altered',
      incidentId,
      clipId: id,
      file: path,
      code: 'FILE_ALTERED',
      message: `${visibleName(path)}: ${alterationText(altered)}`,
      ...altered,
    });
  }

  function noteUploaded(
    clip: SentClip,
    { storageKey, sha256 }: StoredClip,
    altered: Alteration | undefined,
  ): void {
    meter.ended(clip.id);
    events.emit({
      event: 'clip.uploaded',
      incidentId: clip.incidentId,
      clipId: clip.id,
      file: clip.path,
      bytes: clip.sizeBytes,
      sha256,
      storageKey,
    });
    if (altered !== undefined) noteAltered(clip, altered);
    if (clip.expectedSha256 === null || clip.expectedSha256 === sha256) return;
    const message = `Sent, but the SHA-256 differs from the one stated in the export: ${visibleName(clip.path)}. Either the stated value is wrong, or the file has changed since.`;
    events.emit({ event: 'warning', code: 'SIDECAR_SHA256', message });
  }

  /** Writes all clips of a transaction in as many statements as a single one needs. */
  return (stored) => {
    const found = new Map(tables.clips.ofIds(stored.map(({ id }) => id)).map((clip) => [clip.id, clip]));
    const sent: StoredClip[] = [];
    for (const one of stored) {
      const clip = found.get(one.id);
      if (clip === undefined) continue;
      // Parts suit a file of any size
      if (clip.sizeBytes !== one.version.sizeBytes || clip.mtimeNs !== one.version.mtimeNs)
        sendInParts(clip.id);
      else sent.push(one);
    }
    if (sent.length === 0) return;
    const at = clock.now();
    tables.clips.sent(sent, at);
    tables.history.sent(
      sent.map(({ id, storageKey, proof: { startedAt, ctimeNs: _ctimeNs, ...proof } }) => {
        return { id, at, startedAt, facts: { kind: 'uploaded', storageKey, ...proof } };
      }),
    );
    const ids = sent.map(({ id }) => id);
    tables.multiparts.removeOf(ids);
    // A clip that was paused just as it arrived is paused no longer, and nobody could resume its thumbnail
    tables.jobs.resumeThumbnails(ids);
    for (const one of sent) {
      const clip = found.get(one.id);
      if (clip === undefined) continue;
      const { sha256, proof } = one;
      const altered = noteAlteration(clip, judgeAlteration(clip, { sha256, ctimeNs: proof.ctimeNs }));
      queue.touch(clip.incidentId);
      one.announce = () => noteUploaded(clip, one, altered);
    }
  };
}

/** Creates the writers of clip results. */
export function createClipResults(deps: Deps): ClipResults {
  const { tables, queue, events, meter, thumbnailJobs, clock } = deps;

  function clipFailed(clipId: string, failure: Failure): AfterCommit {
    const clip = tables.clips.byId(clipId);
    if (clip === undefined) return undefined;
    orphanUpload(deps, clip.incidentId, clip.id, failure.code);
    tables.clips.failed(clip.id, JSON.stringify(failure));
    queue.touch(clip.incidentId);
    return () => {
      meter.ended(clip.id);
      sayFailed(clip, failure);
    };
  }

  function sayFailed(
    { id, incidentId, path }: Pick<ClipRow, 'id' | 'incidentId' | 'path'>,
    { code, message, advice }: Failure,
  ): void {
    events.emit({ event: 'clip.failed', incidentId, clipId: id, file: path, code, message, advice });
  }

  function send(kind: 'send-clip' | 'send-thumbnail', clip: ClipRow): undefined {
    const now = clock.now();
    tables.jobs.put({
      kind,
      subject: clip.id,
      pool: kind === 'send-clip' ? 'large' : 'small',
      incidentId: clip.incidentId,
      state: 'ready',
      priority: kind === 'send-clip' ? PRIORITY.clip : PRIORITY.thumbnail,
      dueAt: now,
      createdAt: now,
    });
    return undefined;
  }

  function sendInParts(clipId: string): undefined {
    const clip = tables.clips.byId(clipId);
    return clip?.state === 'queued' ? send('send-clip', clip) : undefined;
  }

  const gather = tables.gathered('stored clips', createStoredClips(deps, sendInParts));

  return {
    sendInParts,
    clipUploaded(id, storageKey, sha256, version, proof) {
      const stored: StoredClip = { id, storageKey, sha256, version, proof, announce: undefined };
      gather(stored);
      return () => stored.announce?.();
    },
    thumbnailUploaded(clipId, storageKey, sha256, sent) {
      const clip = tables.clips.byId(clipId);
      if (clip === undefined) return undefined;
      const row = tables.thumbnails.byClip(clip.id);
      // Another image has replaced it while it was on the line
      if (row !== undefined && !isSameImage(row, sent)) return send('send-thumbnail', clip);
      const before = row?.storageKey;
      tables.thumbnails.uploaded(clip.id, storageKey, sha256);
      // A clip that is still queued reports its thumbnail when it is sent itself
      if (clip.state !== 'queued' && before !== storageKey) queue.touch(clip.incidentId, 'afterInterval');
      return undefined;
    },
    thumbnailLost(clipId) {
      if (tables.thumbnails.removeMade(clipId) > 0) thumbnailJobs.lost(clipId);
      return undefined;
    },
    incidentGivenUp(incidentId, failure) {
      const text = JSON.stringify(failure);
      const waiting = tables.clips.ofIncident(incidentId).filter(({ state }) => state === 'queued');
      for (const { id } of waiting) {
        orphanUpload(deps, incidentId, id, failure.code);
        tables.jobs.failSends(id, text);
        tables.clips.failed(id, text);
        if (tables.thumbnails.byClip(id)?.state === 'queued') tables.thumbnails.failed(id, text);
        const facts = { kind: 'tried', end: 'given-up', reason: reasonOf(failure) } as const;
        tables.history.clip(id, { at: clock.now(), facts });
      }
      return () => {
        for (const clip of waiting) sayFailed(clip, failure);
      };
    },
    givenUp(job, failure) {
      if (job.kind === 'send-clip') return clipFailed(job.subject, failure);
      // The incident is complete without a thumbnail: its clip is not held back or failed because of it
      tables.thumbnails.failed(job.subject, JSON.stringify(failure));
      return () => events.emit({ event: 'warning', code: failure.code, message: failure.message });
    },
    retrying(job, failure, delayMs) {
      if (job.kind !== 'send-clip') return undefined;
      const clip = tables.clips.byId(job.subject);
      if (clip === undefined) return undefined;
      const { code, message } = failure;
      // Retried every minute for as long as a share is away: reported once
      if (isFileWaitedFor(code) && parseFailure(clip.failure)?.message === message) return undefined;
      tables.clips.setFailure(clip.id, JSON.stringify(failure));
      const { incidentId, path } = clip;
      return () =>
        events.emit({
          event: 'clip.retrying',
          incidentId,
          clipId: clip.id,
          file: path,
          code,
          message,
          delayMs,
        });
    },
  };
}
