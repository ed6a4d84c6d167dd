import type { JsonValue } from '../text/parse-strict-json.ts';
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { formatUtc, isTimeZone, parseRfc3339, resolveWallTime } from '../times/zoned-time.ts';

/** A time in a sidecar, milliseconds since 1970 UTC. `note` is set if it was unclear which instant is meant. */
export interface SidecarTime {
  readonly ms: number;
  readonly note?: string;
  /** The clock skipped it. */
  readonly isNonexistent?: true;
}

/**
 * Reads the fields of one JSON object. An invalid field is left out and becomes a problem; unknown ones go into
 * `extra`.
 */
export interface FieldReader {
  readonly text: (key: string) => string | undefined;
  readonly id: (key: string) => string | undefined;
  readonly path: (key: string) => string | undefined;
  readonly number: (key: string, least: number, most: number) => number | undefined;
  readonly time: (key: string, timeZone: string) => SidecarTime | undefined;
  readonly timeZone: (key: string) => string | undefined;
  readonly list: (key: string) => readonly JsonValue[] | undefined;
  readonly problem: (code: FailureCode, key: string, message: string, advice: string) => void;
  readonly extra: () => Readonly<Record<string, JsonValue>>;
  readonly problems: readonly Failure[];
}

/** Longest id, characters: it becomes part of an address. */
const MAX_ID_LENGTH = 200;

/** Longest piece of an invalid value that a message repeats, characters. */
const MAX_SHOWN_LENGTH = 80;

type JsonObject = { readonly [key: string]: JsonValue };

/** Whether a JSON value is an object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface State {
  readonly object: JsonObject;
  readonly place: string;
  readonly problems: Failure[];
  readonly known: Set<string>;
}

/** A reader for `object`. `place` names it in messages: `incident.json`, `incident.json, videos[2]`. */
export function createFieldReader(object: JsonObject, place: string): FieldReader {
  const state: State = { object, place, problems: [], known: new Set() };
  const { problems, known } = state;
  const insideFolder = 'Name a file inside the export folder, with "/" between folders.';
  const zoneNames = 'Use an IANA name such as "Europe/London".';
  return {
    problems,
    problem: (code, key, message, advice) => addProblem(state, code, key, message, advice),
    text: (key) => typed(state, key, 'text', isText),
    id: (key) =>
      checkedText(
        state,
        key,
        'SIDECAR_SHAPE',
        idProblem,
        `Use 1 to ${MAX_ID_LENGTH} letters, digits, "-" or "_".`,
      ),
    path: (key) => checkedText(state, key, 'SIDECAR_PATH', pathProblem, insideFolder),
    timeZone: (key) => checkedText(state, key, 'SIDECAR_SHAPE', zoneProblem, zoneNames),
    number: (key, least, most) => numberBetween(state, key, least, most),
    time: (key, timeZone) => timeIn(state, key, timeZone),
    list: (key) => typed(state, key, 'a list', isList),
    extra: () => Object.fromEntries(Object.entries(object).filter(([key]) => !known.has(key))),
  };
}

function addProblem(state: State, code: FailureCode, key: string, message: string, advice: string): void {
  state.problems.push({ code, message: `${state.place}: "${key}" ${message}.`, advice, retryable: false });
}

/** The value of a key, which counts as known from then on; null counts as absent. */
function valueOf(state: State, key: string): JsonValue | undefined {
  state.known.add(key);
  return state.object[key] ?? undefined;
}

/** The value if it has the wanted type; otherwise adds a problem that names the field. */
function typed<T extends JsonValue>(
  state: State,
  key: string,
  wanted: string,
  isWanted: (found: JsonValue) => found is T,
): T | undefined {
  const found = valueOf(state, key);
  if (found === undefined || isWanted(found)) return found;
  const advice = `Correct "${key}".`;
  addProblem(state, 'SIDECAR_SHAPE', key, `must be ${wanted}, not ${shown(found)}`, advice);
  return undefined;
}

function checkedText(
  state: State,
  key: string,
  code: FailureCode,
  problemOf: (found: string) => string | undefined,
  advice: string,
): string | undefined {
  const found = typed(state, key, 'text', isText);
  const what = found === undefined ? undefined : problemOf(found);
  if (what === undefined) return found;
  addProblem(state, code, key, `${what}: ${shown(found ?? '')}`, advice);
  return undefined;
}

