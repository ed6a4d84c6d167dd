import type { IncidentChanges } from '../../../shared/domain/incident-edit.ts';
import type { Sourced } from '../../../shared/domain/file-account.ts';
import type { DescribedClip, DescribedIncident } from '../core/naming/described-export.ts';
import { MADE_OF_NAME, SIDECAR_CLOCK_NOTE } from '../core/naming/describe-clip.ts';
import { CLOCK_NOTE } from '../core/naming/camera-registry.ts';
import { CURRENT_READING } from '../core/naming/recognisers.ts';
import type { ClipDetails, ClipRow } from './clip-rows.ts';
import type { IncidentDetails, IncidentRow } from './incident-rows.ts';
import { parseExtra, parseOrigins, type IncidentExtra, type Origins } from './json-columns.ts';

function origin(field: Sourced<unknown>): Origins[string] {
  const { source, confidence, note, zone } = field;
  return { source, confidence, ...(note !== undefined && { note }), ...(zone !== undefined && { zone }) };
}

function origins(fields: Readonly<Record<string, Sourced<unknown> | undefined>>): string {
  const entries = Object.entries(fields).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, origin(field)] as const],
  );
  return JSON.stringify(Object.fromEntries(entries));
}

/** The columns that describe an incident. */
export function describeDetails(incident: DescribedIncident): IncidentDetails {
  const { title, description, incidentAt, latitude, longitude, externalId, guessedAt } = incident;
  return {
    title: title.value,
    description: description?.value ?? null,
    incidentAt: incidentAt?.value ?? null,
    latitude: latitude?.value ?? null,
    longitude: longitude?.value ?? null,
    sources: origins({ title, description, incidentAt, latitude, longitude, externalId }),
    extra: extraOf({
      ...(externalId && { externalId: externalId.value }),
      ...(guessedAt && { guessedAt: { ms: guessedAt.value, note: guessedAt.note ?? '' } }),
    }),
  };
}

const extraOf = (extra: IncidentExtra): string | null =>
  Object.keys(extra).length === 0 ? null : JSON.stringify(extra);

/** The columns that describe a clip. */
export function clipDetails(clip: DescribedClip, facts: string | null): ClipDetails {
  const { cameraId, cameraName, cameraDescription, cameraLatitude, cameraLongitude, startedAt, endedAt } =
    clip;
  return {
    cameraId: cameraId?.value ?? null,
    cameraName: cameraName?.value ?? null,
    cameraDescription: cameraDescription?.value ?? null,
    cameraLatitude: cameraLatitude?.value ?? null,
    cameraLongitude: cameraLongitude?.value ?? null,
    startedAt: startedAt?.value ?? null,
    endedAt: endedAt?.value ?? null,
    sources: origins({
      cameraId,
      cameraName,
      cameraDescription,
      cameraLatitude,
      cameraLongitude,
      startedAt,
      endedAt,
    }),
    facts,
    expectedSha256: clip.expectedSha256 ?? null,
    reading: CURRENT_READING,
    flags: JSON.stringify(clip.flags),
  };
}

/**
 * What an earlier version read about a clip stays unchanged in the queue, except for what a sidecar now says; and the
 * desk's current cameras do not rename what was already sent. What a sidecar stated stays while no sidecar mentions the
 * clip: it may be locked, half written or moved away, and the times and camera in a name are no better. What it stated
 * about the clock stays while there is no sidecar (`hasSidecar`: one was read).
 */
