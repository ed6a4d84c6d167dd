import type { Failure, FailureCode } from '../../shared/domain/failure.ts';
import type { LanePause } from './jobs/lanes.ts';

/** Pauses in a row after which a side counts as out of reach for a run that is to end: some ten seconds. */
const UNREACHABLE_AFTER_PAUSES = 4;

const keyTrouble: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'KEY_REFUSED',
  'KEY_MISSING',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'VIDEO_PERMISSION_MISSING',
]);

/** Why a run that is to end by itself should not wait any longer; undefined while waiting makes sense. */
export function hopeless(pauses: readonly LanePause[]): Failure | undefined {
  const refused = pauses.find((pause) => keyTrouble.has(pause.failure.code));
  if (refused !== undefined) return refused.failure;
  return pauses.find((pause) => pause.times >= UNREACHABLE_AFTER_PAUSES)?.failure;
}
