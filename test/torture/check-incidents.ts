import type { StoredIncident, StoredVideo } from '../simulator/index.ts';
import type { EndFacts } from './check-at-end.ts';
import type { Findings } from './findings.ts';
import type { ClipFact } from './queue-snapshot.ts';
import type { SourceClip } from './source-tree.ts';

type Digests = ReadonlyMap<string, string>;

/** Compares what the service lists with what the driver put into the folders. Clips are identified by their bytes. */
export function checkIncidents(facts: EndFacts, stored: Digests, findings: Findings): void {
  const { simulator, tree } = facts;
  const incidents = [...simulator.incidents().values()];
  for (const folder of tree.folders()) {
    const mine = incidents.filter(({ title }) => title === folder);
    const [incident] = mine;
    if (incident === undefined || mine.length > 1) {
      findings.add(
        incident ? 'I2' : 'I1',
        `the service has ${mine.length} incidents for the folder ${folder}`,
      );
      continue;
    }
    const sources = tree.clips().filter((clip) => clip.folder === folder);
    checkSources(folder, sources, incident.uploaded_videos, stored, findings);
    checkListed(facts, incident, folder, stored, findings);
    for (const { id } of incident.failed_videos) findings.add('I1', `${folder} lists ${id} as failed`);
  }
  const folders = new Set(tree.folders());
  for (const { id, title } of incidents) {
    if (title === null || !folders.has(title))
      findings.add('I4', `the incident ${id} (${title}) belongs to no folder`);
  }
  checkNoneVanished(facts, findings);
}

function checkSources(
  folder: string,
  sources: readonly SourceClip[],
  videos: readonly StoredVideo[],
  stored: Digests,
  findings: Findings,
): void {
  for (const source of sources) {
    const found = videos.filter((video) => stored.get(video.storage_key ?? '') === source.sha256);
    const place = `${folder}/${source.name}`;
    if (found.length === 0) findings.add('I1', `${place} is not listed with its bytes`);
    if (found.length > 1) findings.add('I4', `${place} is listed ${found.length} times`);
    const thumbnail = found[0]?.storage_thumbnail_key;
    const digest = thumbnail === undefined ? undefined : stored.get(thumbnail);
    if (found.length > 0 && digest !== source.thumbnailSha256) {
      findings.add('I3', `${place} is listed with ${digest === undefined ? 'no' : 'another'} thumbnail`);
    }
  }
}

/**
 * A clip that changed after its upload stays listed as it was, alongside its newer generation; nothing else is listed.
 */
function checkListed(
  { tree, snapshot }: EndFacts,
  { id: incidentId, uploaded_videos: videos }: StoredIncident,
  folder: string,
  stored: Digests,
  findings: Findings,
): void {
  const sources = tree.clips().filter((clip) => clip.folder === folder);
  const rows = snapshot.clips.filter((clip) => clip.incidentId === incidentId);
  for (const { id, storage_key: key } of videos) {
    const digest = stored.get(key ?? '');
    const row = rows.find((clip) => clip.id === id);
    const source = sources.find(({ name }) => name === row?.name);
    if (row === undefined || source === undefined)
      findings.add('I4', `${folder} lists ${id}, which is no clip of it`);
    else if (digest === undefined || ![source.sha256, ...source.earlier].includes(digest)) {
      findings.add('I3', `${folder} lists ${id} with bytes that ${source.name} never had`);
    } else if (digest !== source.sha256 && !hasNewer(row, rows)) {
      findings.add('I4', `${folder} lists an earlier version of ${source.name} as its newest`);
    }
  }
}

function hasNewer(row: ClipFact, rows: readonly ClipFact[]): boolean {
  return rows.some(({ name, generation }) => name === row.name && generation > row.generation);
}

/** A clip that was once listed stays listed. */
function checkNoneVanished({ simulator }: EndFacts, findings: Findings): void {
  for (const id of simulator.incidents().keys()) {
    let before: readonly string[] = [];
    for (const { incident } of simulator.putHistory(id)) {
      const now = incident.uploaded_videos.map((video) => video.id);
      for (const gone of before.filter((video) => !now.includes(video))) {
        findings.add('I4', `${incident.title} listed ${gone} once and then no longer`);
      }
      before = now;
    }
  }
}
