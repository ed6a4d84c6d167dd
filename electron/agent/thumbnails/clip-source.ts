import { FailureError } from '../../../shared/domain/failure.ts';
import type { ClipSource } from '../ports.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { RootGate } from '../files/root-gate.ts';

/** Most bytes of one read: what a hung share holds of the memory. */
const MAX_READ_BYTES = 1024 * 1024;

/** The open clip for whoever makes its picture: every read takes its turn at the gate of the root. */
export function createClipSource(gate: RootGate, file: SourceFile, signal: AbortSignal): ClipSource {
  const { sizeBytes } = file.version;
  return {
    sizeBytes,
    async read(start, end) {
      if (!(start >= 0 && end > start)) throw new RangeError(`No bytes from ${start} to ${end}`);
      const bytes = new Uint8Array(Math.max(0, Math.min(end, sizeBytes, start + MAX_READ_BYTES) - start));
      if (bytes.length === 0) return bytes;
      const read = await gate.run(() => {
        const reading = file.readExactly(bytes, bytes.length, start);
        file.retain(reading);
        return reading;
      }, signal);
      if (!read.ok) throw new FailureError(read.error);
      return bytes;
    },
  };
}
