import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest, Simulator } from '../simulator/index.ts';
import type { Findings } from './findings.ts';
import type { QueueSnapshot } from './queue-snapshot.ts';

/** Longest wait for the requests of a killed agent to end, milliseconds; their sockets close immediately. */
const ENDING_MS = 2000;

/** Totals of the requests of all lives. */
export interface Journal {
  readonly requests: number;
  readonly faulted: number;
  readonly partBytes: number;
  /** Bytes of parts that had been received before. */
  readonly partBytesAgain: number;
  /** Part bytes of requests with a fault: a part that was refused, or whose answer was lost. */
  readonly partBytesFaulted: number;
  readonly completesWithoutAnswer: number;
  readonly createsWithoutAnswer: number;
  /** Adds the life's requests and empties the log. */
  endLife(simulator: Simulator): Promise<void>;
  /** Notes the parts whose acknowledgment is on disk: they must never be sent again. */
  acknowledged(snapshot: QueueSnapshot): void;
}

export function createJournal(findings: Findings): Journal {
  const stored = new Set<string>();
  const largest = new Map<string, number>();
  const sums = {
    requests: 0,
    faulted: 0,
    partBytes: 0,
    partBytesAgain: 0,
    partBytesFaulted: 0,
    completesWithoutAnswer: 0,
    createsWithoutAnswer: 0,
  };

  function notePart(entry: LoggedRequest): void {
    const part = `${entry.uploadId} ${entry.partNumber}`;
    if (stored.has(part)) {
      findings.add(
        'I9',
        `part ${entry.partNumber} of ${entry.key} was sent again although its acknowledgment was stored`,
      );
    }
    const before = largest.get(part) ?? 0;
    sums.partBytes += entry.bytesReceived;
    sums.partBytesAgain += Math.min(before, entry.bytesReceived);
    if (entry.faultId !== undefined) sums.partBytesFaulted += entry.bytesReceived;
    largest.set(part, Math.max(before, entry.bytesReceived));
  }

  function note(entry: LoggedRequest): void {
    const isLost = entry.dropped === true || entry.status === undefined;
    sums.requests += 1;
    if (entry.faultId !== undefined) sums.faulted += 1;
    if (entry.call === 'putPart') notePart(entry);
    if (entry.call === 'completeMultipartUpload' && isLost) sums.completesWithoutAnswer += 1;
    if (entry.call === 'createMultipartUpload' && isLost) sums.createsWithoutAnswer += 1;
    refuseUnexpected(entry, findings);
  }

  return {
    get requests() {
      return sums.requests;
    },
    get faulted() {
      return sums.faulted;
    },
    get partBytes() {
      return sums.partBytes;
    },
    get partBytesAgain() {
      return sums.partBytesAgain;
    },
    get partBytesFaulted() {
      return sums.partBytesFaulted;
    },
    get completesWithoutAnswer() {
      return sums.completesWithoutAnswer;
    },
    get createsWithoutAnswer() {
      return sums.createsWithoutAnswer;
    },
    async endLife({ requests }) {
      const isOpen = (entry: LoggedRequest) => entry.endedAt === undefined;
      const deadline = performance.now() + ENDING_MS;
      while (requests.all().some(isOpen) && performance.now() < deadline) await sleep(1);
      requests.all().forEach(note);
      requests.clear();
    },
    acknowledged(snapshot) {
      for (const { uploadId, number } of snapshot.storedParts) stored.add(`${uploadId} ${number}`);
    },
  };
}

/**
 * The simulator is strict: a refusal that no rule caused means that the agent made a wrong request. 422 on the incident
 * is the important one: a clip was listed before it was stored.
 */
function refuseUnexpected(entry: LoggedRequest, findings: Findings): void {
  const { status, faultId, call, incidentId } = entry;
  if (status === undefined || status < 400 || status === 404 || faultId !== undefined) return;
  const isEarly = call === 'putIncident' && status === 422;
  findings.add(isEarly ? 'I5' : 'I4', `${call} of incident ${incidentId} was refused with ${status}`);
}
