import type { Json } from '../../../../shared/lib/json-text.ts';

/** Names in a pack. */
export const packFiles = {
  manifest: 'manifest.json',
  signature: 'manifest.sig',
  key: 'key.pem',
  sums: 'SHA256SUMS',
  chain: 'chain.txt',
  clips: 'clips.txt',
  report: 'report.html',
  pdf: 'report.pdf',
  /** The answer of a time-stamp service about SHA256SUMS. It is not in those, which were there before it. */
  timeStamp: 'timestamp.tsr',
} as const;

/** What no manifest can list: itself, and its signature. */
export const unlisted: ReadonlySet<string> = new Set([packFiles.manifest, packFiles.signature]);

/** Where a value came from and how sure it is. */
export type Origin = { readonly source: string; readonly confidence: string; readonly note?: string };

/** Something that was changed, and when, as the chain has it. Times are ISO 8601 UTC. */
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
  /** As the exporter named it, inside the export folder. */
  readonly path: string;
  readonly generation: number;
  readonly state: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal: as it was found, as it was sent, as its exporter stated. Null: not known. */
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
    /** By how much the service's clock was ahead of this PC's; null: not known. */
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

/** What a pack says: canonical JSON (RFC 8785), signed as it stands. */
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
  /** The pack that this desk made before. */
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
  /** Of SHA256SUMS, by RFC 3161; null: the service gave none; absent: none is asked for. */
  readonly timeStamp?: { readonly at: string; readonly by: string } | null;
  /** What a complete chain would have and this one has not: a sentence each. */
  readonly missing: readonly string[];
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly sizeBytes: number }>>;
};
