import type { SimulatorSettings } from '../settings.ts';
import type { IncidentWrite, VideoWrite } from './incident-schema.ts';

/** A video of an incident, as the service returns it. */
export type StoredVideo = VideoWrite & { readonly upload_errors: readonly string[] };

/** An incident as endpoint 5 returns it. */
export interface StoredIncident {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly incident_at: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly uploaded_videos: readonly StoredVideo[];
  readonly failed_videos: readonly StoredVideo[];
}

/** One PUT that was accepted: what was written, and the incident afterwards. */
export interface IncidentPut {
  readonly at: number;
  readonly status: number;
  readonly written: IncidentWrite;
  readonly incident: StoredIncident;
}

export interface IncidentStore {
  readonly incidents: ReadonlyMap<string, StoredIncident>;
  history(incidentId: string): readonly IncidentPut[];
  /** Adds an incident without a request, as sample data. */
  seed(incident: StoredIncident): void;
  put(
    incidentId: string,
    written: IncidentWrite,
    at: number,
    omitted: SimulatorSettings['omittedDetails'],
  ): IncidentPut;
}

export function createIncidentStore(): IncidentStore {
  const incidents = new Map<string, StoredIncident>();
  const histories = new Map<string, IncidentPut[]>();
  return {
    incidents,
    history: (incidentId) => histories.get(incidentId) ?? [],
    seed: (incident) => void incidents.set(incident.id, incident),
    put(incidentId, written, at, omitted) {
      const before = incidents.get(incidentId);
      const kept = omitted === 'kept' ? before : undefined;
      const incident = merge(kept ?? emptyIncident(incidentId, at), written);
      const put = { at, status: before ? 200 : 201, written, incident };
      incidents.set(incidentId, incident);
      histories.set(incidentId, [...(histories.get(incidentId) ?? []), put]);
      return put;
    },
  };
}

function emptyIncident(id: string, at: number): StoredIncident {
  const now = new Date(at).toISOString();
  return {
    id,
    title: null,
    description: null,
    incident_at: null,
    created_at: now,
    updated_at: now,
    longitude: null,
    latitude: null,
    uploaded_videos: [],
    failed_videos: [],
  };
}

/** Details that are sent overwrite the earlier ones; the two arrays are replaced (service.md gap 13). */
function merge(before: StoredIncident, { id: _id, ...written }: IncidentWrite): StoredIncident {
  const details = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...details,
    uploaded_videos: written.uploaded_videos.map(withErrors),
    failed_videos: written.failed_videos.map(withErrors),
  };
}

function withErrors(video: VideoWrite): StoredVideo {
  return { ...video, upload_errors: video.upload_errors ?? [] };
}
