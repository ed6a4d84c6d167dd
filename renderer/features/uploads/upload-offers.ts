import { mayPass } from '../../../shared/domain/failure-policy.ts';
import type { ClipRowView, IncidentRowView, UploadTarget } from '../../../shared/domain/upload-view.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';

/** The clips and incidents that commands apply to; none of the clips belongs to one of the incidents. */
export interface Chosen {
  readonly clips?: readonly ClipRowView[];
  readonly incidents?: readonly IncidentRowView[];
}

/** The commands for a selection: only those that can help are offered. */
export interface Offers {
  readonly targets: readonly UploadTarget[];
  /** `targets` without clips that are already paused: undoing the pause would resume them too. */
  readonly running: readonly UploadTarget[];
  /** What can succeed, with the number of clips; `undefined` if there are too many to count. */
  readonly retry:
    | { readonly targets: readonly UploadTarget[]; readonly clips: number | undefined }
    | undefined;
  readonly leaveOut: LeaveOut | undefined;
  readonly isPaused: boolean;
  /** Part of it is still to be sent. */
  readonly isOpen: boolean;
}

/** Clips to leave out, or to take back. */
export interface LeaveOut {
  readonly inputs: readonly CallInput<'uploads.leaveOut'>[];
  readonly isLeftOut: boolean;
  /** Undefined if there are too many to count. */
  readonly clips: number | undefined;
}

/** The commands for clips and incidents, with the number of clips each affects. */
export function offersOf({ clips = [], incidents = [] }: Chosen): Offers {
  const states = [...clips, ...incidents].map(({ state }) => state);
  return {
    targets: targetsOf(clips, incidents),
    running: targetsOf(
      clips.filter(({ state }) => state !== 'paused'),
      incidents,
    ),
    retry: retryOf(clips, incidents),
    leaveOut: leaveOutOf(clips, incidents),
    isPaused: states.includes('paused') && !states.includes('waiting') && !states.includes('uploading'),
    isOpen: clips.some(isPending) || incidents.some(({ pending }) => pending > 0),
  };
}

/** Whether a clip is still to be sent. */
export const isPending = ({ state }: ClipRowView): boolean =>
  state === 'waiting' || state === 'uploading' || state === 'paused';

function targetsOf(
  clips: readonly ClipRowView[],
  incidents: readonly IncidentRowView[],
): readonly UploadTarget[] {
  return [
    ...incidents.map(({ id }) => ({ kind: 'incident', incidentId: id }) as const),
    ...(clips.length === 0 ? [] : [{ kind: 'clips', clipIds: clips.map(({ id }) => id) } as const]),
  ];
}

/** The sum; undefined if any of the counts is. */
const sumOf = (counts: readonly (number | undefined)[]): number | undefined =>
  counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);

function retryOf(clips: readonly ClipRowView[], incidents: readonly IncidentRowView[]): Offers['retry'] {
  const failed = clips.filter(
    ({ state, failure }) => state === 'failed' && (failure === undefined || mayPass(failure.code)),
  );
  const wanted = incidents.filter(({ retryable, failure }) => retryable !== 0 || failure !== undefined);
  if (failed.length + wanted.length === 0) return undefined;
  const count = sumOf([failed.length, ...wanted.map(({ retryable }) => retryable)]);
  return { targets: targetsOf(failed, wanted), clips: count };
}

/**
 * Leaves out failed clips, and those of incidents that cannot succeed; if there are none, takes back what was left out.
 */
function leaveOutOf(
  clips: readonly ClipRowView[],
  incidents: readonly IncidentRowView[],
): Offers['leaveOut'] {
  const offer = (isLeftOut: boolean, countIn: (incident: IncidentRowView) => number | undefined) => {
    const meant = clips.filter(({ state }) => state === (isLeftOut ? 'failed' : 'leftOut'));
    // Without a count, the button only names what cannot succeed: selected clips, which may have any failure, go first
    // and alone
    const uncounted = meant.length === 0 ? 1 : 0;
    const whole = incidents.filter((incident) => (countIn(incident) ?? uncounted) !== 0);
    const named = meant.length === 0 ? [] : [{ clipIds: meant.map(({ id }) => id), isLeftOut }];
    const inputs = [...whole.map(({ id }) => ({ incidentId: id, isLeftOut })), ...named];
    return { inputs, isLeftOut, clips: sumOf([meant.length, ...whole.map(countIn)]) };
  };
  const failed = offer(true, ({ failed: all, retryable }) =>
    retryable === undefined ? undefined : all - retryable,
  );
  if (failed.inputs.length > 0) return failed;
  const leftOut = offer(false, (incident) => incident.leftOut);
  return leftOut.inputs.length > 0 ? leftOut : undefined;
}
