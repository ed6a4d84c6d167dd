import type { JsonValue } from '../text/parse-strict-json.ts';
import type { SidecarTime } from './sidecar-fields.ts';

/** What a sidecar says about one clip. Paths are relative to the export folder. */
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
