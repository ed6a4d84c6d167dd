import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rootIdOf } from '../../../../electron/agent/core/records/derived-ids.ts';
import { explainFolder } from '../../../../electron/agent/intake/explain-folder.ts';
import type { Explanation } from '../../../../shared/domain/explanation.ts';
import { openOrderDesk, type OrderDesk } from '../../../helpers/order-desk.ts';
import { clipRow, incidentRow } from '../../../helpers/queue-fixture.ts';
import { writtenClip } from '../../../helpers/written-clips.ts';

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

const nx = 'Gate 4_2026_05_01_19_30_05.mkv';

async function explained(folder: string): Promise<Explanation> {
  const answer = await explainFolder(desk.parts, join(desk.root, folder), desk.signal);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

it('gives each file of the folder one class and its rule; the counts add up', async () => {
  const names = [nx, 'Gate 4_2026_05_01_19_30_05.jpg', 'setup.exe', 'notes.xyz', 'half.mp4.part'];
  for (const name of names) await desk.write(`exports/Fight/${name}`);
  const { counts, files } = await explained('Fight');
  expect(files.map((file) => [file.path, file.class])).toEqual(
    expect.arrayContaining([
      [nx, 'clip'],
      ['Gate 4_2026_05_01_19_30_05.jpg', 'picture'],
      ['setup.exe', 'program'],
      ['notes.xyz', 'unknown'],
      ['half.mp4.part', 'waiting'],
    ]),
  );
  expect(files.every(({ why }) => why !== '')).toBe(true);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(names.length);
});

it('says of each ignored file what it is, not that all are of the system', async () => {
  const ofProgram = 'a database, icon or settings file, judging by its name';
  const whys: Readonly<Record<string, string>> = {
    '.hidden.ini': 'a hidden or system file',
    '.ready': 'a marker file',
    'Thumbs.db': 'a hidden or system file',
    [`${nx}.hold`]: 'a marker file',
    'foo.db': ofProgram,
    'player.ico': ofProgram,
    'x.ini': ofProgram,
  };
  for (const name of Object.keys(whys)) await desk.write(`exports/Fight/${name}`);
  const { files } = await explained('Fight');
  expect(files.every((file) => file.class === 'system')).toBe(true);
  expect(Object.fromEntries(files.map(({ path, why }) => [path, why]))).toEqual(whys);
});

it('opens what may be a clip: first bytes count before names, half a clip waits, and what was sent is one', async () => {
  const clip = await readFile('test/fixtures/clips/gate-4-north.mp4');
  const contents = {
    'setup.mp4': 'MZ and a program behind it',
    'export.bin9': 'DHAV and a recording behind it',
    'page.mkv': '<!doctype html><p>Sign in</p>',
    'half.mp4': clip.subarray(0, 2_000),
    'sent.qqq': 'sent as evidence by a person',
  };
  for (const [name, content] of Object.entries(contents)) await desk.write(`exports/Fight/${name}`, content);
  const place = { rootPath: desk.root, rootId: rootIdOf(desk.parts.deskId, desk.root), exportPath: 'Fight' };
  desk.tables.incidents.insert(incidentRow(place));
  desk.tables.clips.insert(clipRow({ path: 'sent.qqq' }));
  const { files, warnings, clips } = await explained('Fight');
  expect(Object.fromEntries(files.map((file) => [file.path, file.class]))).toEqual({
    'setup.mp4': 'program',
    'export.bin9': 'clip',
    'page.mkv': 'unknown',
    'half.mp4': 'waiting',
    'sent.qqq': 'clip',
  });
  expect(files.find(({ path }) => path === 'page.mkv')?.why).toContain('contains text, not a clip');
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'FILE_INCOMPLETE', file: 'half.mp4' }));
  expect(clips.map(({ file }) => file)).toEqual(['export.bin9', 'half.mp4', 'sent.qqq']);
});

it('says of a clip that its container proves closed that it waits for less', async () => {
  await desk.write('exports/Fight/a.mp4');
  await writeFile(join(desk.root, 'Fight/b.avi'), writtenClip('plain.avi').whole);
  const { files } = await explained('Fight');
  const says = (name: string) => files.find(({ path }) => path === name)?.why;
  expect(says('b.avi')).toContain(
    'its container shows that it is finished, so 5 s without changes is usually enough to queue it',
  );
  expect(says('a.mp4')).not.toContain('finished');
});

