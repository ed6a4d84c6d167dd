import type { Failure } from '../../../shared/domain/failure.ts';
import {
  MAX_REASON_LENGTH,
  type HistoryFacts,
  type TryReason,
} from '../../../shared/domain/upload-history.ts';
import { withIds } from '../core/request-ids.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';

type Tried = HistoryFacts & { readonly kind: 'tried' };

/** How a try ended that did not succeed; `nextTryAtMs` on the wall clock. */
export interface TryEnd {
  readonly end: Tried['end'];
  readonly failure?: Failure;
  readonly nextTryAtMs?: number;
}

/** Notes the try in the history of its clip or incident; to be called in the transaction that stores what became of it. */
export function noteTry(
  { tables, clock }: { readonly tables: Tables; readonly clock: Clock },
  job: JobRow,
  { end, failure, nextTryAtMs }: TryEnd,
): void {
  const facts: Tried = {
    kind: 'tried',
    end,
    ...(failure === undefined ? {} : { reason: reasonOf(failure) }),
    ...(nextTryAtMs === undefined ? {} : { nextTryAt: new Date(nextTryAtMs).toISOString() }),
  };
  const row = { at: clock.now(), startedAt: job.leasedAt, facts };
  if (job.kind === 'send-clip') tables.history.clip(job.subject, row);
  if (job.kind === 'put-incident' || job.kind === 'check-incident') tables.history.incident(job.subject, row);
}

function reasonOf({ code, message, status, requestIds }: Failure): TryReason {
  return {
    code,
    message: message.slice(0, MAX_REASON_LENGTH),
    ...(status === undefined ? {} : { status }),
    ...withIds(requestIds),
  };
}
