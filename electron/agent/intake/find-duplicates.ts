import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Duplicate } from '../../../shared/domain/export-preview.ts';
import type { DescribedClip } from '../core/naming/described-export.ts';
import { baseName } from '../core/naming/file-kinds.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { createDuplicateReads, type SameClipQuestion, type SameClipRow } from '../store/duplicate-reads.ts';
import type { ReadDb } from '../store/open-db.ts';

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
