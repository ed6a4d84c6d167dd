import { linkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rootIdOf } from '../../../../electron/agent/core/records/derived-ids.ts';
import { previewExport } from '../../../../electron/agent/intake/preview-export.ts';
import type { ExportPreview } from '../../../../shared/domain/explanation.ts';
import { openOrderDesk, WRITTEN_AT, type OrderDesk } from '../../../helpers/order-desk.ts';
import { clipRow, incidentRow } from '../../../helpers/queue-fixture.ts';
import { long } from '../../../helpers/long.ts';

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

/** `monotonic`: another clock for the time limit of the look, milliseconds. */
async function preview(folder: string, monotonic = desk.parts.clock.monotonic): Promise<ExportPreview> {
  const parts = { ...desk.parts, clock: { ...desk.parts.clock, monotonic } };
  const answer = await previewExport(parts, join(desk.home, folder), desk.signal);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

const gate4 = 'Gate 4 North_2026_05_01_19_30_05.mkv';
const mtimeNs = String(BigInt(Date.parse(WRITTEN_AT)) * 1_000_000n);
/** A clip of seven bytes in the queue. */
const queued = (
  more: Parameters<typeof clipRow>[0] = {},
  incident: Parameters<typeof incidentRow>[0] = {},
) => {
  desk.tables.incidents.insert(incidentRow(incident));
  desk.tables.clips.insert(clipRow({ path: gate4, sizeBytes: 7, mtimeNs, ...more }));
};

describe('previewExport', () => {
  it('says what the incident and its clips would be, and where each value comes from', async () => {
    await desk.write(`exports/Fight/${gate4}`, 'content');
    await desk.write('exports/Fight/Gate 4 North_2026_05_01_19_30_05.jpg', 'image');
    const shown = await preview('exports/Fight');
    expect(shown).toMatchObject({
      folder: join(desk.root, 'Fight'),
      title: 'Fight',
      // 19:30:05 in London, in summer
      incidentAt: '2026-05-01T18:30:05.000Z',
      totalBytes: 7,
      skipped: [],
      warnings: [],
      isCut: false,
    });
    expect(shown.origins).toContainEqual(expect.objectContaining({ field: 'title', source: 'folder-name' }));
    expect(shown.clips).toEqual([
      expect.objectContaining({
        file: gate4,
        sizeBytes: 7,
        cameraName: 'Gate 4 North',
        startedAt: '2026-05-01T18:30:05.000Z',
        thumbnail: 'Gate 4 North_2026_05_01_19_30_05.jpg',
        duplicates: [],
      }),
    ]);
    expect(shown.clips[0]?.origins).toContainEqual(
      expect.objectContaining({ field: 'cameraName', source: 'file-name' }),
    );
  });

  it('reads the sidecar, and says what is wrong with another', async () => {
    const said = { title: 'A fight', description: 'Two men', latitude: 51.5, longitude: -0.1 };
    await desk.write('exports/Fight/incident.json', JSON.stringify(said));
    await desk.write('exports/Fight/a.mp4', 'content');
    await desk.write('exports/Fight/a.json', '{"camera_name": ');
    const shown = await preview('exports/Fight');
    expect(shown).toMatchObject(said);
    expect(shown.warnings).toContainEqual(expect.objectContaining({ code: 'SIDECAR_UNREADABLE' }));
  });

  it('reads names by the rules of the watched root, and elsewhere by the default ones', async () => {
    await desk.write(`elsewhere/Fight/${gate4}`);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const [clip] = (await preview('elsewhere/Fight')).clips;
    const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    expect(local.format(new Date(clip?.startedAt ?? 0))).toBe('2026-05-01 19:30:05');
  });

  it('names what would not be sent, and why', async () => {
    await desk.write('exports/Fight/a.mp4');
    await desk.write('exports/Fight/empty.mp4', '');
    // Markers are intentionally empty
    await desk.write('exports/Fight/.ready', '');
    await desk.write('exports/Fight/a.mp4.hold', '');
    await desk.write('exports/Fight/half.mp4.part');
    await desk.write('exports/Fight/player.exe');
    await desk.write('exports/Fight/notes.xyz');
    await symlink('/etc/passwd', join(desk.root, 'Fight', 'linked.mp4'));
    const shown = await preview('exports/Fight');
    expect(shown.clips.map(({ file }) => file)).toEqual(['a.mp4']);
    expect(shown.totalBytes).toBe(7);
    expect(Object.fromEntries(shown.skipped.map(({ file, code }) => [file, code]))).toEqual({
      'empty.mp4': 'FILE_EMPTY',
      'half.mp4.part': 'FILE_SKIPPED',
      'player.exe': 'FILE_SKIPPED',
      'notes.xyz': 'FILE_SKIPPED',
      'linked.mp4': 'FILE_LINK',
    });
  });

  it('says that a folder without clips becomes no incident', async () => {
    await desk.write('exports/Fight/notes.txt');
    expect((await preview('exports/Fight')).warnings.map(({ code }) => code)).toEqual(['NO_CLIPS']);
  });

  it('says when the folder is gone', async () => {
    expect(await previewExport(desk.parts, join(desk.root, 'Fight'), desk.signal)).toMatchObject({
      ok: false,
      error: { code: 'ROOT_MISSING' },
    });
  });

  it(
    'looks at ten thousand entries and says that there are more',
    { ...long(), timeout: 60_000 },
    async () => {
      const folder = join(desk.root, 'Large');
      await mkdir(folder);
      // Hard links to one file: they take a fifth of the time that separate files take
      writeFileSync(join(folder, '0.mp4'), 'x');
      for (let index = 1; index < 10_050; index++)
        linkSync(join(folder, '0.mp4'), join(folder, `${index}.mp4`));
      const shown = await preview('exports/Large', () => 0);
      expect(shown.isCut).toBe(true);
      expect(shown.clips).toHaveLength(10_000);
    },
  );

  it('shows what it has seen when the time is up', async () => {
    for (let index = 0; index < 12; index++) await desk.write(`exports/Slow/${index}.mp4`, 'x');
    let seconds = 0;
    const shown = await preview('exports/Slow', () => 1000 * seconds++);
    expect(shown.isCut).toBe(true);
    expect(shown.clips.length).toBeGreaterThan(0);
    expect(shown.clips.length).toBeLessThan(12);
  });

  it('stores nothing and writes nothing', async () => {
    await desk.write(`exports/Fight/${gate4}`);
    const before = await stat(join(desk.root, 'Fight'));
    await preview('exports/Fight');
    expect(desk.tables.incidents.count()).toBe(0);
    expect(await readdir(join(desk.root, 'Fight'))).toEqual([gate4]);
    expect((await stat(join(desk.root, 'Fight'))).mtimeMs).toBe(before.mtimeMs);
  });
});

describe('duplicates', () => {
  const duplicates = async () => (await preview('exports/Fight')).clips.map((clip) => clip.duplicates);
  const same = { clipId: 'clip-1', incidentId: 'incident-1', incidentTitle: 'Gate 4', file: gate4 };

  it('are found by name, size and time', async () => {
    queued();
    await desk.write(`exports/Fight/sub/${gate4}`, 'content');
    expect(await duplicates()).toEqual([[{ ...same, by: 'version' }]]);
  });

  it.each([
    ['another name', { path: 'other.mkv' }],
    ['another size', { sizeBytes: 8 }],
    ['another time', { mtimeNs: `${mtimeNs}1` }],
  ])('are not seen in a clip of %s', async (_what, other) => {
    queued(other);
    await desk.write(`exports/Fight/${gate4}`, 'content');
    expect(await duplicates()).toEqual([[]]);
  });

  it('are found by the sum that the exporter stated, whatever the name and time', async () => {
    const sha256 = 'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73';
    queued({ path: 'other.mkv', mtimeNs: '1' });
    desk.tables.clips.uploaded('clip-1', 'key', sha256, 5);
    await desk.write(`exports/Fight/${gate4}`, 'content');
    await desk.write('exports/Fight/incident.json', JSON.stringify({ videos: [{ file: gate4, sha256 }] }));
    expect(await duplicates()).toEqual([[{ ...same, file: 'other.mkv', by: 'sha256' }]]);
  });

  it('are not the rows of the incident that the folder is; that one is named', async () => {
    await desk.write(`exports/Fight/${gate4}`, 'content');
    const { birthtimeMs } = await stat(join(desk.root, 'Fight'), { bigint: true });
    const rootId = rootIdOf(desk.parts.deskId, desk.root);
    queued({}, { rootId, rootPath: desk.root, exportPath: 'Fight', birthMs: Number(birthtimeMs) });
    const shown = await preview('exports/Fight');
    expect(shown.knownAs).toEqual({ incidentId: 'incident-1', title: 'Gate 4' });
    expect(shown.clips[0]?.duplicates).toEqual([]);
    await rename(join(desk.root, 'Fight'), join(desk.root, 'Brawl'));
    expect((await preview('exports/Brawl')).clips[0]?.duplicates).toHaveLength(1);
  });
});
