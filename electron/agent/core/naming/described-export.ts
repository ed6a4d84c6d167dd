import type { ClipFlag } from '../../../../shared/domain/upload-view.ts';
import type { Sourced } from '../../../../shared/domain/file-account.ts';
import type { AlsoSent } from '../../../../shared/domain/naming-settings.ts';
import type { OwnPattern } from './own-patterns.ts';
import type { ExportRef, FileSeen } from '../settle/file-seen.ts';
import type { MediaFacts } from './file-content.ts';
import type { ExportWarning, RecognisedExport } from './recognise-export.ts';
import type { ClipNameRules } from './read-clip-name.ts';
import type { Sidecar, SidecarVideo } from './sidecar.ts';

/**
 * What is sent besides clips: kinds chosen in the folder's settings or by a person, and programs that a person
 * confirmed.
 */
export interface ExtraFileRules {
  readonly kinds: ReadonlySet<AlsoSent>;
  readonly programs?: ReadonlySet<string>;
  /** A file of an unknown kind is sent if one of these fits it and has a sample with its extension. */
  readonly patterns?: readonly OwnPattern[];
}

/** Everything that is known about an export before it is described. */
export interface ExportEvidence {
  readonly exportRef: ExportRef;
  readonly recognised: RecognisedExport;
  readonly sidecar?: Sidecar;
  /** A text next to the clips, for an incident that nothing else describes. */
  readonly notes?: string;
  /** `<clip>.json`, by path of the clip. */
  readonly clipSidecars?: ReadonlyMap<string, SidecarVideo>;
  /** By path of the clip. */
  readonly probes?: ReadonlyMap<string, MediaFacts>;
  readonly watch: ClipNameRules;
  /** When the export settled, milliseconds since 1970 UTC: nothing in it is later. */
  readonly settledAtMs: number;
  /** Files of the folder that are still changing or held back, including links and the like. */
  readonly unsettled?: readonly FileSeen[];
  /** Hidden files and by-products of the system, by path. */
  readonly litter?: readonly string[];
  /** When each file that has just settled was first seen, by its path, milliseconds since 1970 UTC. */
  readonly seenAtMs?: ReadonlyMap<string, number>;
  /** From checksum lists: SHA-256 by path of the clip, and clips that they do not name. */
  readonly lists?: { readonly stated: ReadonlyMap<string, string>; readonly unlisted: ReadonlySet<string> };
  /** Set on the command line; takes precedence over everything. */
  readonly overrides?: ExportOverrides;
}

/** What the command line states about an export. */
interface ExportOverrides {
  readonly title?: string;
  readonly description?: string;
  readonly incidentAtMs?: number;
}

/** A clip with everything known about it. Absent values are unknown, and never guessed silently (service.md gap 32). */
export interface DescribedClip {
  readonly path: string;
  readonly cameraId?: Sourced<string>;
  readonly cameraName?: Sourced<string>;
  readonly cameraDescription?: Sourced<string>;
  readonly cameraLatitude?: Sourced<number>;
  readonly cameraLongitude?: Sourced<number>;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt?: Sourced<number>;
  readonly endedAt?: Sourced<number>;
  /** Start as the recorder wrote it, before the clock offset, milliseconds since 1970 UTC. */
  readonly recordedStartedAtMs?: number;
  readonly durationMs?: Sourced<number>;
  readonly thumbnailPath?: Sourced<string>;
  /** SHA-256 that the sidecar or a checksum list states, lower-case hexadecimal. */
  readonly expectedSha256?: string;
  readonly flags: readonly ClipFlag[];
}

/** An incident as the export describes it. */
export interface DescribedIncident {
  /** The incident's id, if the sidecar sets one (service.md gap 11). */
  readonly id?: Sourced<string>;
  /** `external_id` of the sidecar. */
  readonly externalId?: Sourced<string>;
  readonly title: Sourced<string>;
  readonly description?: Sourced<string>;
  /** Milliseconds since 1970 UTC. */
  readonly incidentAt?: Sourced<number>;
  /**
   * When its files were written, if nothing says when it happened. Not sent unless a person confirms it
   * (service.md gap 31).
   */
  readonly guessedAt?: Sourced<number>;
  readonly latitude?: Sourced<number>;
  readonly longitude?: Sourced<number>;
}

/** A described export folder. Clips are in order of path. */
export interface DescribedExport {
  readonly incident: DescribedIncident;
  readonly clips: readonly DescribedClip[];
  readonly warnings: readonly ExportWarning[];
}

/** How the names and times of an export are read, and what a person stated about it. */
export interface IntakeRules {
  readonly watch: ClipNameRules;
  readonly extraFiles?: ExtraFileRules;
  readonly lists?: ExportEvidence['lists'];
  /** Set on the command line; takes precedence over everything. */
  readonly overrides?: ExportOverrides;
}