it('reads by the settings of the watched folder, before anything is sent', async () => {
  await desk.write(`exports/Fight/${nx}`);
  const told = await explained('Fight');
  expect(told.knownAs).toBeUndefined();
  expect(told.incident.find(({ field }) => field === 'incidentAt')?.winner).toMatchObject({
    value: '2026-05-01T18:30:05.000Z',
    local: '2026-05-01 19:30:05 Europe/London',
  });
  expect(told.clips[0]).toMatchObject({ file: nx, isOpened: true, names: { winner: { profile: 'nx' } } });
});

it('says after sending what the queue has instead, and from whom', async () => {
  await desk.write(`exports/Fight/${nx}`);
  const place = { rootPath: desk.root, rootId: rootIdOf(desk.parts.deskId, desk.root), exportPath: 'Fight' };
  const sources = JSON.stringify({ title: { source: 'person', confidence: 'high' } });
  desk.tables.incidents.insert(incidentRow({ ...place, title: 'Fight at gate 4', sources }));
  desk.tables.clips.insert(
    clipRow({
      path: nx,
      cameraName: 'Gate 4 N',
      sources: '{"cameraName":{"source":"sidecar","confidence":"high"}}',
    }),
  );
  const told = await explained('Fight');
  expect(told.knownAs).toMatchObject({ title: 'Fight at gate 4' });
  expect(told.incident.find(({ field }) => field === 'title')).toMatchObject({
    winner: { value: 'Fight', source: 'folder-name' },
    stored: { value: 'Fight at gate 4', source: 'person' },
  });
  expect(told.clips[0]?.values.find(({ field }) => field === 'cameraName')).toMatchObject({
    winner: { value: 'Gate 4' },
    stored: { value: 'Gate 4 N', source: 'sidecar' },
  });
});

it('refuses a folder that is not there', async () => {
  const answer = await explainFolder(desk.parts, join(desk.root, 'gone'), desk.signal);
  expect(answer).toMatchObject({ ok: false, error: { code: 'ROOT_MISSING' } });
});

it('reads incident.csv, videos.csv and a text as what a person wrote', async () => {
  await desk.write('exports/Fight/a.avi');
  await desk.write('exports/Fight/incident.csv', 'title;"Fight, gate 4"\nincident_at;2026-05-01T19:30:05\n');
  await desk.write('exports/Fight/videos.csv', 'file,camera_name\na.avi,Gate 4\n');
  await desk.write('exports/Fight/notes.txt', 'Two persons');
  const { incident, clips, counts, warnings } = await explained('Fight');
  expect(warnings).toEqual([]);
  expect(counts).toMatchObject({ sidecar: 3, companion: 0 });
  const of = (field: string) => incident.find((each) => each.field === field)?.winner;
  expect(of('title')).toMatchObject({ value: 'Fight, gate 4', source: 'sidecar' });
  expect(of('description')).toMatchObject({ value: 'Two persons', note: 'from notes.txt' });
  expect(of('incidentAt')).toMatchObject({ value: '2026-05-01T18:30:05.000Z' });
  expect(clips[0]?.values[0]).toMatchObject({ winner: { value: 'Gate 4', source: 'sidecar' } });
});

it('takes incident.json before incident.csv, and from videos.csv the clips that it does not name', async () => {
  for (const name of ['a.mp4', 'b.mp4']) await desk.write(`exports/Fight/${name}`);
  const videos = [{ file: 'a.mp4', camera_name: 'Of the JSON' }];
  await desk.write('exports/Fight/incident.json', JSON.stringify({ title: 'JSON', videos }));
  await desk.write('exports/Fight/incident.csv', 'title,CSV\n');
  await desk.write('exports/Fight/videos.csv', 'file,camera_name\na.mp4,CSV\nb.mp4,CSV\n');
  const { incident, clips } = await explained('Fight');
  expect(incident[0]?.winner?.value).toBe('JSON');
  expect(clips.map(({ values }) => values[0]?.winner?.value)).toEqual(['Of the JSON', 'CSV']);
});

it('bad input: a table that is refused changes nothing, and is said', async () => {
  await desk.write(`exports/Fight/${nx}`);
  await desk.write('exports/Fight/videos.csv', 'file,camera_name\n../a.mp4,Gate\n');
  const { clips, warnings } = await explained('Fight');
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'SIDECAR_PATH' }));
  expect(clips[0]?.values[0]?.winner).toMatchObject({ value: 'Gate 4', source: 'file-name' });
});
