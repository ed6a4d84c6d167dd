import type { ReadDb } from './open-db.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Duplicate } from '../../../shared/domain/export-preview.ts';
import type { DescribedClip } from '../core/naming/described-export.ts';
import { baseName } from '../core/naming/file-kinds.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';

/** A clip of the queue whose bytes are, or are said to be, the same. */
export interface SameClipRow {
  readonly clipId: string;
  readonly incidentId: string;
  readonly incidentTitle: string;
  readonly path: string;
  readonly mtimeNs: string;
  readonly sha256: string | null;
  readonly expectedSha256: string | null;
}

/** What is known of a file that may be in the queue already. */
export interface SameClipQuestion {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  /** SHA-256 that the exporter stated, lower-case hexadecimal. */
  readonly sha256: string | null;
}

/** Most rows for one file: a person reads no more. */
const MOST_ROWS = 10;

/** Reads that find clips which the queue has already. */
export function createDuplicateReads(db: Pick<ReadDb, 'prepare'>) {
  // All states are named so that the index on state and size serves: a look at every row would take too long
  const same = db.prepare<SameClipQuestion, SameClipRow>(`SELECT clips.id AS clipId,
    clips.incident_id AS incidentId, incidents.title AS incidentTitle, clips.path, clips.mtime_ns AS mtimeNs,
    clips.sha256, clips.expected_sha256 AS expectedSha256
    FROM clips JOIN incidents ON incidents.id = clips.incident_id
    WHERE clips.state IN ('queued', 'uploaded', 'failed') AND clips.size_bytes = @sizeBytes
      AND (clips.mtime_ns = @mtimeNs OR clips.sha256 = @sha256 OR clips.expected_sha256 = @sha256)
    ORDER BY clips.created_at, clips.id LIMIT ${MOST_ROWS}`);
  return {
    /** Clips of that size with that time or sum, oldest first. */
    same: (question: SameClipQuestion) => same.all(question),
  };
}

/** Look-ups in the queue before the event loop gets a turn: some tens of microseconds each. */
const READS_PER_TURN = 100;

/**
 * Clips that the queue has already, by path of the file: same name, size and time, or the SHA-256 that a sidecar states.
 * Nothing is read of the files themselves. `knownAs`: the incident that the folder is, whose own rows do not count.
 */
export async function findDuplicates(
  db: Pick<ReadDb, 'prepare'>,
  files: readonly FileSeen[],
  clips: readonly DescribedClip[],
  knownAs: string | undefined,
): Promise<ReadonlyMap<string, readonly Duplicate[]>> {
  const reads = createDuplicateReads(db);
  const sums = new Map(clips.map(({ path, expectedSha256 }) => [path, expectedSha256 ?? null]));
  const found = new Map<string, readonly Duplicate[]>();
  for (const [index, { path, sizeBytes, mtimeNs }] of files.entries()) {
    if (index % READS_PER_TURN === READS_PER_TURN - 1) await nextTurn();
    const question = { sizeBytes, mtimeNs, sha256: sums.get(path) ?? null };
    const rows = reads.same(question).filter((row) => row.incidentId !== knownAs || row.path !== path);
    const duplicates = rows.flatMap((row) => duplicateOf(row, path, question));
    if (duplicates.length > 0) found.set(path, duplicates);
  }
  return found;
}

function duplicateOf(
  row: SameClipRow,
  path: string,
  { mtimeNs, sha256 }: SameClipQuestion,
): readonly Duplicate[] {
  const { clipId, incidentId, incidentTitle } = row;
  const same = { clipId, incidentId, incidentTitle, file: row.path };
  if (sha256 !== null && (row.sha256 ?? row.expectedSha256) === sha256) return [{ ...same, by: 'sha256' }];
  const isVersion = row.mtimeNs === mtimeNs && baseName(row.path) === baseName(path);
  return isVersion ? [{ ...same, by: 'version' }] : [];
}
