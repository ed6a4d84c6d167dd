import type { Container } from './file-kinds.ts';

/** What a file is, judged by its first bytes. */
export type FileContent = Container | 'program' | NoRecording;
/** Leading bytes that rule a file out as a recording, whatever its name. */
export type NoRecording = 'text' | 'archive';

/** The container format that the first bytes show; undefined if they show none. */
export const containerOf = (content: FileContent | undefined): Container | undefined =>
  content === 'program' || content === 'text' || content === 'archive' ? undefined : content;

/** What a clip states about itself; absent if it does not. */
export interface MediaFacts {
  readonly durationMs?: number;
  /**
   * Creation time of the container, milliseconds since 1970 UTC. Often the time of the export: see
   * `times/clip-times.ts`.
   */
  readonly createdAtMs?: number;
  /** Time on the recorder's clock, without a zone, as in an AVI: `2026-06-20T18:30:05`. */
  readonly clockText?: string;
  /** Start time that an ONVIF export states (`cstb`), milliseconds since 1970 UTC. */
  readonly statedStartMs?: number;
  /** Another start, stated by a later signer of that export; neither is proven. */
  readonly otherStartMs?: number;
  /** Camera that an ONVIF export states (`suep`). */
  readonly sourceName?: string;
  readonly sourceMac?: string;
  readonly sourceUrl?: string;
  /** Where the camera was, degrees. */
  readonly latitude?: number;
  readonly longitude?: number;
  readonly format?: string;
  readonly videoCodec?: string;
  /** Frames per second; the average if they vary. */
  readonly frameRate?: number;
  readonly width?: number;
  readonly height?: number;
}

const TS_PACKET_BYTES = 188;
/** ISO/IEC 13818-1, table 2-3. */
const PADDING_PID = 0x1fff;
const GENETEC = 'Genetec Omnicast Archive';

/** What a file is, judged by its first bytes; undefined if they show nothing, and its name decides. */
export function contentOf(head: Uint8Array): FileContent | undefined {
  const text = String.fromCharCode(...head.subarray(0, 64));
  if (text.startsWith('\u007fELF') || isProgramByTwoBytes(head)) return 'program';
  if (text.startsWith('DHAV') || text.startsWith(GENETEC) || text.slice(4, 8) === 'avfs') return 'native';
  if (text.startsWith('PK\u0003\u0004')) return isG64x(head) ? 'native' : 'archive';
  if (text.slice(4, 8) === 'ftyp') return 'mp4';
  if (text.startsWith('\u001aE\u00df\u00a3')) return 'mkv';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'AVI ') return 'avi';
  if (text.startsWith('0&\u00b2u')) return 'asf';
  if (text.startsWith('\0\0\u0001\u00ba')) return 'ps';
  if ([0, 1, 2].every((packet) => head[packet * TS_PACKET_BYTES] === 0x47)) return 'ts';
  if (isRawVideo(head)) return 'raw';
  return isText(head) ? 'text' : undefined;
}

/** Offsets in the header of an archive entry: compression method, length of the name, and the name itself. */
const ENTRY = { method: 8, nameLength: 26, name: 30 } as const;

/** Whether an archive is a G64x: its first entry is stored uncompressed, under a name that only a G64x has. */
function isG64x(head: Uint8Array): boolean {
  if (head.length < ENTRY.name) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const end = ENTRY.name + view.getUint16(ENTRY.nameLength, true);
  const name = String.fromCharCode(...head.subarray(ENTRY.name, end));
  return view.getUint16(ENTRY.method, true) === 0 && /(?:^|[\\/])FileInfo\.xml$|\.g64m?$/i.test(name);
}

/** Fewest bytes that can be recognised as text: fewer could be the beginning of anything. */
const LEAST_TEXT_BYTES = 24;

/** Only words and punctuation: a page that was saved instead of a video, a list, a script without its first line. */
function isText(head: Uint8Array): boolean {
  if (head.length < LEAST_TEXT_BYTES) return false;
  // The cut may leave half a character at the end
  const text = new TextDecoder().decode(head).replace(/\ufffd$/, '');
  return /\s/.test(text) && /\p{L}{2}/u.test(text) && !/[^\P{C}\s]|\ufffd/u.test(text);
}

