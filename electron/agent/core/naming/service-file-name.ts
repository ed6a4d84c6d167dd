import { baseName, isKnownExtension, splitName } from './file-kinds.ts';

/** Longest stem in a name that is sent, characters (service.md gap 30). */
const MAX_STEM_LENGTH = 64;
/** How much of the video id goes into the name, characters (service.md gap 30). */
const ID_LENGTH = 8;

/**
 * The `filename` that the service is told (service.md gap 30): ASCII letters, digits, `-` and `_`, the start
 * of the video id, a known extension. The original name is never sent as a path or key.
 */
export function serviceFileName(originalPath: string, videoId: string): string {
  const { stem, extension } = splitName(baseName(originalPath));
  const reduced = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, MAX_STEM_LENGTH)
    .replace(/^_+|_+$/g, '');
  const known = isKnownExtension(extension) ? extension : 'bin';
  return `${reduced === '' ? 'clip' : reduced}-${videoId.slice(0, ID_LENGTH)}.${known}`;
}
