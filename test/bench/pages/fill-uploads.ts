import { mkdirSync } from 'node:fs';
import { loadDeskId } from '../../../electron/agent/store/desk-id.ts';
import { clipIdOf, incidentIdOf, rootIdOf } from '../../../electron/agent/core/records/derived-ids.ts';
import type { Tables } from '../../../electron/agent/store/tables.ts';
import { openQueue } from '../queue-rows.ts';

const CLIPS_EACH = 10;
/** One clip in this many failed. */
const FAILED_EVERY = 37;
const HOUR_MS = 3_600_000;
/** Age of the newest clip, so that those added later come well after it. */
const NEWEST_BEFORE_MS = HOUR_MS;
const places = ['Gate 4', 'Turnstile 7', 'Car park east', 'Concourse', 'Corridor B', 'Stand 112', 'Kiosk 9'];
const events = ['Flare', 'Crowding', 'Person down', 'Forced door', 'Pitch invasion', 'Lost child'];
const views = ['North', 'South', 'Overview', 'Dome', 'Door'];
const failure = JSON.stringify({
  code: 'FILE_GONE',
  message: 'The file is no longer there.',
  advice: 'Export it again from the VMS.',
  retryable: false,
});

/**
 * Fills a queue with a season of clips, ten an incident, all sent except for a few that failed. Their folders are
 * outside the watched one, so that nothing is sent again. Returns the number of incidents.
 */
export async function fillUploads(dataDir: string, folder: string, clips: number): Promise<number> {
  mkdirSync(dataDir, { recursive: true });
  const desk = await loadDeskId(dataDir);
  const rootId = rootIdOf(desk, folder);
  const { tables, close } = openQueue(dataDir);
  const incidents = Math.ceil(clips / CLIPS_EACH);
  const newestAt = Date.now() - NEWEST_BEFORE_MS;
  tables.write(() => {
    for (let number = 0; number < incidents; number += 1) {
      const at = newestAt - (incidents - number) * HOUR_MS;
      const exportPath = `${new Date(at).toISOString().slice(0, 13)} ${pick(events, number)} at ${pick(places, number)}`;
      const id = incidentIdOf(desk, rootId, exportPath, at);
      insertIncident(tables, { id, rootId, rootPath: folder, exportPath }, at);
      const count = Math.min(CLIPS_EACH, clips - number * CLIPS_EACH);
      for (let clip = 0; clip < count; clip += 1) insertClip(tables, id, number * CLIPS_EACH + clip, at);
    }
  });
  close();
  return incidents;
}

type Place = Readonly<Record<'id' | 'rootId' | 'rootPath' | 'exportPath', string>>;

function insertIncident(tables: Tables, place: Place, at: number): void {
  const title = place.exportPath;
  tables.incidents.insert({
    ...place,
    birthMs: at,
    title,
    description: null,
    incidentAt: at,
    latitude: null,
    longitude: null,
    extra: null,
    sources: JSON.stringify({ title: { source: 'folder-name', confidence: 'medium' } }),
    createdAt: at,
  });
  tables.incidents.checked(place.id, at, null, null);
  tables.incidents.synced(place.id, at, 1, JSON.stringify({ title }));
}

function insertClip(tables: Tables, incidentId: string, number: number, at: number): void {
  const camera = `${pick(places, number)} ${pick(views, number)}`;
  const path = `${camera}_${String(number).padStart(6, '0')}.mp4`;
  const id = clipIdOf(incidentId, path, 1);
  tables.clips.insert({
    id,
    incidentId,
    path,
    generation: 1,
    serviceName: `clip-${id.slice(0, 8)}.mp4`,
    sizeBytes: 1_000_000 + ((number * 7_919) % 90_000_000),
    mtimeNs: '0',
    inode: '0',
    device: '0',
    cameraId: null,
    cameraName: camera,
    cameraDescription: null,
    cameraLatitude: null,
    cameraLongitude: null,
    startedAt: at,
    endedAt: null,
    sources: JSON.stringify({ cameraName: { source: 'file-name', confidence: 'medium' } }),
    facts: '{}',
    reading: 1,
    flags: '[]',
    expectedSha256: null,
    createdAt: at,
  });
  if (number % FAILED_EVERY === 0) tables.clips.failed(id, failure);
  else tables.clips.uploaded(id, `videos/${id}`, id.replaceAll('-', '').repeat(2), at);
}

const pick = (words: readonly string[], number: number): string => words[number % words.length] ?? '';