/** Whether a transport stream contains only padding here: packets with the PID 0x1FFF, from the first byte on. */
export function isPadding(packets: Uint8Array): boolean {
  for (let at = 0; at + TS_PACKET_BYTES <= packets.length; at += TS_PACKET_BYTES) {
    const pid = (((packets[at + 1] ?? 0) & 0x1f) << 8) | (packets[at + 2] ?? 0);
    if (packets[at] !== 0x47 || pid !== PADDING_PID) return false;
  }
  return true;
}

/** Packet distances in a transport stream: plain, with a timestamp, with error correction. */
const TS_STRIDES = [TS_PACKET_BYTES, 192, 204];
/**
 * Packets in a row that prove a transport stream: random bytes have eight sync bytes at such distances once in 10^19.
 */
const TS_PACKETS_IN_A_ROW = 8;
/** Fewest bytes that allow a conclusion. */
const LEAST_JUDGED_BYTES = 2048;
/**
 * Chi-square of the byte counts of random bytes is 255 with a deviation of 23; any unencrypted header has thousands.
 */
const MOST_RANDOM_CHI_SQUARE = 400;

/**
 * Whether the beginning of a file is only noise, as in an encrypted or foreign file: no byte is more frequent than
 * others, and no packet or picture begins in it. No container reader can say anything about it.
 */
export function isNoise(head: Uint8Array): boolean {
  return (
    contentOf(head) === undefined &&
    isEven(head) &&
    !hasStartCode(head) &&
    !hasPackets(head) &&
    !hasName(head)
  );
}

/** Where a DOS header holds the position of the Windows program's header, in bytes. */
const WINDOWS_HEADER_AT = 0x3c;
const FARTHEST_WINDOWS_HEADER = 2 ** 20;

/**
 * Whether the file is a Windows program or a script. One in 30,000 encrypted recordings begins with these letters too.
 */
function isProgramByTwoBytes(head: Uint8Array): boolean {
  const start = String.fromCharCode(...head.subarray(0, 2));
  if (start !== 'MZ' && start !== '#!') return false;
  if (!isEven(head)) return true;
  const at = new DataView(head.buffer, head.byteOffset).getUint32(WINDOWS_HEADER_AT, true);
  return start === 'MZ' && at <= FARTHEST_WINDOWS_HEADER;
}

/** Whether no byte is more frequent than others. */
function isEven(head: Uint8Array): boolean {
  if (head.length < LEAST_JUDGED_BYTES) return false;
  const counts = new Uint32Array(256);
  for (const byte of head) counts[byte] = (counts[byte] ?? 0) + 1;
  const expected = head.length / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return chiSquare < MOST_RANDOM_CHI_SQUARE;
}

/** 00 00 01 begins each unit of MPEG program streams and pictures, wherever a recording was cut. */
function hasStartCode(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).includes('\0\0\u0001', 0, 'latin1');
}

function hasPackets(head: Uint8Array): boolean {
  return TS_STRIDES.some((stride) => {
    const bytes = stride * (TS_PACKETS_IN_A_ROW - 1);
    for (let phase = 0; phase < stride && phase + bytes < head.length; phase += 1) {
      let packets = 0;
      while (packets < TS_PACKETS_IN_A_ROW && head[phase + packets * stride] === 0x47) packets += 1;
      if (packets === TS_PACKETS_IN_A_ROW) return true;
    }
    return false;
  });
}

/**
 * Formats begin with a name in letters and digits, or have one after four bytes of size; so does one random file in 50.
 */
function hasName(head: Uint8Array): boolean {
  return /^(?:[A-Za-z0-9.]{3}|[^]{4}[A-Za-z0-9 ]{4})/.test(String.fromCharCode(...head.subarray(0, 8)));
}

/** Parameter sets or delimiters of H.264 and H.265 after a start code. */
function isRawVideo(head: Uint8Array): boolean {
  const zeros = head.findIndex((byte) => byte !== 0);
  if ((zeros !== 2 && zeros !== 3) || head[zeros] !== 1) return false;
  const unit = head[zeros + 1] ?? 0;
  const [avc, hevc] = [unit & 0x1f, (unit >> 1) & 0x3f];
  return avc === 7 || avc === 9 || hevc === 32 || hevc === 35;
}
