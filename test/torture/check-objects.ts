import type { EndFacts } from './check-at-end.ts';
import type { Findings } from './findings.ts';

/** The number of objects, and why some are not listed. */
export interface ObjectCounts {
  readonly objects: number;
  readonly listed: number;
  /** Not listed: stored when the clip changed, and therefore never reported. */
  readonly earlierVersions: number;
  /**
   * Objects of uploads that were started over, because a store that forgets completed uploads could not confirm the
   * first.
   */
  readonly doubles: number;
  /** Open multipart uploads without parts: their "create" was never answered. */
  readonly emptyUploads: number;
}

/** Checks that every object is listed exactly once, or that there is a reason why it is not. */
export function checkObjects(
  facts: EndFacts,
  stored: ReadonlyMap<string, string>,
  findings: Findings,
): Omit<ObjectCounts, 'emptyUploads'> {
  const listed = listedKeys(facts);
  const outdated = outdatedDigests(facts);
  let earlierVersions = 0;
  let doubles = 0;
  for (const [key, digest] of stored) {
    if (listed.has(key)) continue;
    if (outdated.has(digest)) earlierVersions += 1;
    else doubles += 1;
    if (!outdated.has(digest) && !facts.mayRepeatUploads)
      findings.add('I2', `${key} is stored and not listed: a double`);
  }
  const most = facts.journal.completesWithoutAnswer + facts.kills;
  if (doubles > most) findings.add('I2', `${doubles} doubles, but only ${most} answers can have been lost`);
  return { objects: stored.size, listed: listed.size, earlierVersions, doubles };
}

function listedKeys({ simulator }: EndFacts): ReadonlySet<string> {
  const videos = [...simulator.incidents().values()].flatMap((incident) => incident.uploaded_videos);
  return new Set(
    videos.flatMap(({ storage_key: key, storage_thumbnail_key: thumbnail }) =>
      [key ?? [], thumbnail ?? []].flat(),
    ),
  );
}

/**
 * Digests of changed clips before the change, and of their images, which are sent again under the id of the newer
 * generation.
 */
function outdatedDigests({ tree }: EndFacts): ReadonlySet<string> {
  const changed = tree.clips().filter(({ earlier }) => earlier.length > 0);
  return new Set(
    changed.flatMap(({ earlier, thumbnailSha256 }) => [...earlier, thumbnailSha256 ?? []].flat()),
  );
}
