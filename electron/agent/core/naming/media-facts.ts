/** What a clip says about itself. Absent: it does not say. */
export interface MediaFacts {
  readonly durationMs?: number;
  /** Creation time of the container, milliseconds since 1970 UTC. Often the time of the export: see `plausibleCreation`. */
  readonly createdAtMs?: number;
  /** Start time that an ONVIF export states (`cstb`), milliseconds since 1970 UTC. */
  readonly statedStartMs?: number;
  /** Camera name that an ONVIF export states (`suep`). */
  readonly sourceName?: string;
  readonly format?: string;
  readonly videoCodec?: string;
  readonly width?: number;
  readonly height?: number;
}
