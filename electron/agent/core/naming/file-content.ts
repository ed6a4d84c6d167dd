import type { Container } from './file-kinds.ts';

/** What a file is, judged by its first bytes. */
export type FileContent = Container | 'program' | NoRecording;
/** What no recording begins as, whatever the file is called. */
export type NoRecording = 'text' | 'archive';

/** The container format that the first bytes show; undefined if they show none. */
export const containerOf = (content: FileContent | undefined): Container | undefined =>
  content === 'program' || content === 'text' || content === 'archive' ? undefined : content;

/** What a clip says about itself. Absent: it does not say. */
export interface MediaFacts {
  readonly durationMs?: number;
  /** Creation time of the container, milliseconds since 1970 UTC. Often the time of the export: see `plausibleCreation`. */
  readonly createdAtMs?: number;
  /** What the recorder's clock showed, without a zone, as AVI has it: `2026-06-20T18:30:05`. */
  readonly clockText?: string;
  /** Start time that an ONVIF export states (`cstb`), milliseconds since 1970 UTC. */
  readonly statedStartMs?: number;
  /** Another start, which a later signer of that export states; none of the two is proven. */
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
  /** Frames a second, on average where they vary. */
  readonly frameRate?: number;
  readonly width?: number;
  readonly height?: number;
}

const TS_PACKET_BYTES = 188;
/** ISO/IEC 13818-1, table 2-3. */
const PADDING_PID = 0x1fff;
const GENETEC = 'Genetec Omnicast Archive';

/** What a file is, judged by its first bytes; undefined if they show nothing, so that its name decides. */
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

/** Where the header of an archive's entry says how it is packed and how long its name is, and where the name begins. */
const ENTRY = { method: 8, nameLength: 26, name: 30 } as const;

/** A G64x is an archive that stores its parts as they are; one that packs its first entry, or has another one, is any other. */
function isG64x(head: Uint8Array): boolean {
  if (head.length < ENTRY.name) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const end = ENTRY.name + view.getUint16(ENTRY.nameLength, true);
  const name = String.fromCharCode(...head.subarray(ENTRY.name, end));
  return view.getUint16(ENTRY.method, true) === 0 && /(?:^|[\\/])FileInfo\.xml$|\.g64m?$/i.test(name);
}

/** Fewer bytes may be the beginning of anything. */
const LEAST_TEXT_BYTES = 24;

/** Words and marks alone: a page that was saved in the place of a film, a list, a script without its first line. */
function isText(head: Uint8Array): boolean {
  if (head.length < LEAST_TEXT_BYTES) return false;
  // Where it was cut, the last character may be half
  const text = new TextDecoder().decode(head).replace(/\ufffd$/, '');
  return /\s/.test(text) && /\p{L}{2}/u.test(text) && !/[^\P{C}\s]|\ufffd/u.test(text);
}

/** Whether a transport stream has nothing but padding here: packets of the PID 0x1FFF, from its first byte on. */
export function isPadding(packets: Uint8Array): boolean {
  for (let at = 0; at + TS_PACKET_BYTES <= packets.length; at += TS_PACKET_BYTES) {
    const pid = (((packets[at + 1] ?? 0) & 0x1f) << 8) | (packets[at + 2] ?? 0);
    if (packets[at] !== 0x47 || pid !== PADDING_PID) return false;
  }
  return true;
}

/** Distances at which the packets of a transport stream begin: plain, with a time stamp, with error correction. */
const TS_STRIDES = [TS_PACKET_BYTES, 192, 204];
/** Packets in a row that make a transport stream: random bytes have eight sync bytes so once in 10^19. */
const TS_PACKETS_IN_A_ROW = 8;
/** Least bytes from which anything is concluded. */
const LEAST_JUDGED_BYTES = 2048;
/** Chi-square of the byte counts of random bytes is 255 with a deviation of 23; any header in the clear has thousands. */
const MOST_RANDOM_CHI_SQUARE = 400;

/**
 * Whether the beginning of a file is nothing but noise, as of an encrypted or a foreign file: no byte is more frequent
 * than others, and nothing in it begins a packet or a picture. No reader of containers can say anything of it.
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

/** Where a DOS header says how many bytes into the file the header of the Windows program begins. */
const WINDOWS_HEADER_AT = 0x3c;
const FARTHEST_WINDOWS_HEADER = 2 ** 20;

/** A Windows program or a script. Of encrypted recordings one in 30,000 begins with these letters too. */
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

/** 00 00 01 begins each unit of MPEG programs and pictures, wherever a recording was cut. */
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

/** Formats begin with a name in letters and digits, or have it behind four bytes of size; one random file in 50 has. */
function hasName(head: Uint8Array): boolean {
  return /^(?:[A-Za-z0-9.]{3}|[^]{4}[A-Za-z0-9 ]{4})/.test(String.fromCharCode(...head.subarray(0, 8)));
}

/** Parameter sets or delimiters of H.264 and H.265 behind a start code. */
function isRawVideo(head: Uint8Array): boolean {
  const zeros = head.findIndex((byte) => byte !== 0);
  if ((zeros !== 2 && zeros !== 3) || head[zeros] !== 1) return false;
  const unit = head[zeros + 1] ?? 0;
  const [avc, hevc] = [unit & 0x1f, (unit >> 1) & 0x3f];
  return avc === 7 || avc === 9 || hevc === 32 || hevc === 35;
}
