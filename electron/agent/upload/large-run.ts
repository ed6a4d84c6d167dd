import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { HashPools } from '../files/hashing/hash-pool.ts';
import type { Clock } from '../ports.ts';
import type { ClipFacts } from '../queue/clip-facts.ts';
import { type LargeRules } from './large-upload.ts';
import type { SendRange } from './send-range.ts';
import { type RootGates } from '../files/root-gate.ts';
import type { EtagBook } from './etag-book.ts';
import type { TransferMeter } from './transfer-meter.ts';
import type { UploadUrls } from './upload-urls.ts';
import type { ServiceClock } from '../service/service-clock.ts';

/** What sending large clips needs. */
export interface LargeParts {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly groupCommit: GroupCommit;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly uploadUrls: UploadUrls;
  readonly sendRange: SendRange;
  readonly hashPools: HashPools;
  readonly gates: RootGates;
  readonly circuits: Circuits;
  readonly facts: ClipFacts;
  readonly meter: TransferMeter;
  readonly etags: EtagBook;
  readonly rules: LargeRules;
  /** True once the program is about to end: what is on the line is let end, nothing more is begun. */
  readonly isEnding: () => boolean;
}

/** One run of the worker. */
export interface LargeRun extends LargeParts {
  readonly job: JobRow;
  /** Aborts at the end of the run only, not for a person's order. */
  readonly end: AbortSignal;
}
