import type {
  ExplainedClip,
  ExplainedField,
  ExplainedNames,
  ExplainedReading,
  ExplainedRecogniser,
  ExplainedValue,
} from '../../../../shared/domain/explanation.ts';
import type { Candidate, Sourced, ValueSource } from '../../../../shared/domain/file-account.ts';
import { considerIncident } from '../records/describe-incident.ts';
import { endCandidates, startCandidates } from '../times/clip-times.ts';
import { formatLocal } from '../times/zoned-time.ts';
import { considerCamera, timeEvidence, type CameraPosition, type ClipEvidence } from './describe-clip.ts';
import { clipEvidence } from './describe-export.ts';
import type { DescribedClip, DescribedExport, ExportEvidence } from './described-export.ts';
import type { OwnPattern } from './own-patterns.ts';
import { candidatesOf, fitsOf, partsOf, type ClipNameReading, type Fit } from './read-clip-name.ts';

/** The values of an export in the queue, by field; those of each clip by its path. */
export interface StoredReadings {
  readonly incident: Readonly<Partial<Record<ExplainedField, ExplainedReading>>>;
  readonly clips: ReadonlyMap<string, StoredReadings['incident']>;
}

/** How values are put into words. */
interface Words {
  readonly timeZone: string;
  readonly stored: StoredReadings['incident'];
}

const nothingStored: StoredReadings = { incident: {}, clips: new Map() };

/** Explains each value of an export by the same candidates from which `describeExport` takes the first. */
export function explainExport(
  evidence: ExportEvidence,
  described: DescribedExport,
  stored: StoredReadings = nothingStored,
): { readonly incident: readonly ExplainedValue[]; readonly clips: readonly ExplainedClip[] } {
  const timeZone = evidence.sidecar?.timeZone ?? evidence.watch.timeZone;
  const { title, description, incidentAt, position } = considerIncident(evidence, described.clips);
  const words = { timeZone, stored: stored.incident };
  const byPath = new Map(described.clips.map((clip) => [clip.path, clip]));
  return {
    incident: [
      explained('title', title, words, plainText),
      explained('description', description, words, plainText),
      explained('incidentAt', incidentAt, words, timeText),
      explained('position', position, words, positionText),
    ],
    clips: clipEvidence(evidence).flatMap((clip) => {
      const known = byPath.get(clip.file.path);
      const ofClip = { timeZone, stored: stored.clips.get(clip.file.path) ?? {} };
      return known === undefined ? [] : [explainClip(clip, known, evidence, ofClip)];
    }),
  };
}

function explainClip(
  clip: ClipEvidence,
  described: DescribedClip,
  evidence: ExportEvidence,
  words: Words,
): ExplainedClip {
  const { file, name } = clip;
  const camera = considerCamera(clip, evidence);
  const times = timeEvidence(clip, evidence);
  const starts = withWinner(startCandidates(times), described.startedAt);
  const ends = withWinner(endCandidates(times, described.startedAt), described.endedAt);
  return {
    file: file.path,
    isOpened: evidence.probes?.has(file.path) === true,
    names: contestOf(file.path, name, evidence),
    values: [
      explained('cameraName', camera.cameraName, words, plainText),
      explained('cameraId', camera.cameraId, words, plainText),
      explained('cameraDescription', camera.cameraDescription, words, plainText),
      explained('cameraPosition', camera.position, words, positionText),
      explained('startedAt', starts, words, timeText),
      explained('endedAt', ends, words, timeText),
    ],
    flags: described.flags,
  };
}

/** Replaces the winner by its value after comparison with another clock; an end before the start is refused. */
function withWinner(
  candidates: readonly Candidate<number>[],
  winner: Sourced<number> | undefined,
): readonly Candidate<number>[] {
  const index = candidates.findIndex(({ refused }) => refused === undefined);
  const known = candidates[index];
  if (known === undefined) return candidates;
  return candidates.with(index, winner ?? { ...known, refused: 'it is before the start' });
}

const plainText = (value: string): string => value;
const timeText = (ms: number): string => new Date(ms).toISOString();
const positionText = ({ latitude, longitude }: CameraPosition): string =>
  `${latitude ?? '?'}, ${longitude ?? '?'}`;

