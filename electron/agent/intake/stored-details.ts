import type { Sourced } from '../../../shared/domain/sourced.ts';
import type { DescribedClip, DescribedIncident } from '../core/described-export.ts';
import type { ClipDetails } from '../db/clip-rows.ts';
import type { IncidentDetails, IncidentRow } from '../db/incident-rows.ts';
import { parseOrigins, type Origins } from '../db/json-columns.ts';

function origin(field: Sourced<unknown>): Origins[string] {
  const { source, confidence, note } = field;
  return { source, confidence, ...(note === undefined ? {} : { note }) };
}

function origins(fields: Readonly<Record<string, Sourced<unknown> | undefined>>): string {
  const entries = Object.entries(fields).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, origin(field)] as const],
  );
  return JSON.stringify(Object.fromEntries(entries));
}

/** The columns that describe an incident. */
export function describeDetails(incident: DescribedIncident): IncidentDetails {
  const { title, description, incidentAt, latitude, longitude, externalId } = incident;
  return {
    title: title.value,
    description: description?.value ?? null,
    incidentAt: incidentAt?.value ?? null,
    latitude: latitude?.value ?? null,
    longitude: longitude?.value ?? null,
    sources: origins({ title, description, incidentAt, latitude, longitude, externalId }),
    extra: externalId === undefined ? null : JSON.stringify({ externalId: externalId.value }),
  };
}

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
  };
}

/** Sources whose word replaces what was known before; what was derived fills gaps and stays as it was first told. */
const decisive = new Set<string>(['sidecar', 'command-line']);

/** The details of an incident after its folder was read again; undefined when nothing changes. */
export function mergeDetails(row: IncidentRow, fresh: IncidentDetails): IncidentDetails | undefined {
  const before = parseOrigins(row.sources);
  const after = parseOrigins(fresh.sources);
  const merged: IncidentDetails = {
    title: replaces(before, after, 'title') ? fresh.title : row.title,
    description: replaces(before, after, 'description') ? fresh.description : row.description,
    incidentAt: replaces(before, after, 'incidentAt') ? fresh.incidentAt : row.incidentAt,
    latitude: replaces(before, after, 'latitude') ? fresh.latitude : row.latitude,
    longitude: replaces(before, after, 'longitude') ? fresh.longitude : row.longitude,
    sources: mergedSources(before, after),
    extra: fresh.extra ?? row.extra,
  };
  const fields = ['title', 'description', 'incidentAt', 'latitude', 'longitude'] as const;
  return fields.every((field) => merged[field] === row[field]) ? undefined : merged;
}

function replaces(before: Origins, after: Origins, field: string): boolean {
  const next = after[field];
  if (next === undefined) return false;
  if (before[field] === undefined) return true;
  if (!decisive.has(next.source)) return false;
  return before[field].source !== 'command-line' || next.source === 'command-line';
}

function mergedSources(before: Origins, after: Origins): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const entries = [...names].map((name) => [
    name,
    replaces(before, after, name) ? after[name] : before[name],
  ]);
  return JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}
