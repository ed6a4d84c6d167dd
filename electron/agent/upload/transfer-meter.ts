import type { Clock } from '../ports.ts';

/** A clip in flight with its bytes, on the line or acknowledged. */
export interface ClipTransfer {
  readonly id: string;
  readonly bytesSent: number;
}

/** Bytes of clips in flight, for progress only: never stored, gone with the process. */
export interface TransferMeter {
  /** Storage acknowledged `bytes` of the clip: whole parts. */
  acknowledged(clipId: string, bytes: number): void;
  /** `bytes` of the clip went onto the line; negative when their part did not arrive. */
  sent(clipId: string, bytes: number): void;
  /** `bytes` of no clip in the queue went onto the line: they count for its speed, but not as progress. */
  sentBeside(bytes: number): void;
  /** The clip is no longer in flight. */
  ended(clipId: string): void;
  /** When bytes of the clip last went onto the line, monotonic milliseconds; undefined if none did. */
  movedAtMs(clipId: string): number | undefined;
  /** Bytes in flight of one clip, on the line or acknowledged. */
  of(clipId: string): number;
  inFlightBytes(): number;
  /** The clips that have bytes in flight. */
  inFlight(): readonly ClipTransfer[];
  /** Calls `listener` each time bytes leave; returns a function that ends it. */
  onSent(listener: () => void): () => void;
  /** Bytes that left this desk since the start, including repeated ones. */
  totalSentBytes(): number;
}

/** Creates an empty meter. */
export function createTransferMeter(clock: Pick<Clock, 'monotonic'>): TransferMeter {
  const moved = new Map<string, number>();
  const byClip = new Map<string, number>();
  const listeners = new Set<() => void>();
  let totalSent = 0;
  const add = (clipId: string, bytes: number): void => {
    byClip.set(clipId, (byClip.get(clipId) ?? 0) + bytes);
  };
  function leave(bytes: number): void {
    totalSent += bytes;
    for (const listener of listeners) listener();
  }
  return {
    acknowledged: add,
    sentBeside: leave,
    sent(clipId, bytes) {
      add(clipId, bytes);
      if (bytes <= 0) return;
      moved.set(clipId, clock.monotonic());
      leave(bytes);
    },
    ended(clipId) {
      byClip.delete(clipId);
      moved.delete(clipId);
    },
    movedAtMs: (clipId) => moved.get(clipId),
    of: (clipId) => byClip.get(clipId) ?? 0,
    inFlightBytes: () => [...byClip.values()].reduce((sum, bytes) => sum + bytes, 0),
    inFlight: () => [...byClip].flatMap(([id, bytesSent]) => (bytesSent > 0 ? [{ id, bytesSent }] : [])),
    onSent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    totalSentBytes: () => totalSent,
  };
}
