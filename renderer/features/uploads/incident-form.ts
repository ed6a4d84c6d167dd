import type { IncidentChanges } from '../../../shared/domain/incident-edit.ts';
import type { IncidentDetail } from '../../../shared/domain/upload-view.ts';

/** The editable fields of an incident; numbers are text, so that incomplete ones can be typed. */
export interface IncidentForm {
  readonly title: string;
  readonly description: string;
  /** ISO 8601 UTC. */
  readonly incidentAt: string | undefined;
  readonly latitude: string;
  readonly longitude: string;
}

/** The form filled with an incident's values. */
export function formOf({ row, description, latitude, longitude }: IncidentDetail): IncidentForm {
  return {
    title: row.title,
    description: description ?? '',
    incidentAt: row.incidentAt,
    latitude: latitude === undefined ? '' : String(latitude),
    longitude: longitude === undefined ? '' : String(longitude),
  };
}

const limits = { latitude: 90, longitude: 180 } as const;

/** The invalid fields, with the string that says why. */
export function problemsOf(form: IncidentForm): ReadonlyMap<keyof IncidentForm, string> {
  const problems = new Map<keyof IncidentForm, string>();
  if (form.title.trim() === '') problems.set('title', 'uploads.needTitle');
  for (const field of ['latitude', 'longitude'] as const) {
    const text = form[field].trim();
    const other = form[field === 'latitude' ? 'longitude' : 'latitude'].trim();
    const value = degrees(text);
    if (text === '' && other !== '') problems.set(field, 'uploads.needBoth');
    else if (text !== '' && (value === undefined || Math.abs(value) > limits[field]))
      problems.set(field, `uploads.bad${field === 'latitude' ? 'Latitude' : 'Longitude'}`);
  }
  return problems;
}

/** Parses degrees with a decimal point or comma; undefined if invalid. */
function degrees(text: string): number | undefined {
  return /^[+-]?\d{1,3}([.,]\d{1,12})?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

/** The changes made to the incident; undefined if there are none. */
export function changesOf(incident: IncidentDetail, form: IncidentForm): IncidentChanges | undefined {
  const before = formOf(incident);
  const latitude = degrees(form.latitude.trim()) ?? null;
  const longitude = degrees(form.longitude.trim()) ?? null;
  const moved = form.latitude.trim() !== before.latitude || form.longitude.trim() !== before.longitude;
  const changes: IncidentChanges = {
    ...(form.title.trim() === before.title ? {} : { title: form.title.trim() }),
    ...(form.description.trim() === before.description.trim()
      ? {}
      : { description: form.description.trim() === '' ? null : form.description.trim() }),
    ...(form.incidentAt === before.incidentAt ? {} : { incidentAt: form.incidentAt ?? null }),
    ...(moved ? { latitude, longitude } : {}),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}
