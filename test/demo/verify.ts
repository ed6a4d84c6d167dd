import { differs } from './differs.ts';
import type { Evidence } from './evidence.ts';
import { samplePath, type SampleExport } from './sample-types.ts';
import { verifyClip, type ClipVerdict } from './verify-clip.ts';

/** The result for one export. `problems` are about the incident itself; its clips have their own. */
export interface IncidentVerdict {
  readonly sample: SampleExport;
  readonly clips: readonly ClipVerdict[];
  readonly problems: readonly string[];
}

/** The result for everything. */
export interface Verdict {
  readonly incidents: readonly IncidentVerdict[];
  /** Problems that belong to no incident of the samples. */
  readonly problems: readonly string[];
  /** All problems, each with what it is about; empty when all is as it should be. */
  readonly differences: readonly string[];
}

/** The agent's exit code when clips failed, as one must here. */
const SOME_CLIPS_FAILED = 14;
/** A signed URL that contains this is as good as a key. */
const SIGNATURE = /X-Amz-Signature=[0-9a-f]/i;

/** Compares what service and storage have with what the samples require, and looks at nothing else. */
export function verify(samples: readonly SampleExport[], evidence: Evidence): Verdict {
  const incidents = samples.map((sample) => verifyIncident(sample, evidence));
  const problems = [
    ...foreignIncidents(samples, evidence),
    ...looseObjects(evidence),
    ...evidence.openUploads.map((key) => `the multipart upload of ${key} was left open`),
    ...verifyEnd(samples, evidence),
    ...secretsTold(evidence),
  ];
  const differences = [
    ...incidents.flatMap(({ sample, clips, problems: own }) => [
      ...own.map((problem) => `${sample.folder}: ${problem}`),
      ...clips.flatMap((clip) =>
        clip.problems.map((problem) => `${samplePath(sample.folder, clip.file)}: ${problem}`),
      ),
    ]),
    ...problems,
  ];
  return { incidents, problems, differences };
}

/** The incident that the agent made from a folder, according to its events: file names appear nowhere else. */
export function incidentIdOf(folder: string, { events }: Pick<Evidence, 'events'>): string | undefined {
  return events.flatMap((event) =>
    event.event === 'incident.found' && event.folder === folder ? [event.incidentId] : [],
  )[0];
}

function verifyIncident(sample: SampleExport, evidence: Evidence): IncidentVerdict {
  const id = incidentIdOf(sample.folder, evidence);
  const clips = sample.clips.map((clip) => verifyClip(sample.folder, clip, id, evidence));
  const incident = evidence.incidents.find((each) => each.id === id);
  if (incident === undefined) return { sample, clips, problems: ['the service has no such incident'] };
  const { expected } = sample;
  const known = new Set(clips.flatMap((clip) => clip.ids));
  const foreign = [...incident.uploaded_videos, ...incident.failed_videos].filter(
    (video) => !known.has(video.id),
  );
  const problems = [
    ...differs('title', incident.title, expected.title),
    ...differs('incident_at', incident.incident_at, expected.incidentAt),
    ...differs('description', incident.description, expected.description ?? null),
    ...differs('latitude', incident.latitude, expected.latitude ?? null),
    ...differs('longitude', incident.longitude, expected.longitude ?? null),
    ...foreign.map((video) => `lists video ${video.id}, which is not one of its clips`),
  ];
  return { sample, clips, problems };
}

function foreignIncidents(samples: readonly SampleExport[], evidence: Evidence): readonly string[] {
  const ours = new Set(samples.map((sample) => incidentIdOf(sample.folder, evidence)));
  return evidence.incidents
    .filter((incident) => !ours.has(incident.id))
    .map(
      (incident) =>
        `the service has incident ${incident.id} ("${incident.title}"), which belongs to no sample`,
    );
}

/** Each object must be listed exactly once; otherwise it was sent for nothing, or twice. */
function looseObjects({ incidents, objects }: Evidence): readonly string[] {
  const videos = incidents.flatMap((incident) => [...incident.uploaded_videos, ...incident.failed_videos]);
  const listed = videos.flatMap((video) => [video.storage_key, video.storage_thumbnail_key]);
  return [...objects.keys()].flatMap((key) => {
    const times = listed.filter((each) => each === key).length;
    return times === 1 ? [] : [`the object ${key} is listed ${times} times`];
  });
}

function verifyEnd(samples: readonly SampleExport[], { exit, events }: Evidence): readonly string[] {
  if (exit === undefined) return [];
  const clips = samples.flatMap((sample) => sample.clips);
  const failed = clips.filter((clip) => clip.expected.failsWith !== undefined).length;
  const summary = events.find((event) => event.event === 'summary');
  return [
    ...differs("the agent's exit code", exit, failed > 0 ? SOME_CLIPS_FAILED : 0),
    ...differs("the summary's uploaded", summary?.uploaded, clips.length - failed),
    ...differs("the summary's failed", summary?.failed, failed),
  ];
}

function secretsTold({ apiKey, events, notes }: Evidence): readonly string[] {
  const lines = [...events.map((event) => JSON.stringify(event)), ...notes];
  const told = lines.filter((line) => line.includes(apiKey) || SIGNATURE.test(line));
  return told.length === 0
    ? []
    : [`the agent printed the key or a signed URL in ${told.length} lines of its output`];
}
