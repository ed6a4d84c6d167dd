import { describe, expect, it } from 'vitest';
import { parseFiles } from '../../../../electron/agent/store/json-columns.ts';
import { clipDetails, keptReading } from '../../../../electron/agent/store/stored-details.ts';
import { useExportDesk } from '../../../helpers/export-desk.ts';
import { FILE_MS, firstClip, seen, sidecar, video } from '../../../helpers/export-evidence.ts';

const desk = useExportDesk();

describe('a sidecar that comes later', () => {
  it('gives the incident its title and the service learns of it', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men' }));
    expect(desk().incident()).toMatchObject({ title: 'A fight', description: 'Two men', version: 2 });
    expect(JSON.parse(desk().incident()?.sources ?? '')).toMatchObject({ title: { source: 'sidecar' } });
    expect(desk().putJob()).toBeDefined();
  });

  it('does not win over what was said on the command line', () => {
    desk().take(['a.mp4'], { overrides: { title: 'As I say' } });
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men' }));
    expect(desk().incident()).toMatchObject({ title: 'As I say', description: 'Two men' });
  });

  it('loses to what is said on the command line afterwards', () => {
    desk().take(['a.mp4'], sidecar({ title: 'A fight' }));
    desk().take(['a.mp4'], { ...sidecar({ title: 'A fight' }), overrides: { title: 'As I say' } });
    expect(desk().incident()?.title).toBe('As I say');
  });

  it('that is taken away takes nothing back', () => {
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men' }));
    desk().take(['a.mp4']);
    expect(desk().incident()).toMatchObject({ title: 'A fight', description: 'Two men' });
  });

  it.each([
    ['the name of the camera', { cameraName: 'Yard' }, { cameraName: 'Yard' }],
    ['the description of the camera', { cameraDescription: 'north' }, { cameraDescription: 'north' }],
    ['its position', { cameraLatitude: 1, cameraLongitude: 2 }, { cameraLatitude: 1, cameraLongitude: 2 }],
  ])('gives an uploaded clip %s without sending it again', (_what, said, expected) => {
    desk().take(['a.mp4']);
    desk().settleAll();
    desk().take(['a.mp4'], sidecar({ videos: [video('a.mp4', said)] }));
    expect(desk().clip('a.mp4')).toMatchObject({ ...expected, state: 'uploaded' });
    expect(desk().job('a.mp4')).toBeUndefined();
    expect(desk().putJob()).toBeDefined();
  });

  it.each([
    ['the name of the camera', { cameraName: 'Yard' }, { cameraName: 'Garden' }],
    ['the description of the camera', { cameraDescription: 'north' }, { cameraDescription: 'south' }],
    ['its position', { cameraLatitude: 1, cameraLongitude: 2 }, { cameraLatitude: 1, cameraLongitude: 3 }],
  ])('may correct %s', (_what, before, after) => {
    desk().take(['a.mp4'], sidecar({ videos: [video('a.mp4', before)] }));
    desk().settleAll();
    desk().take(['a.mp4'], sidecar({ videos: [video('a.mp4', after)] }));
    expect(desk().clip('a.mp4')).toMatchObject(after);
    expect(desk().putJob()).toBeDefined();
  });
});

describe('a clip that an earlier version read', () => {
  const name = 'Gate 4/20260501_193005.mp4';
  const earlier = () => {
    desk().take([name]);
    desk().settleAll();
    desk()
      .queue.db.prepare(
        "UPDATE clips SET reading = 0, started_at = 5, camera_name = 'As it was read', sources = '{}'",
      )
      .run();
    desk().tables.jobs.removeOf('put-incident', 'incident-1');
  };

  it('stays as it was sent, though it would be read otherwise today', () => {
    earlier();
    desk().take([name]);
    expect(desk().clip(name)).toMatchObject({ startedAt: 5, cameraName: 'As it was read', reading: 0 });
    expect(desk().putJob()).toBeUndefined();
  });

  it('learns what a sidecar says since', () => {
    earlier();
    desk().take([name], sidecar({ videos: [video(name, { cameraName: 'Yard' })] }));
    expect(desk().clip(name)).toMatchObject({ startedAt: 5, cameraName: 'Yard' });
    expect(desk().putJob()).toBeDefined();
  });

  it('is read again with other bytes', () => {
    earlier();
    desk().take([seen(name, { sizeBytes: 77 })]);
    expect(desk().clip(name)).toMatchObject({ generation: 2, reading: 1, cameraName: 'Gate 4' });
  });
});