function numberBetween(state: State, key: string, least: number, most: number): number | undefined {
  const found = typed(state, key, 'a number', isNumber);
  if (found === undefined || (found >= least && found <= most)) return found;
  const message = `must be between ${least} and ${most}, not ${found}`;
  addProblem(state, 'SIDECAR_SHAPE', key, message, `Correct "${key}".`);
  return undefined;
}

function timeIn(state: State, key: string, timeZone: string): SidecarTime | undefined {
  const found = valueOf(state, key);
  const time = isText(found) ? readTime(found, timeZone) : undefined;
  if (found !== undefined && time === undefined) {
    const advice =
      'Write it like 2026-05-01T19:30:05Z. Without an offset, the time zone of the file or its folder applies.';
    addProblem(state, 'SIDECAR_DATE', key, `is not a valid date and time: ${shown(found)}`, advice);
  }
  return time;
}

function isText(found: JsonValue | undefined): found is string {
  return typeof found === 'string';
}

function isNumber(found: JsonValue): found is number {
  return typeof found === 'number';
}

function isList(found: JsonValue): found is readonly JsonValue[] {
  return Array.isArray(found);
}

function shown(value: JsonValue): string {
  const text = visibleName(JSON.stringify(value));
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function readTime(text: string, timeZone: string): SidecarTime | undefined {
  const written = parseRfc3339(text.trim());
  if (written === undefined) return undefined;
  if (written.kind === 'instant') return { ms: written.ms };
  const time = resolveWallTime(written.wall, timeZone);
  if (time === undefined) return undefined;
  if (time.ambiguous)
    return { ms: time.ms, note: `the clock showed this hour twice: read as ${formatUtc(time.ms)}` };
  if (time.nonexistent)
    return {
      ms: time.ms,
      note: `the clock skipped this time: read as ${formatUtc(time.ms)}`,
      isNonexistent: true,
    };
  return { ms: time.ms };
}

function zoneProblem(name: string): string | undefined {
  return isTimeZone(name) ? undefined : 'is not a known time zone';
}

function idProblem(id: string): string | undefined {
  if (id.length < 1 || id.length > MAX_ID_LENGTH) return `must be 1 to ${MAX_ID_LENGTH} characters long`;
  if (visibleName(id) !== id) return 'must not contain hidden or unreadable characters';
  if (id.trim() !== id) return 'must not begin or end with a space';
  if (/[/\\?#%]/.test(id) || id === '.' || id === '..')
    return 'must not contain "/", "\\", "?", "#" or "%", or be "." or ".."';
  return undefined;
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'contains a NUL character';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is not relative to the export folder';
  if (path.includes('\\')) return 'contains a backslash';
  const parts = path.split('/');
  if (parts.includes('..')) return 'contains a ".." path segment';
  if (parts.includes('.') || parts.includes('')) return 'contains an empty or "." path segment';
  return undefined;
}

/** The fields of one clip in a sidecar. Paths are relative to the export folder. */
export interface SidecarVideo {
  readonly file?: string;
  readonly cameraId?: string;
  readonly cameraName?: string;
  readonly cameraDescription?: string;
  readonly cameraLongitude?: number;
  readonly cameraLatitude?: number;
  readonly startedAt?: SidecarTime;
  readonly endedAt?: SidecarTime;
  readonly thumbnail?: string;
  /** SHA-256 that the exporter computed, lower-case hexadecimal. */
  readonly sha256?: string;
  readonly extra: Readonly<Record<string, JsonValue>>;
}

/** What `incident.json` says about an export. */
export interface Sidecar {
  /** Becomes the incident's id (service.md gap 11). */
  readonly id?: string;
  /** The number of the case in the other system. */
  readonly externalId?: string;
  readonly title?: string;
  readonly description?: string;
  readonly incidentAt?: SidecarTime;
  readonly longitude?: number;
  readonly latitude?: number;
  /** IANA zone of all times in the export that have no offset. */
  readonly timeZone?: string;
  /** True time = recorded time + this many seconds; for times in file names, not for those in the sidecar. */
  readonly clockOffsetSeconds?: number;
  readonly period?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly exportedBy?: string;
  readonly exportedAt?: SidecarTime;
  readonly vms?: string;
  readonly videos: readonly SidecarVideo[];
  readonly extra: Readonly<Record<string, JsonValue>>;
}
