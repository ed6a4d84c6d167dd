import type { Container } from './file-kinds.ts';

/** What the first bytes of a file say that it is. */
export type FileContent = Container | 'program';

/** Bytes that are looked at: three packets of a transport stream. */
export const SIGNATURE_BYTES = 512;
const TS_PACKET_BYTES = 188;
const GENETEC = 'Genetec Omnicast Archive';

/** What a file is by its first bytes; undefined when they say nothing, and then its name counts. */
export function contentOf(head: Uint8Array): FileContent | undefined {
  const text = String.fromCharCode(...head.subarray(0, 64));
  if (text.startsWith('MZ') || text.startsWith('\u007fELF') || text.startsWith('#!')) return 'program';
  if (text.startsWith('DHAV') || text.startsWith(GENETEC) || text.slice(4, 8) === 'avfs') return 'native';
  // A stored archive whose first entry belongs to a G64x
  if (text.startsWith('PK\u0003\u0004') && /^(?:FileInfo\.xml|[^/]*\.g64m?)/.test(text.slice(30)))
    return 'native';
  if (text.slice(4, 8) === 'ftyp') return 'mp4';
  if (text.startsWith('\u001aE\u00df\u00a3')) return 'mkv';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'AVI ') return 'avi';
  if (text.startsWith('0&\u00b2u')) return 'asf';
  if (text.startsWith('\0\0\u0001\u00ba')) return 'ps';
  if ([0, 1, 2].every((packet) => head[packet * TS_PACKET_BYTES] === 0x47)) return 'ts';
  return isRawVideo(head) ? 'raw' : undefined;
}

/** Parameter sets or delimiters of H.264 and H.265 behind a start code. */
function isRawVideo(head: Uint8Array): boolean {
  const zeros = head.findIndex((byte) => byte !== 0);
  if ((zeros !== 2 && zeros !== 3) || head[zeros] !== 1) return false;
  const unit = head[zeros + 1] ?? 0;
  const [avc, hevc] = [unit & 0x1f, (unit >> 1) & 0x3f];
  return avc === 7 || avc === 9 || hevc === 32 || hevc === 35;
}