describe('a time that was not known', () => {
  it('leaves the description again once a clip says it', () => {
    desk().take(['a.mp4']);
    expect(desk().incident()?.description).toMatch(/^Recording time not known/);
    desk().take(['a.mp4', 'Gate_2026_05_01_19_30_05.mkv']);
    expect(desk().incident()).toMatchObject({ description: '', incidentAt: Date.UTC(2026, 4, 1, 18, 30, 5) });
  });

  it('is said, and gives way to one that is known, also where the time of the file is sent', () => {
    const watch = { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 0, sendsFileTimes: true };
    desk().take(['a.mp4'], { watch });
    const { description } = desk().incident() ?? {};
    expect(description).toMatch(/^Recording time not known/);
    desk().take(['a.mp4', 'b.mp4'], { watch });
    expect(desk().incident()).toMatchObject({ description, incidentAt: FILE_MS });
    desk().take(['a.mp4', 'b.mp4', 'Gate_2026_05_01_19_30_05.mkv'], { watch });
    expect(desk().incident()).toMatchObject({ description: '', incidentAt: Date.UTC(2026, 4, 1, 18, 30, 5) });
    desk().take(['a.mp4', 'b.mp4'], { watch });
    expect(desk().incident()).toMatchObject({ description: '', incidentAt: Date.UTC(2026, 4, 1, 18, 30, 5) });
  });

  it.each([
    ['its file is rewritten', true, true, FILE_MS],
    ['that is wanted', false, true, null],
    ['that is not wanted any more', true, false, FILE_MS],
  ])('stays as it was sent, once %s', (_what, before, after, startedAt) => {
    const rules = (sendsFileTimes: boolean) => ({
      watch: { timeZone: 'UTC', profile: 'auto', clockOffsetSeconds: 0, sendsFileTimes },
    });
    desk().take(['a.mp4'], rules(before));
    desk().settleAll();
    desk().tables.jobs.removeOf('put-incident', 'incident-1');
    const row = desk().clip('a.mp4');
    const later = seen('a.mp4', { mtimeNs: String(BigInt(FILE_MS + 5_000) * 1_000_000n) });
    const details = clipDetails(firstClip('x', [later], rules(after)), row.facts);
    expect(keptReading(row, details, false).startedAt).toBe(startedAt);
    desk().take(['a.mp4'], rules(after));
    expect(desk().clip('a.mp4').startedAt).toBe(startedAt);
    expect(desk().incident()?.incidentAt).toBe(startedAt);
    expect(desk().putJob()).toBeUndefined();
  });

  it('is not said of an incident whose time an earlier version sent', () => {
    desk().take(['a.mp4']);
    desk().queue.db.prepare("UPDATE incidents SET incident_at = 5, description = NULL, sources = '{}'").run();
    desk().take(['a.mp4']);
    expect(desk().incident()).toMatchObject({ incidentAt: 5, description: null });
  });
});

describe('the account of the files', () => {
  const files = () => JSON.parse(desk().incident()?.files ?? '{}') as { counts: object; named: object[] };

  it('adds up to the folder, follows it, and is no reason to write the record again', () => {
    desk().take(['a.mp4', 'a.jpg', 'what.xyz', 'Player.exe'], { unsettled: [seen('b.mp4')] });
    const counts = {
      clip: 1,
      picture: 1,
      unknown: 1,
      program: 1,
      waiting: 1,
      copy: 0,
      companion: 0,
      sidecar: 0,
      system: 0,
    };
    expect(files().counts).toEqual(counts);
    expect(files().named).toMatchObject([{ path: 'what.xyz' }, { path: 'Player.exe' }, { path: 'b.mp4' }]);
    desk().settleAll();
    desk().take(['a.mp4', 'a.jpg', 'Player.exe']);
    expect(files().counts).toEqual({ ...counts, unknown: 0, waiting: 0 });
    expect(desk().putJob()).toBeUndefined();
  });

  it('of an earlier version, which knew fewer classes, has none of the new ones', () => {
    const counts = {
      clip: 2,
      companion: 0,
      picture: 1,
      sidecar: 0,
      program: 0,
      system: 0,
      waiting: 0,
      unknown: 0,
    };
    expect(parseFiles(JSON.stringify({ counts, named: [] }))?.counts).toEqual({ ...counts, copy: 0 });
  });

  it('keeps what is odd about a clip with it', () => {
    desk().take(['NVR_ch1_main_20260501193000_20260501193200.dav']);
    expect(desk().clip('NVR_ch1_main_20260501193000_20260501193200.dav').flags).toBe(
      '["needs-vendor-player"]',
    );
  });
});
