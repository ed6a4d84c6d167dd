import type { Evidence } from '../../demo/evidence.ts';
import type { Source } from '../../demo/make-samples.ts';
import type { ToldEvent } from '../../demo/run-agent.ts';
import { samplePath, type SampleClip, type SampleExport } from '../../demo/sample-types.ts';
import type { StoredIncident, StoredVideo } from '../../simulator/index.ts';

export const API_KEY = 'the-key-of-this-test';
/** When slowly written clips are complete; everything is sent a second later. */
const WHOLE_MS = 1_000_000;
const SENT_MS = WHOLE_MS + 1000;

const incidentId = (sample: SampleExport): string => `incident of ${sample.folder}`;
const clipId = (sample: SampleExport, clip: SampleClip): string =>
  `id of ${samplePath(sample.folder, clip.file)}`;
const key = (sample: SampleExport, file: string): string => `key of ${samplePath(sample.folder, file)}`;

/** Every clip and image of the samples with its name. */
function filesOf(samples: readonly SampleExport[]) {
  return samples.flatMap((sample) => sample.clips.map((clip) => ({ sample, clip })));
}

/** The evidence of a run in which everything went as the samples require. */
export function evidenceOf(samples: readonly SampleExport[]): Evidence {
  const files = filesOf(samples);
  const sources = new Map<string, Source>();
  const objects = new Map<string, Source>();
  for (const { sample, clip } of files) {
    for (const file of [clip.file, ...(clip.image === undefined ? [] : [clip.image.file])]) {
      const source = { sizeBytes: 1000 + sources.size, sha256: `hash ${sources.size}` };
      sources.set(samplePath(sample.folder, file), source);
      const isSent = file !== clip.file || clip.expected.failsWith === undefined;
      if (isSent) objects.set(key(sample, file), source);
    }
  }
  const slow = files.filter(({ clip }) => clip.making.kind === 'written-slowly');
  const sent = files.filter(({ clip }) => clip.expected.failsWith === undefined);
  return {
    sources,
    objects,
    wholeSince: new Map(slow.map(({ sample, clip }) => [samplePath(sample.folder, clip.file), WHOLE_MS])),
    firstSentAt: new Map(sent.map(({ sample, clip }) => [clipId(sample, clip), SENT_MS])),
    incidents: samples.map(incidentOf),
    openUploads: [],
    events: eventsOf(samples),
    notes: [],
    apiKey: API_KEY,
    exit: 14,
  };
}

function incidentOf(sample: SampleExport): StoredIncident {
  const { expected, clips } = sample;
  const isUploaded = (clip: SampleClip): boolean => clip.expected.failsWith === undefined;
  return {
    id: incidentId(sample),
    title: expected.title,
    description: expected.description ?? null,
    incident_at: expected.incidentAt,
    created_at: null,
    updated_at: null,
    longitude: expected.longitude ?? null,
    latitude: expected.latitude ?? null,
    uploaded_videos: clips.filter(isUploaded).map((clip) => videoOf(sample, clip)),
    failed_videos: clips.filter((clip) => !isUploaded(clip)).map((clip) => videoOf(sample, clip)),
  };
}

function videoOf(sample: SampleExport, clip: SampleClip): StoredVideo {
  const { cameraId, cameraName, cameraDescription, startedAt, endedAt, failsWith } = clip.expected;
  return {
    id: clipId(sample, clip),
    camera_id: cameraId,
    camera_name: cameraName,
    ...(cameraDescription !== undefined && { camera_description: cameraDescription }),
    started_at: startedAt,
    ended_at: endedAt,
    ...(failsWith === undefined && { storage_key: key(sample, clip.file) }),
    ...(clip.image !== undefined && { storage_thumbnail_key: key(sample, clip.image.file) }),
    upload_errors: failsWith === undefined ? [] : ['Too large: 400 MB, the limit is 300 MB.'],
  };
}

function eventsOf(samples: readonly SampleExport[]): readonly ToldEvent[] {
  const files = filesOf(samples);
  const failed = files.filter(({ clip }) => clip.expected.failsWith !== undefined).length;
  const message = 'said by a test';
  return [
    ...samples.map((sample): ToldEvent => ({
      event: 'incident.found',
      incidentId: incidentId(sample),
      title: sample.expected.title,
      folder: sample.folder,
      clips: sample.clips.length,
    })),
    ...files.flatMap(({ sample, clip }): ToldEvent[] => {
      const about = { incidentId: incidentId(sample), clipId: clipId(sample, clip), file: clip.file };
      const told: ToldEvent =
        clip.expected.failsWith === undefined
          ? { event: 'clip.uploaded', ...about, bytes: 1, sha256: 'not looked at', storageKey: 'neither' }
          : { event: 'clip.failed', ...about, code: 'FILE_TOO_LARGE', message, advice: '' };
      const { folder } = sample;
      const { file, making } = clip;
      return making.kind === 'written-slowly' && making.pausing
        ? [{ event: 'file.held', folder, file, code: 'FILE_INCOMPLETE', message, advice: '' }, told]
        : [told];
    }),
    {
      event: 'summary',
      incidents: samples.length,
      uploaded: files.length - failed,
      failed,
      bytes: 1,
      seconds: 1,
    },
  ];
}
