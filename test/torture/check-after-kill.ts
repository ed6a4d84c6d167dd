import { historyTroubles, sequenceTroubles } from '../helpers/check-history.ts';
import type { Simulator } from '../simulator/index.ts';
import type { Findings } from './findings.ts';
import type { ObjectDigests } from './object-digests.ts';
import type { QueueSnapshot } from './queue-snapshot.ts';

/** Checks what must hold at any moment, while no agent runs: whatever the database claims is true at the service. */
export async function checkAfterKill(
  snapshot: QueueSnapshot,
  simulator: Simulator,
  digests: ObjectDigests,
  findings: Findings,
): Promise<void> {
  if (snapshot.integrity !== 'ok') findings.add('I7', `integrity_check after a kill: ${snapshot.integrity}`);
  await checkUploaded(snapshot, digests, findings);
  checkSynced(snapshot, simulator, findings);
  checkHistory(snapshot, findings);
}

async function checkUploaded(
  snapshot: QueueSnapshot,
  digests: ObjectDigests,
  findings: Findings,
): Promise<void> {
  const uploaded = snapshot.clips.filter((clip) => clip.state === 'uploaded');
  const thumbnails = snapshot.thumbnails.filter(({ state }) => state === 'uploaded');
  const keys = [...uploaded, ...thumbnails].flatMap(({ storageKey }) => storageKey ?? []);
  const stored = await digests.of(keys);
  for (const { folder, name, storageKey, sha256 } of uploaded) {
    const found = storageKey === null ? undefined : stored.get(storageKey);
    if (found === undefined)
      findings.add('I5', `${folder}/${name} is uploaded in the database and not in storage`);
    else if (sha256 !== null && found !== sha256)
      findings.add('I3', `${folder}/${name} is stored with other bytes than noted`);
  }
  for (const { clipId, storageKey } of thumbnails) {
    if (storageKey === null || !stored.has(storageKey))
      findings.add('I5', `the thumbnail of ${clipId} is not in storage`);
  }
}

/** If the newest version of an incident counts as synced, the service must list every clip of it that is uploaded. */
function checkSynced(snapshot: QueueSnapshot, simulator: Simulator, findings: Findings): void {
  for (const { id, folder, version, syncedVersion } of snapshot.incidents) {
    if (syncedVersion < version) continue;
    const listed = new Map(
      (simulator.incidents().get(id)?.uploaded_videos ?? []).map((video) => [video.id, video]),
    );
    for (const clip of snapshot.clips) {
      if (clip.incidentId !== id || clip.state !== 'uploaded') continue;
      if (listed.get(clip.id)?.storage_key === clip.storageKey) continue;
      findings.add('I5', `${folder} counts as told, but the service does not list ${clip.name}`);
    }
  }
}

function checkHistory({ clips, incidents, history, multiparts }: QueueSnapshot, findings: Findings): void {
  for (const { id, folder, name, state } of clips) {
    for (const trouble of historyTroubles({ state, ...multiparts.get(id) }, history.get(id) ?? []))
      findings.add('I11', `${folder}/${name}: ${trouble}`);
  }
  for (const { id, folder, syncedVersion } of incidents) {
    const rows = history.get(id) ?? [];
    for (const trouble of sequenceTroubles(rows)) findings.add('I11', `${folder}: ${trouble}`);
    const told = rows.flatMap(({ facts }) => (facts.kind === 'told' ? [facts.version] : []));
    if (syncedVersion !== Math.max(0, ...told))
      findings.add(
        'I11',
        `${folder}: version ${syncedVersion} counts as told, the history says ${told.at(-1)}`,
      );
  }
}
