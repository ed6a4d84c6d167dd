/**
 * Clips as a player reads them: by pieces, from the source, while it is there. A page names a queued clip and gets an
 * address with a ticket; whoever has none reads nothing, and no path goes in or out.
 */
import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import { openSource, type SourceRef } from '../files/source-file.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { Tables } from '../store/tables.ts';
import { clipSource, locateClip, noClip } from './clip-files.ts';

/** Most bytes of one answer: a player asks for the next piece by itself. */
const MAX_PIECE_BYTES = 1024 * 1024;
/** Clips that can be played at a time: a page shows one, and a desk has few pages. */
const MAX_TICKETS = 16;
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/** One request of a player. */
export interface PieceRequest {
  readonly ticket: string;
  readonly method: string;
  /** The header `Range`, as it came. */
  readonly range: string | undefined;
}

/** What it is answered with; headers besides those that every answer has. */
export interface PieceAnswer {
  readonly status: 206 | 404 | 405 | 416 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The clips that pages play. */
export interface PlayedClips {
  /** Where a page reads the clip, relative to its origin. Errors: those of `locateClip`. */
  open(clipId: string, signal: AbortSignal): Promise<Result<{ readonly address: string }, Failure>>;
  /** One piece. Never rejects for what is expected: a file that is gone or changed is a 404, a share that hangs a 503. */
  answer(request: PieceRequest, signal: AbortSignal): Promise<PieceAnswer>;
}

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'incidents'>;
  readonly gates: RootGates;
}

/** Makes it; tickets end with the agent, or when later ones take their place. */
export function createPlayedClips({ tables, gates }: Deps): PlayedClips {
  const tickets = new Map<string, string>();

  async function readPiece(
    source: SourceRef,
    [start, end]: readonly [number, number],
    signal: AbortSignal,
  ): Promise<Result<Uint8Array<ArrayBuffer>, Failure>> {
    const opened = await openSource(gates, source, signal);
    if (!opened.ok) return opened;
    try {
      const bytes = new Uint8Array(end - start);
      const read = await opened.value.readExactly(bytes, bytes.length, start, signal);
      return read.ok ? ok(bytes) : read;
    } finally {
      opened.value.release();
    }
  }

  return {
    async open(clipId, signal) {
      if (clipSource(tables, clipId) === undefined) return err(noClip);
      const found = await locateClip({ tables, gates }, clipId, signal);
      if (!found.ok) return found;
      const ticket = randomUUID();
      tickets.set(ticket, clipId);
      for (const [oldest] of tickets) if (tickets.size > MAX_TICKETS) tickets.delete(oldest);
      return ok({ address: `clip/${ticket}` });
    },
    async answer({ ticket, method, range }, signal) {
      if (method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
      const source = clipSource(tables, tickets.get(ticket) ?? '');
      if (source === undefined) return { status: 404, headers: {} };
      const { sizeBytes } = source.version;
      const [, from, to] = RANGE.exec(range ?? '') ?? [];
      const start = Number(from ?? sizeBytes);
      const end = Math.min(sizeBytes, start + MAX_PIECE_BYTES, to === undefined ? sizeBytes : Number(to) + 1);
      if (start >= end) return { status: 416, headers: { 'content-range': `bytes */${sizeBytes}` } };
      const piece = await readPiece(source, [start, end], signal);
      if (!piece.ok) return { status: isFileWaitedFor(piece.error.code) ? 503 : 404, headers: {} };
      return {
        status: 206,
        headers: {
          'accept-ranges': 'bytes',
          // What it really is a player finds out; a page can do nothing else with it
          'content-type': 'application/octet-stream',
          'content-length': String(piece.value.length),
          'content-range': `bytes ${start}-${end - 1}/${sizeBytes}`,
        },
        bytes: piece.value,
      };
    },
  };
}
