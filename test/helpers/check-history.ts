import type { HistoryFacts } from '../../shared/domain/upload-history.ts';

/** A row of a history as it is in the database, or as it was read. */
export interface HistoryFact {
  readonly sequence: number;
  readonly facts: HistoryFacts;
}

/** A clip's state according to the queue. */
export interface ClipState {
  readonly state: 'queued' | 'uploaded' | 'failed';
  /** The id of the open multipart upload. */
  readonly uploadId?: string | undefined;
  /** The number of its parts that are acknowledged. */
  readonly parts?: number;
}

/** Checks that numbers are consecutive from 1; a merged row stands for all numbers from its `from` on. */
export function sequenceTroubles(rows: readonly HistoryFact[]): string[] {
  let next = 1;
  return rows.flatMap(({ sequence, facts }) => {
    const first = facts.kind === 'merged' ? facts.from : sequence;
    const expected = next;
    next = sequence + 1;
    return first === expected ? [] : [`event ${sequence} (${facts.kind}) comes where ${expected} should`];
  });
}

/** The state in which the last deciding event leaves the clip; undefined when there is none. */
function stateTold(rows: readonly HistoryFact[]): ClipState['state'] | undefined {
  const states = rows.flatMap(({ facts }): ClipState['state'][] => {
    switch (facts.kind) {
      case 'queued':
      case 'retried':
      case 'returned':
        return ['queued'];
      case 'changed':
        return facts.generation === undefined ? ['queued'] : [];
      case 'uploaded':
      case 'known':
        return ['uploaded'];
      case 'cancelled':
        return ['failed'];
      case 'tried':
        return facts.end === 'given-up' ? ['failed'] : [];
      default:
        return [];
    }
  });
  return states.at(-1);
}

/** Checks that a clip's history agrees with its row. Returns the disagreements, none when all is well. */
export function historyTroubles(clip: ClipState, rows: readonly HistoryFact[]): string[] {
  const troubles = sequenceTroubles(rows);
  const told = stateTold(rows);
  if (told !== clip.state) troubles.push(`the history ends with ${told}, the clip is ${clip.state}`);
  const isMerged = rows.some(({ facts }) => facts.kind === 'merged');
  if (clip.uploadId === undefined || isMerged) return troubles;
  const opened = rows.findLastIndex(({ facts }) => facts.kind === 'opened');
  const upload = rows[opened]?.facts;
  if (upload?.kind !== 'opened' || upload.uploadId !== clip.uploadId)
    troubles.push(`the upload ${clip.uploadId} is open and was not told`);
  const parts = rows
    .slice(opened)
    .reduce((sum, { facts }) => sum + (facts.kind === 'parts' ? facts.count : 0), 0);
  if (parts !== (clip.parts ?? 0)) troubles.push(`${parts} parts are told, ${clip.parts ?? 0} are stored`);
  return troubles;
}
