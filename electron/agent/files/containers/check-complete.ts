import type { Container } from '../../core/naming/file-kinds.ts';
import type { Completeness } from './completeness.ts';
import { checkMp4 } from './read-boxes.ts';
import { checkMatroska } from './read-matroska.ts';
import type { MediaReader } from './media-reader.ts';

/**
 * Whether a clip is whole, by its container. `unknown-format`: the container is one that is not read here,
 * or the file is no such container. Read errors reject as the reader made them.
 */
export async function checkComplete(reader: MediaReader, container: Container): Promise<Completeness> {
  if (container === 'mp4') return checkMp4(reader);
  if (container === 'mkv') return checkMatroska(reader);
  return { kind: 'unknown-format' };
}
