import { baseName, fileKindOf, type Container } from '../../core/naming/file-kinds.ts';
import type { FileSeen } from '../../core/settle/file-seen.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { openFile } from '../opened-file.ts';
import type { RootGate } from '../root-gate.ts';
import { WINDOW_BYTES, type Completeness, type MediaReader } from './media-reader.ts';
import { checkMp4 } from './read-boxes.ts';
import { checkMatroska } from './read-matroska.ts';

/** Whether clips of this container are parsed to their end. */
export function isParsedContainer(container: Container): boolean {
  return container === 'mp4' || container === 'mkv';
}

/** Whether the container of a clip is whole, or why it could not be read. */
export type ClipCheck = Completeness | { readonly kind: 'unreadable'; readonly failure: Failure };

/**
 * Whether a quiet file is whole: clips in a container that is read here must parse to their end. Other files are
 * as whole as their name says. Opens read-only through the gate and keeps nothing.
 */
export function createClipCheck(gate: RootGate, rootPath: string) {
  return async (absolutePath: string, seen: FileSeen): Promise<ClipCheck> => {
    const kind = fileKindOf(baseName(seen.path));
    if (kind.kind !== 'clip' || !isParsedContainer(kind.container)) return { kind: 'unknown-format' };
    const { container } = kind;
    const opened = await gate.run(
      () => openFile(absolutePath, seen, rootPath, seen.path),
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
      // Not waited for: a read that hangs in a dead share would hold up every later scan of the root.
      void file.close().catch(() => undefined);
    }
  };
}

/**
 * Whether a clip is whole, by its container. `unknown-format`: the container is one that is not read here,
 * or the file is no such container. Read errors reject as the reader made them.
 */
export async function checkComplete(reader: MediaReader, container: Container): Promise<Completeness> {
  if (container === 'mp4') return checkMp4(reader);
  if (container === 'mkv') return checkMatroska(reader);
  return { kind: 'unknown-format' };
}