export function keptReading(row: ClipRow, read: ClipDetails, hasSidecar: boolean): ClipDetails {
  const fresh = row.state === 'uploaded' ? withUnknownTimeAsSent(row, read) : read;
  const isClockGone =
    !hasSidecar && isOfSidecar(row, ({ note }) => note?.includes(SIDECAR_CLOCK_NOTE) === true);
  const isSilent = !isOfSidecar(fresh) && (isOfSidecar(row) || isClockGone);
  const isOfDesk = row.state === 'uploaded' && isByRegistry(row, fresh);
  if (row.reading === fresh.reading && !isSilent && !isOfDesk) return fresh;
  const after = parseOrigins(fresh.sources);
  const isStated = (field: string): boolean => after[field]?.source === 'sidecar';
  const stated = Object.entries(after).filter(([field]) => isStated(field));
  const pick = <Field extends keyof ClipDetails>(field: Field): ClipDetails[Field] =>
    isStated(field) ? fresh[field] : row[field];
  return {
    ...fresh,
    cameraId: pick('cameraId'),
    cameraName: pick('cameraName'),
    cameraDescription: pick('cameraDescription'),
    cameraLatitude: pick('cameraLatitude'),
    cameraLongitude: pick('cameraLongitude'),
    startedAt: pick('startedAt'),
    endedAt: pick('endedAt'),
    sources: JSON.stringify({ ...parseOrigins(row.sources), ...Object.fromEntries(stated) }),
    expectedSha256: fresh.expectedSha256 ?? (isSilent ? row.expectedSha256 : null),
    reading: row.reading,
    flags: isSilent ? row.flags : fresh.flags,
  };
}

/** What was sent while its time was not known stays so, whenever its file was written and whatever is set since. */
function withUnknownTimeAsSent(row: ClipRow, fresh: ClipDetails): ClipDetails {
  const { startedAt: before } = parseOrigins(row.sources);
  const { startedAt: after, ...others } = parseOrigins(fresh.sources);
  const isUnknown = (origin: OriginOrNone): boolean => origin === undefined || isFileTime(origin);
  if (fresh.startedAt === row.startedAt || !isUnknown(before) || !isUnknown(after)) return fresh;
  const sources = JSON.stringify({ ...others, ...(before && { startedAt: before }) });
  return { ...fresh, startedAt: row.startedAt, sources };
}

const isOfSidecar = (
  { sources }: ClipDetails,
  isStated = ({ source }: Origins[string]): boolean => source === 'sidecar',
): boolean => Object.values(parseOrigins(sources)).some(isStated);

/** Whether a camera of the desk affects what is read now, or affected what was sent. */
function isByRegistry(row: ClipRow, fresh: ClipDetails): boolean {
  return [row.sources, fresh.sources].some((sources) =>
    Object.values(parseOrigins(sources)).some(
      ({ source, note }) => source === 'registry' || note?.includes(CLOCK_NOTE) === true,
    ),
  );
}

const cameraFields = [
  'cameraId',
  'cameraName',
  'cameraDescription',
  'cameraLatitude',
  'cameraLongitude',
] as const;
const timeFields = ['startedAt', 'endedAt'] as const;
type OriginOrNone = Origins[string] | undefined;

/**
 * The details of a clip after the desk's list of cameras changed; undefined when none of them changes. Only values that
 * come or came from the list change: the rest was read from the folder, which is not read again here.
 */
export function renamedDetails(row: ClipRow, fresh: ClipDetails): ClipDetails | undefined {
  const [before, after] = [parseOrigins(row.sources), parseOrigins(fresh.sources)];
  const isOfList = (origin: OriginOrNone): boolean =>
    origin?.source === 'registry' || origin?.note?.includes(CLOCK_NOTE) === true;
  const taken = [...cameraFields, ...timeFields].filter(
    (field) =>
      (isOfList(before[field]) || isOfList(after[field])) &&
      (before[field]?.source !== 'sidecar' || before[field].note === MADE_OF_NAME) &&
      row[field] !== fresh[field],
  );
  if (taken.length === 0) return undefined;
  const sources = new Map(Object.entries(before));
  for (const field of taken) {
    const origin = after[field];
    if (origin === undefined) sources.delete(field);
    else sources.set(field, origin);
  }
  const { facts, expectedSha256, reading, flags } = row;
  const values = Object.fromEntries(taken.map((field) => [field, fresh[field]]));
  const kept = { ...row, ...values };
  const [cameraId, cameraName, cameraDescription] = [kept.cameraId, kept.cameraName, kept.cameraDescription];
  const { cameraLatitude, cameraLongitude, startedAt, endedAt } = kept;
  return {
    ...{ cameraId, cameraName, cameraDescription, cameraLatitude, cameraLongitude, startedAt, endedAt },
    ...{ facts, expectedSha256, reading, flags },
    sources: JSON.stringify(Object.fromEntries(sources)),
  };
}

