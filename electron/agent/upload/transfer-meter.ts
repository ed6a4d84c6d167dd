/** Bytes of clips in flight, for progress only: never stored, gone with the process. */
export interface TransferMeter {
  /** Storage acknowledged `bytes` of the clip: whole parts. */
  acknowledged(clipId: string, bytes: number): void;
  /** `bytes` of the clip went onto the line; taken back when their part did not arrive. */
  sent(clipId: string, bytes: number): void;
  /** The clip is no longer in flight. */
  ended(clipId: string): void;
  /** Bytes in flight of one clip, on the line or acknowledged. */
  of(clipId: string): number;
  inFlightBytes(): number;
  /** Bytes that left this desk since the start, repeated ones included. */
  totalSentBytes(): number;
}

/** Makes an empty meter. */
export function createTransferMeter(): TransferMeter {
  const byClip = new Map<string, number>();
  let totalSent = 0;
  const add = (clipId: string, bytes: number): void => {
    byClip.set(clipId, (byClip.get(clipId) ?? 0) + bytes);
  };
  return {
    acknowledged: add,
    sent(clipId, bytes) {
      add(clipId, bytes);
      if (bytes > 0) totalSent += bytes;
    },
    ended: (clipId) => void byClip.delete(clipId),
    of: (clipId) => byClip.get(clipId) ?? 0,
    inFlightBytes: () => [...byClip.values()].reduce((sum, bytes) => sum + bytes, 0),
    totalSentBytes: () => totalSent,
  };
}
