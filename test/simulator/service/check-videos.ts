import type { IncidentWrite, VideoWrite } from './incident-schema.ts';
import type { ServiceContext } from './route.ts';

/** Why these videos cannot be listed, or undefined when they can. */
export async function checkVideos(
  incidentId: string,
  written: IncidentWrite,
  context: ServiceContext,
): Promise<string | undefined> {
  if (written.id !== undefined && written.id !== incidentId) return 'id is not the id in the path';
  const videos = [...written.uploaded_videos, ...written.failed_videos];
  return (
    repeated(
      videos.map(({ id }) => id),
      'video id',
    ) ??
    repeated(
      written.uploaded_videos.flatMap(({ storage_key: key }) => key ?? []),
      'storage_key',
    ) ??
    checkForms(written) ??
    (await checkKeys(incidentId, videos, context))
  );
}

function repeated(values: readonly string[], what: string): string | undefined {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) return `${what} ${value} is listed more than once`;
    seen.add(value);
  }
  return undefined;
}

function checkForms({ uploaded_videos: uploaded, failed_videos: failed }: IncidentWrite): string | undefined {
  const keyless = uploaded.find((video) => video.storage_key === undefined);
  if (keyless) return `uploaded video ${keyless.id} has no storage_key`;
  const reasonless = failed.find((video) => !video.upload_errors?.length);
  if (reasonless) return `failed video ${reasonless.id} has no upload_errors`;
  const backwards = [...uploaded, ...failed].find(
    ({ started_at: start, ended_at: end }) => start && end && end < start,
  );
  return backwards && `video ${backwards.id} ends before it starts`;
}

/** Keys must be objects that this service issued for this incident and that storage has in full. */
async function checkKeys(
  incidentId: string,
  videos: readonly VideoWrite[],
  { uploads, storage }: ServiceContext,
): Promise<string | undefined> {
  for (const video of videos) {
    for (const key of [video.storage_key, video.storage_thumbnail_key]) {
      if (key === undefined) continue;
      const owner = uploads.ownerOf(key);
      if (owner?.incidentId !== incidentId) return `video ${video.id}: ${key} is not a key of this incident`;
      if (!(await storage.hasObject(key))) return `video ${video.id}: ${key} is not a stored object`;
    }
  }
  return undefined;
}
