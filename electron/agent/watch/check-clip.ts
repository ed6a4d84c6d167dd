import type { Completeness } from './watch-types.ts';
import { baseName, fileKindOf } from '../core/file-kinds.ts';
import type { FileSeen } from '../core/file-seen.ts';
import { checkComplete } from '../media/check-complete.ts';
import { WINDOW_BYTES } from '../media/media-reader.ts';
import { openEvidence } from '../upload/evidence-file.ts';
import type { RootGate } from './root-gate.ts';

/**
 * Whether a quiet file is whole: clips in a container that is read here must parse to their end. Other files are
 * as whole as their name says. Opens read-only through the gate and keeps nothing.
 */
export function createClipCheck(gate: RootGate, rootPath: string) {
  return async (absolutePath: string, seen: FileSeen): Promise<Completeness> => {
    const kind = fileKindOf(baseName(seen.path));
    if (kind.kind !== 'clip' || (kind.container !== 'mp4' && kind.container !== 'mkv')) {
      return { kind: 'unknown-format' };
    }
    const { container } = kind;
    const opened = await gate.run(
      () => openEvidence(absolutePath, seen, rootPath),
      undefined,
      (late) => void (late.ok && late.value.close()),
    );
    if (!opened.ok) return { kind: 'unreadable', failure: opened.error };
    const file = opened.value;
    const buffer = new Uint8Array(WINDOW_BYTES);
    try {
      return await checkComplete(
        {
          sizeBytes: file.version.sizeBytes,
          read: async (offset, length) => {
            const into = length <= buffer.length ? buffer : new Uint8Array(length);
            const bytes = await gate.run(() => file.read(into, 0, length, offset));
            return into.subarray(0, bytes);
          },
        },
        container,
      );
    } finally {
      await file.close();
    }
  };
}
