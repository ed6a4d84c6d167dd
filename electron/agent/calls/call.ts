import type { Failure } from '../../../shared/domain/failure.ts';
import type { CallArguments, CallName, CallOutput } from '../../../shared/ipc/contract.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { AuditDetail, AuditTrail } from '../evidence/audit-trail.ts';
import type { Subject } from './change-signals.ts';

type Answer<Name extends CallName> = Result<CallOutput<Name>, Failure>;

/** Everything about one call of the contract, side by side at the line where it is registered. */
export interface Call<Name extends CallName> {
  /** Gets input that was checked; `signal` aborts when nobody waits for the answer any more. */
  readonly handle: (input: CallArguments<Name>, signal: AbortSignal) => Answer<Name> | Promise<Answer<Name>>;
  /**
   * Present on a call that changes users, keys, settings or what is sent. The audit trail has a row before the work, so
   * that ending the program leaves a trace too, and one with what became of it. Ids, names of fields and codes only.
   */
  readonly audit?: {
    readonly asked?: (input: CallArguments<Name>) => AuditDetail;
    readonly done?: (output: CallOutput<Name>) => AuditDetail;
  };
  /** What every window reads again afterwards, unless the call was refused: a refusal means that nothing changed. */
  readonly changes?: readonly Subject[];
}

/** Each of the named calls: leaving one out is a type error. */
export type Calls<Name extends CallName = CallName> = { readonly [N in Name]: Call<N> };

interface Deps {
  readonly trail: Pick<AuditTrail, 'note'>;
  /** The subject changed: whoever watches reads it again. */
  readonly announce: (subject: Subject) => void;
}

/** Carries out one call with its audit rows. Where the first row cannot be written the call is not done: it rejects. */
export async function carryOut<Name extends CallName>(
  { trail, announce }: Deps,
  name: Name,
  call: Call<Name>,
  input: CallArguments<Name>,
  signal: AbortSignal,
): Promise<Answer<Name>> {
  const { audit } = call;
  if (audit === undefined) return handleAndAnnounce(call, announce, input, signal);
  const of = trail.note(name, { state: 'asked', ...audit.asked?.(input) });
  try {
    const result = await handleAndAnnounce(call, announce, input, signal);
    trail.note(
      name,
      result.ok
        ? { state: 'done', of, ...audit.done?.(result.value) }
        : { state: 'refused', of, code: result.error.code },
    );
    return result;
  } catch (error) {
    trail.note(name, { state: 'broken', of });
    throw error;
  }
}

async function handleAndAnnounce<Name extends CallName>(
  { handle, changes = [] }: Call<Name>,
  announce: Deps['announce'],
  input: CallArguments<Name>,
  signal: AbortSignal,
): Promise<Answer<Name>> {
  let isRefused = false;
  try {
    const result = await handle(input, signal);
    isRefused = !result.ok;
    return result;
  } finally {
    // Also after an error: a part of it may have been done
    if (!isRefused) for (const subject of changes) announce(subject);
  }
}
