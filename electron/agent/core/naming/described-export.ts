import type { ClipFlag } from '../../../../shared/domain/upload-view.ts';
import type { Sourced } from '../../../../shared/domain/file-account.ts';
import type { AlsoSent } from '../../../../shared/domain/naming-settings.ts';
import type { OwnPattern } from './own-patterns.ts';
import type { ExportRef, FileSeen } from '../settle/file-seen.ts';
import type { MediaFacts } from './file-content.ts';
import type { ExportWarning, RecognisedExport } from './recognise-export.ts';
import type { ClipNameRules } from './read-clip-name.ts';
import type { Sidecar, SidecarVideo } from './sidecar.ts';

/** What is sent besides clips: kinds by the settings of the folder or by a person, and programs that a person confirmed. */
export interface SentBesides {
  readonly kinds: ReadonlySet<AlsoSent>;
  readonly programs?: ReadonlySet<string>;
  /** A file of an unknown kind is sent where one of these fits it, whose samples have its ending. */
  readonly patterns?: readonly OwnPattern[];
}

/** Everything that is known about an export before it is described. */
export interface ExportEvidence {
  readonly exportRef: ExportRef;
  readonly recognised: RecognisedExport;
  readonly sidecar?: Sidecar;
  /** A text beside the clips, for an incident that nothing else describes. */
  readonly notes?: string;
  /** `<clip>.json`, by path of the clip. */
  readonly clipSidecars?: ReadonlyMap<string, SidecarVideo>;
  /** By path of the clip. */
  readonly probes?: ReadonlyMap<string, MediaFacts>;
  readonly watch: ClipNameRules;
  /** When the export had settled, milliseconds since 1970 UTC: nothing in it is from later. */
  readonly settledAtMs: number;
  /** Files of the folder that still change or are held back, links and the like among them. */
  readonly unsettled?: readonly FileSeen[];
  /** Hidden files and by-products of the system, by path. */
  readonly litter?: readonly string[];
  /** When each file was first seen, by its path, milliseconds since 1970 UTC; of those that have just settled. */
  readonly seenAtMs?: ReadonlyMap<string, number>;
  /** What lists of checksums say: SHA-256 by path of the clip, and clips that they do not name. */
  readonly lists?: { readonly stated: ReadonlyMap<string, string>; readonly unlisted: ReadonlySet<string> };
  /** Said on the command line; wins over everything. */
  readonly overrides?: ExportOverrides;
}

/** What the command line says of an export. */
interface ExportOverrides {
  readonly title?: string;
  readonly description?: string;
  readonly incidentAtMs?: number;
}

/** A clip with all that is known about it. Absent: not known, and never guessed silently (service.md gap 32). */
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
  /** SHA-256 that the sidecar states, lower-case hexadecimal. */
  readonly expectedSha256?: string;
  readonly flags: readonly ClipFlag[];
}

/** An incident as the export describes it. */
export interface DescribedIncident {
  /** The incident's id, when the sidecar sets one (service.md gap 11). */
  readonly id?: Sourced<string>;
  /** `external_id` of the sidecar. */
  readonly externalId?: Sourced<string>;
  readonly title: Sourced<string>;
  readonly description?: Sourced<string>;
  /** Milliseconds since 1970 UTC. */
  readonly incidentAt?: Sourced<number>;
  /** Where nothing says when it was: when its files were written. Not sent unless a person says so (service.md gap 31). */
  readonly guessedAt?: Sourced<number>;
  readonly latitude?: Sourced<number>;
  readonly longitude?: Sourced<number>;
}

/** An export folder, understood. Clips are in order of path. */
export interface DescribedExport {
  readonly incident: DescribedIncident;
  readonly clips: readonly DescribedClip[];
  readonly warnings: readonly ExportWarning[];
}

/** How the names and times of an export are read, and what a person said of it. */
export interface IntakeRules {
  readonly watch: ClipNameRules;
  readonly besides?: SentBesides;
  readonly lists?: ExportEvidence['lists'];
  /** Said on the command line; wins over everything. */
  readonly overrides?: ExportOverrides;
}
