import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { decodeText, parseStrictJson, type JsonProblem, type JsonValue } from '../text/parse-strict-json.ts';
import {
  createFieldReader,
  isJsonObject,
  type FieldReader,
  type Sidecar,
  type SidecarVideo,
} from './sidecar.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';

/** Name of the sidecar that describes a whole export. */
const SIDECAR_NAME = 'incident.json';
/** Whether a path is the sidecar's, in upper or lower case. */
export const isIncidentSidecar = (path: string): boolean => path.toLowerCase() === SIDECAR_NAME;
/** Largest sidecar that is read, bytes: a thousand clips fit several times over. */
export const MAX_SIDECAR_BYTES = 256 * 1024;
/** Deepest nesting; the convention itself needs three. */
export const MAX_SIDECAR_DEPTH = 32;
/** Widest clock offset, seconds: a day, as in the settings. */
const MAX_CLOCK_OFFSET_SECONDS = 86_400;
/** The supported version of the convention. */
const SCHEMA_VERSION = 1;

/** How a sidecar is read. `timeZone` is for times without offset when the sidecar names no zone. */
export interface SidecarRules {
  /** Path of the sidecar in the export, for messages. */
  readonly name: string;
  readonly timeZone: string;
}

/** Reads `incident.json`. The first problem refuses the whole file; the clips are not affected. */
export function readSidecar(bytes: Uint8Array, rules: SidecarRules): Result<Sidecar, Failure> {
  const object = readObject(bytes, rules.name);
  return object.ok ? sidecarOf(object.value, rules) : object;
}

/** The same for fields that were already read from a table. */
export function sidecarOf(
  object: { readonly [key: string]: JsonValue },
  rules: SidecarRules,
): Result<Sidecar, Failure> {
  const place = visibleName(rules.name);
  const fields = createFieldReader(object, place);
  const version = fields.number('schema_version', 0, Number.MAX_SAFE_INTEGER);
  if (version !== undefined && version !== SCHEMA_VERSION) {
    fields.problem(
      'SIDECAR_SHAPE',
      'schema_version',
      `is ${version}; only ${SCHEMA_VERSION} is supported`,
      `Set "schema_version" to ${SCHEMA_VERSION}.`,
    );
  }
  const zone = fields.timeZone('timezone');
  const videos = readVideos(fields, place, zone ?? rules.timeZone);
  const incident = readIncident(fields, zone ?? rules.timeZone);
  const problem = [...fields.problems, ...videos.problems].at(0);
  if (problem !== undefined) return err(problem);
  return ok({
    ...incident,
    ...given('timeZone', zone),
    videos: videos.videos,
    extra: fields.extra(),
  });
}

/** Reads `<clip>.json`: the fields of one entry of `videos`. */
export function readClipSidecar(bytes: Uint8Array, rules: SidecarRules): Result<SidecarVideo, Failure> {
  const object = readObject(bytes, rules.name);
  if (!object.ok) return object;
  const fields = createFieldReader(object.value, visibleName(rules.name));
  const zone = fields.timeZone('timezone');
  const video = readVideo(fields, zone ?? rules.timeZone);
  const problem = fields.problems.at(0);
  return problem === undefined ? ok(video) : err(problem);
}

function readIncident(fields: FieldReader, timeZone: string): Partial<Sidecar> {
  const tags = fields.list('tags');
  const texts = tags?.filter((tag) => typeof tag === 'string');
  if (tags?.length !== texts?.length) {
    fields.problem(
      'SIDECAR_SHAPE',
      'tags',
      'must be a list of text values',
      'Put each tag in double quotes.',
    );
  }
  return {
    ...given('id', fields.id('id')),
    ...given('externalId', fields.text('external_id')),
    ...given('title', fields.text('title')),
    ...given('description', fields.text('description')),
    ...given('incidentAt', fields.time('incident_at', timeZone)),
    ...given('longitude', fields.number('longitude', -180, 180)),
    ...given('latitude', fields.number('latitude', -90, 90)),
    ...given(
      'clockOffsetSeconds',
      fields.number('clock_offset_seconds', -MAX_CLOCK_OFFSET_SECONDS, MAX_CLOCK_OFFSET_SECONDS),
    ),
    ...given('period', fields.text('period')),
    ...given('category', fields.text('category')),
    ...given('tags', texts),
    ...given('exportedBy', fields.text('exported_by')),
    ...given('exportedAt', fields.time('exported_at', timeZone)),
    ...given('vms', fields.text('vms')),
  };
}

