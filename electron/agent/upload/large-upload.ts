import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import { bareEtag } from './etag-cache.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { withIds } from '../core/request-ids.ts';
import { planParts, type PartPlan } from '../core/parts/plan-parts.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { Clock } from '../ports.ts';
import { orphanUpload } from '../queue/clip-results.ts';

/** How large clips are cut; see the settings. */
export interface LargeRules {
  readonly thresholdBytes: number;
  readonly partSizeBytes: number | undefined;
  readonly concurrentParts: number;
}

interface Deps {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly rules: LargeRules;
}

/** The multipart plan of a size: a clip that fell under the threshold since it was queued still goes in parts. */
export function multipartPlan(sizeBytes: number, rules: LargeRules): Exclude<PartPlan, { kind: 'single' }> {
  const plan = planParts(sizeBytes, {
    thresholdBytes: Math.min(rules.thresholdBytes, sizeBytes),
    ...(rules.partSizeBytes === undefined ? {} : { partSizeBytes: rules.partSizeBytes }),
  });
  if (plan.kind === 'single') throw new Error('A threshold at the size of the file always gives parts');
  return plan;
}

function isSameFile(upload: MultipartRow, version: FileVersion): boolean {
  return (
    upload.sizeBytes === version.sizeBytes &&
    upload.mtimeNs === version.mtimeNs &&
    upload.inode === version.inode &&
    upload.device === version.device
  );
}

/**
 * The clip's open multipart upload, or a new one. Handle and part plan are stored before the first byte is
 * sent; an upload of another version of the file is given to the orphans.
 */
export async function openMultipart(
  deps: Deps,
  clip: ClipRow,
  version: FileVersion,
  plan: PartPlan & { kind: 'multipart' },
  signal: AbortSignal,
): Promise<Result<MultipartRow, Failure>> {
  const { tables, api, groupCommit, clock } = deps;
  const existing = tables.multiparts.byClip(clip.id);
  if (existing !== undefined && isSameFile(existing, version)) return ok(existing);
  const answer = await api.createMultipartUpload(clip.incidentId, clip.id, clip.serviceName, signal);
  if (!answer.ok) return answer;
  deps.circuits.succeeded('create', clip.id);
  await groupCommit.commit(() => {
    orphanUpload(deps, clip.incidentId, clip.id, 'the file changed');
    tables.multiparts.insert({
      clipId: clip.id,
      storageKey: answer.value.storage_key,
      uploadId: answer.value.upload_id,
      partSizeBytes: plan.partSizeBytes,
      partCount: plan.partCount,
      sizeBytes: version.sizeBytes,
      mtimeNs: version.mtimeNs,
      inode: version.inode,
      device: version.device,
      openedAt: clock.now(),
    });
    const { storage_key: storageKey, upload_id: uploadId } = answer.value;
    const ids = withIds(answer.requestIds);
    tables.history.clip(clip.id, {
      at: clock.now(),
      facts: { kind: 'opened', uploadId, storageKey, parts: plan.partCount, ...ids },
    });
  });
  const stored = tables.multiparts.byClip(clip.id);
  if (stored === undefined) throw new Error('The upload that was just stored is not there');
  return ok(stored);
}

/**
 * Etags in part order, only when parts 1..N are all there, once each, and their bytes add up to the file:
 * a store may complete a shorter object without a word.
 */
export function etagsToComplete(
  upload: MultipartRow,
  rows: readonly PartRow[],
): readonly string[] | undefined {
  const isOrdered = rows.every((row, index) => row.number === index + 1);
  const bytes = rows.reduce((sum, row) => sum + row.sizeBytes, 0);
  if (!isOrdered || rows.length !== upload.partCount || bytes !== upload.sizeBytes) return undefined;
  return rows.map((row) => bareEtag(row.etag));
}
