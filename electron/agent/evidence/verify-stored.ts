import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { WireIncident } from '../../../shared/service/incident.ts';
import type { Tables } from '../store/tables.ts';

/** What a comparison with the service found. */
export interface StoredCheck {
  /** Clips that this desk sent and the service lists under the same storage key. */
  readonly agreeing: number;
  /** Videos that the service lists and this desk did not send. */
  readonly others: number;
  /** One sentence each. */
  readonly differences: readonly string[];
}

/** Compares what this desk sent of an incident with what the service lists. `get` asks the service. Errors: those of `get`. */
export async function compareStored(
  { clips }: Pick<Tables, 'clips'>,
  incidentId: string,
  get: (incidentId: string) => Promise<Result<WireIncident, Failure>>,
): Promise<Result<StoredCheck, Failure>> {
  const answer = await get(incidentId);
  if (!answer.ok) return answer;
  const listed = new Map((answer.value.uploaded_videos ?? []).map((video) => [video.id, video]));
  const failed = new Set((answer.value.failed_videos ?? []).map(({ id }) => id));
  const own = clips.ofIncident(incidentId);
  const differences: string[] = [];
  let agreeing = 0;
  for (const { id, path, state, storageKey } of own) {
    const name = visibleName(path);
    const video = listed.get(id);
    if (state !== 'uploaded') {
      if (video !== undefined) differences.push(`The service lists ${name}, which this desk has not sent.`);
    } else if (video === undefined)
      differences.push(
        failed.has(id)
          ? `The service lists ${name} as failed; this desk sent it.`
          : `The service does not list ${name}, which this desk sent.`,
      );
    else if (video.storage_key !== storageKey)
      differences.push(
        `The service keeps ${name} under another storage key (${visibleName(video.storage_key ?? 'none')}).`,
      );
    else agreeing += 1;
  }
  const ids = new Set(own.map(({ id }) => id));
  return ok({ agreeing, others: [...listed.keys()].filter((id) => !ids.has(id)).length, differences });
}