function explained<T>(
  field: ExplainedField,
  candidates: readonly Candidate<T>[],
  words: Words,
  textOf: (value: T) => string,
): ExplainedValue {
  const first = candidates.find(({ refused }) => refused === undefined);
  const winner = first && readingOf(first, words, textOf);
  const others = candidates
    .filter((each) => each !== first)
    .map((each) => {
      const reading = readingOf(each, words, textOf);
      return { ...reading, why: each.refused ?? whyNot(reading, winner) };
    });
  const kept = words.stored[field];
  const stored =
    kept && (timeFields.has(field) ? { ...kept, local: localText(Date.parse(kept.value), words) } : kept);
  return {
    field,
    ...(winner && { winner }),
    others,
    ...(stored && stored.value !== winner?.value && { stored }),
    overrule: overrules[field],
  };
}

function readingOf<T>(
  { value, source, confidence, note }: Sourced<T>,
  { timeZone }: Words,
  textOf: (value: T) => string,
): ExplainedReading {
  const text = textOf(value);
  const isTime = typeof value === 'number';
  return {
    value: text,
    ...(isTime && { local: localText(value, { timeZone }) }),
    source,
    confidence,
    ...(note !== undefined && { note }),
  };
}

/** Fields whose values are times. */
const timeFields: ReadonlySet<ExplainedField> = new Set(['incidentAt', 'startedAt', 'endedAt']);

const localText = (ms: number, { timeZone }: Pick<Words, 'timeZone'>): string =>
  `${formatLocal(ms, timeZone)} ${timeZone}`;

/** Names of sources for people. */
const sourceWords: Readonly<Record<ValueSource, string>> = {
  person: 'a person',
  sidecar: 'the sidecar',
  registry: 'the camera list',
  settings: "the folder's settings",
  'command-line': 'the person who added the folder',
  'folder-name': "the folder's name",
  'file-name': "the file's name",
  media: "the file's metadata",
  'file-time': 'the time the file was written',
  clips: 'the clips',
  generated: "the agent's own text",
};

/** A source in words; an unknown one is returned unchanged. */
export const wordsOfSource = (source: string): string =>
  new Map<string, string>(Object.entries(sourceWords)).get(source) ?? source;

const pluralSources: ReadonlySet<string> = new Set<ValueSource>(['clips', 'settings']);

function whyNot(loser: ExplainedReading, winner: ExplainedReading | undefined): string {
  if (winner === undefined) return 'no value is used';
  const words = wordsOfSource(winner.source);
  const same = loser.value === winner.value ? 'it says the same; ' : '';
  if (loser.source === winner.source) return `${same}another part of ${words} is trusted more`;
  return `${same}${words} ${pluralSources.has(winner.source) ? 'are' : 'is'} trusted more`;
}

const ofCamera =
  'Set the value for the camera in Settings, Cameras ("cameras" in the settings file). For one file, write it in videos.csv, incident.json or a .json file next to the clip; that takes precedence.';
const ofTime =
  'If all times in a folder are wrong, correct its time zone or clock in Settings, Watched folders ("watch" in the settings file). If only the times of one camera are wrong, correct its clock in Settings, Cameras ("cameras"). If names like this are misread, add a pattern in Settings, File names ("patterns"). For one file, write the time in videos.csv, incident.json or a .json file next to the clip.';
const ofIncident = 'Edit the incident in Uploads, or set the value in incident.json.';
const overrules: Readonly<Record<ExplainedField, string>> = {
  title: ofIncident,
  description: ofIncident,
  incidentAt: ofIncident,
  position: ofIncident,
  cameraName: ofCamera,
  cameraId: ofCamera,
  cameraDescription: ofCamera,
  cameraPosition: ofCamera,
  startedAt: ofTime,
  endedAt: ofTime,
};