function readVideos(
  fields: FieldReader,
  place: string,
  timeZone: string,
): { readonly videos: readonly SidecarVideo[]; readonly problems: readonly Failure[] } {
  const videos: SidecarVideo[] = [];
  const problems: Failure[] = [];
  const files = new Set<string>();
  for (const [index, item] of (fields.list('videos') ?? []).entries()) {
    if (!isJsonObject(item)) {
      fields.problem(
        'SIDECAR_SHAPE',
        `videos[${index}]`,
        'must be a group of fields in braces',
        'Put the fields of each clip between "{" and "}".',
      );
      continue;
    }
    const reader = createFieldReader(item, `${place}, videos[${index}]`);
    const video = readVideo(reader, timeZone);
    if ((item['file'] ?? undefined) === undefined || (video.file !== undefined && files.has(video.file))) {
      const [what, advice] =
        video.file === undefined
          ? ['is missing', 'Add the file name of the clip.']
          : ['names a clip that is already described', 'List each clip only once.'];
      reader.problem('SIDECAR_SHAPE', 'file', what, advice);
    }
    if (video.file !== undefined) files.add(video.file);
    videos.push(video);
    problems.push(...reader.problems);
  }
  return { videos, problems };
}

function readVideo(fields: FieldReader, timeZone: string): SidecarVideo {
  // A value that is not a SHA-256 (the example of the convention has "...") is kept, not compared.
  const sha256 = fields.text('sha256');
  const isHash = sha256 !== undefined && /^[0-9a-fA-F]{64}$/.test(sha256);
  const video = {
    ...given('file', fields.path('file')),
    ...given('cameraId', fields.text('camera_id')),
    ...given('cameraName', fields.text('camera_name')),
    ...given('cameraDescription', fields.text('camera_description')),
    ...given('cameraLongitude', fields.number('camera_longitude', -180, 180)),
    ...given('cameraLatitude', fields.number('camera_latitude', -90, 90)),
    ...given('startedAt', fields.time('started_at', timeZone)),
    ...given('endedAt', fields.time('ended_at', timeZone)),
    ...given('thumbnail', fields.path('thumbnail')),
    ...(isHash && { sha256: sha256.toLowerCase() }),
  };
  const other = sha256 !== undefined && !isHash ? { sha256 } : {};
  return { ...video, extra: { ...fields.extra(), ...other } };
}

/** An object with the key if there is a value, and without it if there is none. */
function given<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  const none: { [K in Key]?: Value } = {};
  return value === undefined ? none : { ...none, [key]: value };
}

function readObject(bytes: Uint8Array, name: string): Result<{ readonly [key: string]: JsonValue }, Failure> {
  const shown = visibleName(name);
  if (bytes.length > MAX_SIDECAR_BYTES) {
    const message = `${shown} is larger than ${MAX_SIDECAR_BYTES / 1024} KiB. It was not read.`;
    return err(
      failure('SIDECAR_TOO_LARGE', message, `Reduce it to ${MAX_SIDECAR_BYTES / 1024} KiB or less.`),
    );
  }
  const text = decodeText(bytes);
  if (text === undefined || text.slice(0, 4).includes('\0')) {
    const message = `${shown} is neither UTF-8 text nor UTF-16 text with a byte order mark.`;
    return err(failure('SIDECAR_ENCODING', message, 'Save it as UTF-8.'));
  }
  const value = parseStrictJson(text, MAX_SIDECAR_DEPTH);
  if (!value.ok) return err(jsonFailure(value.error, shown));
  if (isJsonObject(value.value)) return ok(value.value);
  const message = `${shown} must contain one group of fields in braces.`;
  return err(failure('SIDECAR_SHAPE', message, 'Put the fields between "{" and "}".'));
}

function jsonFailure(problem: JsonProblem, name: string): Failure {
  const place = `${name}, line ${problem.line}, column ${problem.column}`;
  const what = visibleName(problem.what);
  switch (problem.kind) {
    case 'syntax':
      return failure(
        'SIDECAR_UNREADABLE',
        `Could not read ${place}: expected ${what}.`,
        'Correct that line.',
      );
    case 'duplicate-key':
      return failure(
        'SIDECAR_DUPLICATE_KEY',
        `Could not read ${place}: "${what}" appears twice.`,
        'Remove one of them.',
      );
    case 'number':
      return failure(
        'SIDECAR_NUMBER',
        `Could not read ${place}: the number ${what} is too large to be read exactly.`,
        'Correct it, or put it in double quotes if it is an ID.',
      );
    case 'depth':
      return failure(
        'SIDECAR_TOO_DEEP',
        `Could not read ${place}: fields are nested more than ${MAX_SIDECAR_DEPTH} levels deep.`,
        'Use fewer levels.',
      );
  }
}

function failure(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: false };
}
