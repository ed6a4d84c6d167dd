import type { FaultBook } from './faults/fault-book.ts';
import type { RequestLog } from './request-log.ts';
import type { IncidentPut, StoredIncident } from './service/incident-store.ts';
import type { KnownKey, SimulatorSettings } from './settings.ts';
import type { OpenUpload, StorageBackend, StoredObject } from './storage/backend.ts';
import type { Hashing } from './storage/receive-body.ts';
import type { S3Options } from './storage/s3-backend.ts';
import type { StoredMessage } from './team/message-store.ts';
import type { TeamData } from './team/team.ts';
import type { TeamKind } from './team/team-store.ts';
import type { Invitation } from './team/user-store.ts';

/** How to start a simulator; everything has a default, and the default ports are free ones. */
export interface SimulatorOptions extends Partial<SimulatorSettings> {
  readonly port?: number;
  readonly storagePort?: number;
  /** Without it, or with false, there is no control port. 0 picks a free one. */
  readonly controlPort?: number | false;
  /** Where objects are stored; by default a temporary folder that `stop` removes. */
  readonly folder?: string;
  readonly storage?: StorageBackend | 'embedded';
  readonly s3?: S3Options;
  readonly apiKey?: string;
  readonly keys?: readonly KnownKey[];
  readonly sampleIncidents?: boolean;
  /** `sample`, the default, is a stadium in the middle of its season; it is created on first use. */
  readonly team?: TeamKind;
  /** Seed of the random numbers that decide about rules with a probability. */
  readonly seed?: number;
  /** Embedded storage keeps only sizes and digests. */
  readonly discard?: boolean;
  /** Embedded storage: `none` saves CPU; etags are then opaque. */
  readonly hashing?: Hashing;
  /** Embedded storage: largest file in one piece, bytes. */
  readonly maxSinglePieceBytes?: number;
}

/** A running simulated service with its storage. */
export interface Simulator {
  /** Includes the version: `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  readonly storageUrl: string;
  readonly controlUrl?: string;
  readonly apiKey: string;
  readonly folder: string;
  readonly requests: RequestLog;
  readonly faults: FaultBook;
  incidents(): ReadonlyMap<string, StoredIncident>;
  /** Every accepted PUT of an incident, in order. */
  putHistory(incidentId: string): readonly IncidentPut[];
  /** Periods, actions, channels and users as they are now, with added and removed users taken into account. */
  team(): TeamData;
  /** Accepted messages, in order. */
  messages(): readonly StoredMessage[];
  /** SMS invitations that were sent, in order. */
  invitations(): readonly Invitation[];
  objects(): Promise<readonly StoredObject[]>;
  readObject(key: string): AsyncIterable<Uint8Array>;
  sha256OfObject(key: string): Promise<string>;
  openUploads(): Promise<readonly OpenUpload[]>;
  setKeys(keys: readonly KnownKey[]): void;
  settings(): Readonly<SimulatorSettings>;
  configure(change: Partial<SimulatorSettings>): void;
  /** Refuses connections like a host that is down; stored data is kept. */
  goOffline(which?: 'service' | 'storage' | 'both'): Promise<void>;
  goOnline(which?: 'service' | 'storage' | 'both'): Promise<void>;
  stop(): Promise<void>;
}
