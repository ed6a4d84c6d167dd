import type { Json } from '../../../../shared/lib/json-text.ts';

/** Names of a pack's files. */
export const packFiles = {
  manifest: 'manifest.json',
  signature: 'manifest.sig',
  key: 'key.pem',
  sums: 'SHA256SUMS',
  chain: 'chain.txt',
  clips: 'clips.txt',
  report: 'report.html',
  pdf: 'report.pdf',
  /** A time-stamp service's response about SHA256SUMS, which does not list it because it was written first. */
  timeStamp: 'timestamp.tsr',
} as const;

/** Files that a manifest cannot list: itself, and its signature. */
export const unlisted: ReadonlySet<string> = new Set([packFiles.manifest, packFiles.signature]);

/** Where a value came from and how certain it is. */
export type Origin = { readonly source: string; readonly confidence: string; readonly note?: string };

/** A change and its time, as recorded in the chain. Times are ISO 8601 UTC. */
export type NotedChange = {
  readonly row: number;
  readonly at: string;
  readonly what: string;
  readonly account: string;
  readonly before?: Json;
  readonly after?: Json;
};

/** A clip in a manifest. Times are ISO 8601 UTC. */
export type ManifestClip = {
  readonly number: number;
  readonly id: string;
  /** The exporter's name for it, inside the export folder. */
  readonly path: string;
  readonly generation: number;
  readonly state: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal: as found, as sent, and as stated by its exporter. Null: not known. */
  readonly sha256: {
    readonly found: string | null;
    readonly sent: string | null;
    readonly stated: string | null;
  };
  readonly foundAt: string | null;
  readonly settledAt: string | null;
  readonly fileWrittenAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly camera: {
    readonly id: string | null;
    readonly name: string | null;
    readonly description: string | null;
  };
  readonly origins: Readonly<Record<string, Origin>>;
  readonly sent: {
    readonly row: number;
    readonly at: string;
    /** How far the service's clock was ahead of this PC's; null: not known. */
    readonly clockOffsetMs: number | null;
    readonly startedAt: string | null;
    readonly storageKey: string;
    readonly name: string;
    readonly etags: readonly string[];
    readonly partSizeBytes: number | null;
    readonly partSha256: readonly string[];
    readonly requestIds: readonly string[];
  } | null;
  readonly changes: readonly NotedChange[];
  readonly problem: string | null;
  /** Name in the pack. */
  readonly picture: string | null;
  readonly pictureNote: string | null;
};

/** Content of a pack's manifest: canonical JSON (RFC 8785), signed exactly as written. */
export type Manifest = {
  readonly format: 'vms-export-agent custody pack';
  readonly version: 1;
  readonly packedAt: string;
  readonly desk: {
    readonly id: string;
    readonly computer: string;
    readonly account: string;
    readonly programVersion: string;
    readonly clockOffsetMs: number | null;
    readonly key: string;
    readonly keyChanges: readonly Json[];
  };
  readonly chain: {
    readonly id: string;
    readonly head: { readonly hash: string; readonly sequence: number };
    readonly lines: number;
  };
  /** The previous pack of this desk. */
  readonly previousPack: { readonly manifestSha256: string; readonly packedAt: string } | null;
  readonly incident: {
    readonly id: string;
    readonly title: string;
    readonly description: string | null;
    readonly happenedAt: string | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
    readonly folder: string;
    readonly foundAt: string;
    readonly origins: Readonly<Record<string, Origin>>;
    readonly records: readonly {
      readonly row: number;
      readonly at: string;
      readonly version: number;
      readonly requestIds: readonly string[];
    }[];
    readonly changes: readonly NotedChange[];
  };
  readonly clips: readonly ManifestClip[];
  /** Time-stamp of SHA256SUMS (RFC 3161); null: the service issued none; absent: none is requested. */
  readonly timeStamp?: { readonly at: string; readonly by: string } | null;
  /** What is missing compared with a complete chain, one sentence each. */
  readonly missing: readonly string[];
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly sizeBytes: number }>>;
};
