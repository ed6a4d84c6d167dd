import type {
  Duplicate,
  ExportPreview,
  PreviewClip,
  PreviewNote,
} from '../../../../shared/domain/export-preview.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import type { Sourced } from '../../../../shared/domain/sourced.ts';
import { knownFields } from '../../../../shared/lib/known-fields.ts';
import type { DescribedClip, DescribedExport } from './described-export.ts';
import type { RecognisedExport } from './recognise-export.ts';

/** Everything that was found out about a folder that may be sent. */
export interface PreviewEvidence {
  /** Real path of the folder. */
  readonly folder: string;
  readonly knownAs?: { readonly incidentId: string; readonly title: string };
  readonly recognised: RecognisedExport;
  readonly described: DescribedExport;
  /** Sidecars that were refused. */
  readonly troubles: readonly Failure[];
  /** What was left out before anything was recognised. */
  readonly leftOut: readonly PreviewNote[];
  /** By path of the clip. */
  readonly duplicates: ReadonlyMap<string, readonly Duplicate[]>;
  readonly isCut: boolean;
}

/** What a person is shown of a folder before it is sent; the words are those that intake will use. */
export function describePreview(evidence: PreviewEvidence): ExportPreview {
  const { folder, knownAs, recognised, described, duplicates, isCut } = evidence;
  const { title, description, incidentAt, latitude, longitude } = described.incident;
  const sizes = new Map(recognised.clips.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const clips = described.clips.map((clip) =>
    previewClip(clip, sizes.get(clip.path) ?? 0, duplicates.get(clip.path) ?? []),
  );
  return {
    folder,
    title: title.value,
    ...knownFields<Partial<ExportPreview>>({
      knownAs,
      description: description?.value,
      incidentAt: timestamp(incidentAt),
      latitude: latitude?.value,
      longitude: longitude?.value,
    }),
    origins: originsOf({ title, description, incidentAt, latitude, longitude }),
    clips,
    totalBytes: clips.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    skipped: [
      ...evidence.leftOut,
      ...recognised.skipped.map(({ path, code, message }) => ({ file: path, code, message })),
    ],
    warnings: [
      ...described.warnings,
      ...evidence.troubles.map(({ code, message }) => ({ code, message })),
      ...(clips.length === 0 ? [noClips] : []),
    ],
    isCut,
  };
}

const noClips: PreviewNote = {
  code: 'NO_CLIPS',
  message: 'The folder holds no clip; it becomes no incident.',
};

function previewClip(clip: DescribedClip, sizeBytes: number, duplicates: readonly Duplicate[]): PreviewClip {
  const { cameraId, cameraName, startedAt, endedAt, thumbnailPath } = clip;
  return {
    file: clip.path,
    sizeBytes,
    ...knownFields<Partial<PreviewClip>>({
      cameraId: cameraId?.value,
      cameraName: cameraName?.value,
      startedAt: timestamp(startedAt),
      endedAt: timestamp(endedAt),
      thumbnail: thumbnailPath?.value,
    }),
    duplicates,
    origins: originsOf({ cameraId, cameraName, startedAt, endedAt, thumbnail: thumbnailPath }),
  };
}

function timestamp(time: Sourced<number> | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time.value).toISOString();
}

function originsOf(fields: Readonly<Record<string, Sourced<unknown> | undefined>>): ExportPreview['origins'] {
  return Object.entries(fields).flatMap(([field, sourced]) => {
    if (sourced === undefined) return [];
    const { source, confidence, note } = sourced;
    return [{ field, source, confidence, ...(note === undefined ? {} : { note }) }];
  });
}
