import type { ClipDetail, IncidentDetail } from '../../../shared/domain/upload-view.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { parseFacts, parseFailure, parseMade, parseOrigins } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';

/** A moment for people and JSON: ISO 8601, UTC. */
export function iso(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : new Date(timeMs).toISOString();
}

/** What is known of an incident beside its line in a list. */
export function incidentExtras(row: IncidentRow): Omit<IncidentDetail, 'row'> {
  return {
    updatedAt: new Date(row.updatedAt).toISOString(),
    isSynced: row.syncedVersion >= row.version,
    folderGone: row.folderGone === 1,
    origins: originsOf(row.sources),
    ...knownFields<Partial<IncidentDetail>>({
      description: row.description,
      latitude: row.latitude,
      longitude: row.longitude,
      lastSyncedAt: iso(row.lastPutAt),
    }),
  };
}

/** What is known of a clip beside its line in a list. */
export function clipExtras(tables: Tables, row: ClipRow): Omit<ClipDetail, 'row'> {
  const { durationMs, format, videoCodec, width, height } = row.facts === null ? {} : parseFacts(row.facts);
  return {
    generation: row.generation,
    createdAt: new Date(row.createdAt).toISOString(),
    origins: originsOf(row.sources),
    ...knownFields<Partial<ClipDetail>>({
      cameraId: row.cameraId,
      cameraDescription: row.cameraDescription,
      latitude: row.cameraLatitude,
      longitude: row.cameraLongitude,
      durationMs,
      format,
      videoCodec,
      width,
      height,
      sha256: row.sha256,
      expectedSha256: row.expectedSha256,
      storageKey: row.storageKey,
      parts: partsOf(tables, row.id),
      thumbnail: thumbnailOf(tables, row.id),
      noPicture: noPictureOf(tables, row.id),
    }),
  };
}

function originsOf(sources: string): IncidentDetail['origins'] {
  return Object.entries(parseOrigins(sources)).map(([field, origin]) => ({ field, ...origin }));
}

function partsOf(tables: Tables, clipId: string): ClipDetail['parts'] {
  const upload = tables.multiparts.byClip(clipId);
  if (upload === undefined) return undefined;
  const { partCount, partSizeBytes } = upload;
  return { done: tables.parts.countOf(clipId), total: partCount, partSizeBytes };
}

function thumbnailOf(tables: Tables, clipId: string): ClipDetail['thumbnail'] {
  const row = tables.thumbnails.byClip(clipId);
  if (row === undefined) return undefined;
  const { state, path, storageKey, origin } = row;
  return {
    state,
    origin,
    ...knownFields<Partial<NonNullable<ClipDetail['thumbnail']>>>({
      file: origin === 'made' ? undefined : path,
      storageKey,
      made: parseMade(row.made),
    }),
  };
}

function noPictureOf(tables: Tables, clipId: string): ClipDetail['noPicture'] {
  if (tables.thumbnails.byClip(clipId) !== undefined) return undefined;
  const job = tables.jobs.of('make-thumbnail', clipId);
  return job?.state === 'failed' ? parseFailure(job.failure) : undefined;
}
