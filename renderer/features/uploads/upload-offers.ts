import { mayPass } from '../../../shared/domain/failure-policy.ts';
import type { ClipRowView, IncidentRowView, UploadTarget } from '../../../shared/domain/upload-view.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';

/** Clips and incidents that commands are about; no clip is of one of the incidents. */
export interface Chosen {
  readonly clips?: readonly ClipRowView[];
  readonly incidents?: readonly IncidentRowView[];
}

/** What may be done with what is chosen: what helps is offered, what cannot help is not. */
export interface Offers {
  readonly targets: readonly UploadTarget[];
  /** The same without clips that are paused already: an undo of their pause would resume them too. */
  readonly running: readonly UploadTarget[];
  /** What can succeed, with the number of its clips; `undefined` as the number: too many to count. */
  readonly retry:
    | { readonly targets: readonly UploadTarget[]; readonly clips: number | undefined }
    | undefined;
  readonly leaveOut: LeaveOut | undefined;
  readonly isPaused: boolean;
  /** Something of it is still to be sent. */
  readonly isOpen: boolean;
}

/** Clips that are left out from now on, or no longer. */
export interface LeaveOut {
  readonly inputs: readonly CallInput<'uploads.leaveOut'>[];
  readonly isLeftOut: boolean;
  /** Missing: too many to count. */
  readonly clips: number | undefined;
}

/** What may be done with clips and incidents, and with how many of their clips. */
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

/** It is still to be sent. */
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

/** Undefined as soon as one of them is not known. */
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

/** What failed may be left out, of an incident what cannot succeed; else what was left out may be taken back. */
function leaveOutOf(
  clips: readonly ClipRowView[],
  incidents: readonly IncidentRowView[],
): Offers['leaveOut'] {
  const offer = (isLeftOut: boolean, countIn: (incident: IncidentRowView) => number | undefined) => {
    const meant = clips.filter(({ state }) => state === (isLeftOut ? 'failed' : 'leftOut'));
    // Where nothing was counted, the button names only what cannot succeed: clips of any failure go first, alone
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