/** Which recogniser reads a path, which others fit, and by how much it wins. */
function contestOf(
  path: string,
  reading: ClipNameReading | undefined,
  { watch, exportRef }: ExportEvidence,
): ExplainedNames {
  const parts = partsOf(path, exportRef.exportPath);
  const fits = parts === undefined ? [] : fitsOf(candidatesOf(watch), parts, path.split('/').length);
  const own = watch.patterns?.find(({ recogniser }) => recogniser.name === reading?.profile);
  if (own !== undefined) return byPattern(own, fits);
  const won = fits.find(({ recogniser }) => recogniser.name === reading?.profile);
  if (won === undefined) return undecided(fits, reading);
  const others = fits.filter((fit) => fit !== won);
  const isChosen = watch.profile !== 'auto' && watch.profile === won.recogniser.name;
  const rivals = others.map((fit) => ({ ...recogniserOf(fit), why: whyLost(fit, won, isChosen) }));
  const reach = `${won.recogniser.system}: ${reachOf(won)}`;
  const margin = isChosen
    ? `This ${won.recogniser.trust === 'vendor' ? 'system' : 'pattern'} is set in the folder's settings.`
    : marginOf(won, others);
  return { winner: recogniserOf(won), others: rivals, verdict: `${reach}. ${margin}` };
}

/** A pattern written at the desk decides how such names are read: no system competes with it. */
function byPattern({ recogniser }: OwnPattern, fits: readonly Fit[]): ExplainedNames {
  const others = fits.map((fit) => ({ ...recogniserOf(fit), why: 'your own patterns are tried first' }));
  return {
    winner: recogniserOf({ recogniser }),
    others,
    verdict: `${recogniser.system}: ${recogniser.source}. Your own patterns are tried first.`,
  };
}

const OTHER_SYSTEM = "the folder's settings name another system or pattern";

function undecided(fits: readonly Fit[], reading: ClipNameReading | undefined): ExplainedNames {
  const tied = new Set(reading?.tied?.map(({ name }) => name));
  const others = fits.map((fit) => {
    const why = tied.has(fit.recogniser.name)
      ? 'another system matches equally well but reads the name differently'
      : tied.size > 0
        ? 'other systems match better'
        : OTHER_SYSTEM;
    return { ...recogniserOf(fit), why };
  });
  if (tied.size > 0)
    return {
      others,
      verdict: `${tied.size} systems match equally well but read the name differently, so nothing is read from it.`,
    };
  if (fits.length > 0)
    return {
      others,
      verdict: "This path does not match the system or pattern set in the folder's settings.",
    };
  return { others, verdict: 'This path matches no known system or pattern.' };
}

function recogniserOf({ recogniser }: Pick<Fit, 'recogniser'>): ExplainedRecogniser {
  const { name, system, label, source } = recogniser;
  return { profile: name, system, label, source };
}

/**
 * Whether two fits read the same. If not, and they match equally well, the system that wrote other clips of the export
 * wins.
 */
const isSameReading = (one: Fit, other: Fit): boolean =>
  JSON.stringify(one.fields) === JSON.stringify(other.fields);

/** How much of a path a shape matches. */
function reachOf({ shape }: Fit): string {
  const { length } = shape.parts;
  return length === 1 ? "matches the file's name" : `matches ${length} parts of the path`;
}

/** The same for one that matches less than the winner. */
const partialReachOf = (fit: Fit): string => reachOf(fit).replace('matches', 'matches only');

function whyLost(fit: Fit, won: Fit, isChosen: boolean): string {
  if (isChosen) return OTHER_SYSTEM;
  if (fit.recogniser.trust !== 'vendor')
    return won.recogniser.trust === 'vendor'
      ? 'any program could have written a name like this, so this pattern is used only if no system matches'
      : 'it is tried later';
  const apart = won.shape.parts.length - fit.shape.parts.length;
  if (apart > 0) return partialReachOf(fit);
  return isSameReading(fit, won)
    ? 'reads the name the same way'
    : `matches equally well, but other clips of the export are from ${won.recogniser.system}`;
}

function marginOf(won: Fit, others: readonly Fit[]): string {
  if (won.recogniser.trust !== 'vendor') return 'No known system matches.';
  const rivals = others.filter(({ recogniser }) => recogniser.trust === 'vendor');
  if (rivals.length === 0) return 'No other system matches.';
  const next = Math.max(...rivals.map(({ shape }) => shape.parts.length));
  const apart = won.shape.parts.length - next;
  if (apart > 0) return `The next best system matches ${apart} fewer.`;
  const equal = rivals.filter(({ shape }) => shape.parts.length === next);
  return equal.every((rival) => isSameReading(rival, won))
    ? 'Another system reads the name the same way.'
    : `Another system matches equally well, but other clips of the export are from ${won.recogniser.system}.`;
}