/**
 * The details of an incident after a person changed them. A field that a person emptied stays empty, whatever the
 * folder says later. An emptied description is sent to the service as an empty text (service.md endpoint 6 has no other
 * way); one that never existed is not sent at all.
 */
export function editDetails(row: IncidentRow, changes: IncidentChanges): IncidentDetails {
  const { title = row.title, incidentAt } = changes;
  const { description = withoutUnknownTime(row, typeof incidentAt === 'string') } = changes;
  const { latitude = row.latitude, longitude = row.longitude } = changes;
  const isEmptied = description === null || description === '';
  const byPerson = Object.keys(changes).map((field): [string, Origins[string]] => [
    field,
    { source: 'person', confidence: 'high' },
  ]);
  return {
    title,
    description: isEmptied ? emptied(row.description) : description,
    incidentAt: incidentAt === undefined ? row.incidentAt : instantOf(incidentAt),
    latitude,
    longitude,
    sources: JSON.stringify({ ...parseOrigins(row.sources), ...Object.fromEntries(byPerson) }),
    extra: row.extra,
  };
}

/** The description, without a generated text saying that the time is unknown once the time is known. */
function withoutUnknownTime(row: IncidentRow, isKnown: boolean): string | null {
  const isGenerated = parseOrigins(row.sources)['description']?.source === 'generated';
  return isKnown && isGenerated ? '' : row.description;
}

const emptied = (description: string | null): string | null => (description === null ? null : '');
const instantOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Which source replaces which. Derived values (rank 0) only fill gaps and stay as they were first sent. */
const ranks: ReadonlyMap<string, number> = new Map([
  ['person', 3],
  ['command-line', 2],
  ['sidecar', 1],
]);
const rankOf = (origin: Origins[string]): number => ranks.get(origin.source) ?? 0;

/** It stands for a time that is not known (service.md gap 31), until one is. */
const isFileTime = (origin: OriginOrNone): boolean => origin?.source === 'file-time';

/** The details of an incident after its folder was read again; undefined when nothing changes. */
export function mergeDetails(row: IncidentRow, fresh: IncidentDetails): IncidentDetails | undefined {
  const before = parseOrigins(row.sources);
  const after = parseOrigins(fresh.sources);
  const isReplaced = replaces(before, after, 'incidentAt');
  const incidentAt = isReplaced ? fresh.incidentAt : row.incidentAt;
  const isKnown = incidentAt !== null && !isFileTime((isReplaced ? after : before)['incidentAt']);
  // It says that the time is unknown, but an earlier version or a person knows it
  if (isKnown && after['description']?.source === 'generated') delete after['description'];
  const merged: IncidentDetails = {
    title: replaces(before, after, 'title') ? fresh.title : row.title,
    description: replaces(before, after, 'description')
      ? fresh.description
      : withoutUnknownTime(row, isKnown),
    incidentAt,
    latitude: replaces(before, after, 'latitude') ? fresh.latitude : row.latitude,
    longitude: replaces(before, after, 'longitude') ? fresh.longitude : row.longitude,
    sources: mergedSources(before, after),
    extra: extraOf({ ...parseExtra(row.extra), ...parseExtra(fresh.extra) }),
  };
  const fields = ['title', 'description', 'incidentAt', 'latitude', 'longitude'] as const;
  return fields.every((field) => merged[field] === row[field]) ? undefined : merged;
}

function replaces(before: Origins, after: Origins, field: string): boolean {
  const next = after[field];
  if (next === undefined || isFileTime(next)) return false;
  const last = before[field];
  if (last === undefined || isFileTime(last)) return true;
  return rankOf(next) > 0 && rankOf(next) >= rankOf(last);
}

function mergedSources(before: Origins, after: Origins): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const entries = [...names].map((name) => [
    name,
    replaces(before, after, name) ? after[name] : before[name],
  ]);
  return JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}
