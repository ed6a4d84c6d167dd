import { fs } from '../plain-fs.ts';
import mediaInfoFactory from 'mediainfo.js';
import type { MediaFacts } from '../../core/naming/file-content.ts';
import type { OpenFile } from '../opened-file.ts';

/** Bytes handed to mediainfo at a time: its own default. */
const CHUNK_BYTES = 256 * 1024;
/** Most bytes read of one file. Half-hour clips need 3 to 20 MB; a parser that seeks in circles ends here. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

/** Reads media facts with mediainfo's WebAssembly; one instance for all files, one file at a time. */
export interface MediaInfoReader {
  facts(file: OpenFile): Promise<MediaFacts>;
}

/** Loads mediainfo once. */
export async function createMediaInfoReader(): Promise<MediaInfoReader> {
  const mediaInfo = await mediaInfoFactory({ format: 'JSON', chunkSize: CHUNK_BYTES });
  const buffer = new Uint8Array(CHUNK_BYTES);
  return {
    async facts({ descriptor, sizeBytes }) {
      let readBytes = 0;
      const text = await mediaInfo.analyzeData(sizeBytes, (length, offset) => {
        if (readBytes >= MAX_READ_BYTES) return buffer.subarray(0, 0);
        const count = fs.readSync(descriptor, buffer, 0, Math.max(0, Math.min(length, CHUNK_BYTES)), offset);
        readBytes += count;
        return buffer.subarray(0, count);
      });
      return factsOf(JSON.parse(text));
    },
  };
}

function factsOf(report: unknown): MediaFacts {
  const tracks = tracksOf(report);
  const general = tracks.find((track) => track['@type'] === 'General') ?? {};
  const video = tracks.find((track) => track['@type'] === 'Video') ?? {};
  const seconds = numberOf(general['Duration']) ?? numberOf(video['Duration']);
  const createdAtMs = dateOf(general['Encoded_Date'] ?? video['Encoded_Date']);
  const format = textOf(general['Format']);
  const clockText =
    format === 'AVI' ? (clockOf(general['Mastered_Date']) ?? clockOf(general['Recorded_Date'])) : undefined;
  const width = numberOf(video['Width']);
  const height = numberOf(video['Height']);
  const frameRate = numberOf(video['FrameRate']);
  const videoCodec = textOf(video['Format']);
  return {
    ...(seconds !== undefined && seconds > 0 && { durationMs: Math.round(seconds * 1000) }),
    ...(createdAtMs !== undefined && { createdAtMs }),
    ...(clockText !== undefined && { clockText }),
    ...(format !== undefined && { format }),
    ...(videoCodec !== undefined && { videoCodec }),
    ...(frameRate !== undefined && frameRate > 0 && { frameRate }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

type Track = Readonly<Record<string, unknown>>;

function tracksOf(report: unknown): readonly Track[] {
  const media = isRecord(report) ? report['media'] : undefined;
  const tracks = isRecord(media) ? media['track'] : undefined;
  return Array.isArray(tracks) ? tracks.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Track {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** `2026-05-01 18:30:05 UTC`, and `UTC 2026-05-01 18:30:05` of older versions. */
function dateOf(value: unknown): number | undefined {
  const text = textOf(value)?.replace(/UTC/g, '').trim();
  if (text === undefined || !/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?$/.test(text)) return undefined;
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** AVI's `IDIT` and `ICRD` as mediainfo formats both. Dates in other languages stay as they are, and are not read. */
function clockOf(value: unknown): string | undefined {
  const text = textOf(value)?.trim() ?? '';
  return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? text.replace(' ', 'T') : undefined;
}
