import { describe, expect, it } from 'vitest';
import {
  ms,
  iso,
  FILE_MS,
  described,
  seen,
  probes,
  nx,
  nxStart,
  video,
  sidecar,
} from '../../../../helpers/export-evidence.ts';

describe('incident_at', () => {
  const clip = 'Gate_2026_05_01_19_30_05.mkv';
  const clips = [clip, 'Gate_2026_05_01_19_34_00.mkv'];

  it.each([
    [
      'the command line',
      'x',
      { overrides: { incidentAtMs: 5 }, ...sidecar({ incidentAt: { ms: 7 } }) },
      5,
      'command-line',
    ],
    ['the sidecar', '2026-05-01 1931 x', sidecar({ incidentAt: { ms: 7 } }), 7, 'sidecar'],
    [
      'the folder name inside the range',
      '2026-05-01 193100 x',
      {},
      ms('2026-05-01T18:31:00Z'),
      'folder-name',
    ],
    [
      'the folder name of the same minute',
      '2026-05-01 1930 x',
      {},
      ms('2026-05-01T18:30:00Z'),
      'folder-name',
    ],
    [
      'the earliest clip, not a folder name after the range',
      '2026-05-01 1952 x',
      {},
      ms('2026-05-01T18:30:05Z'),
      'clips',
    ],
    [
      'the earliest clip, not a folder name before it',
      '2026-05-01 1929 x',
      {},
      ms('2026-05-01T18:30:05Z'),
      'clips',
    ],
    ['the earliest clip', 'x', {}, ms('2026-05-01T18:30:05Z'), 'clips'],
  ])('is taken from %s', (_from, folder, more, value, source) => {
    expect(described(folder, clips, more).incident.incidentAt).toMatchObject({ value, source });
  });

  it('is left out when no clip has a time, and when the file was written is only a guess', () => {
    const { incident } = described('x', ['clip.mkv'], probes({ 'clip.mkv': { durationMs: 10_000 } }));
    expect(incident).not.toHaveProperty('incidentAt');
    expect(incident.guessedAt).toMatchObject({ value: FILE_MS, source: 'file-time', confidence: 'low' });
    expect(incident.description?.value).toBe(
      'Recording time not known; file last written 2026-05-01 19:40 UTC.',
    );
  });

  it('is when the first file was written where the desk wants that, and is still said to be unknown', () => {
    const watch = { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 0, sendsFileTimes: true };
    const hourLater = seen('b.mkv', { mtimeNs: String(BigInt(FILE_MS + 3_600_000) * 1_000_000n) });
    const { incident } = described('2026-05-01 1930 x', [hourLater, 'a.mkv'], {
      watch,
      settledAtMs: FILE_MS + 7_200_000,
    });
    expect(incident.incidentAt).toMatchObject({ value: FILE_MS, source: 'file-time', confidence: 'low' });
    expect(incident).not.toHaveProperty('guessedAt');
    expect(incident.description?.value).toMatch(
      /^Recording time not known; file last written 2026-05-01 19:40/,
    );
    // One clip of known time is enough
    const known = described('x', [nx, 'a.mkv'], { watch }).incident;
    expect(known.incidentAt).toMatchObject({ value: ms('2026-05-01T18:30:05Z'), source: 'clips' });
    expect(known).not.toHaveProperty('description');
  });

  it.each(['Gate 5_2020_01_01_00_03_10.mkv', 'Gate 5_1996_05_01_10_00_00.mkv'])(
    'is not the start of a clip whose clock is doubted, unless all are: %s',
    (doubted) => {
      expect(iso(described('x', [doubted, nx]).incident.incidentAt)).toBe(nxStart);
      expect(described('x', [doubted]).incident.incidentAt).toMatchObject({ source: 'clips' });
    },
  );

  it('is not the folder name where no clip proves it, and is no guess where something says when it was', () => {
    const { incident } = described('2026-05-01 1930 x', ['clip.mkv']);
    expect(incident).not.toHaveProperty('incidentAt');
    expect(described('x', [nx]).incident).not.toHaveProperty('guessedAt');
  });

  it('has no guess where the file time is none', () => {
    const { incident } = described('x', [seen('clip.mkv', { mtimeNs: '0' })]);
    expect(incident).not.toHaveProperty('guessedAt');
    expect(incident).not.toHaveProperty('description');
  });

  it('does not count file times when a clip knows better', () => {
    const result = described('x', ['a.mkv', clip], probes({ 'a.mkv': { durationMs: 1000 * 3600 * 3 } }));
    expect(iso(result.incident.incidentAt)).toBe(nxStart);
  });
});

describe('title and description', () => {
  it.each([
    ['2026-05-01 Pitch invasion', {}, 'Pitch invasion', 'folder-name'],
    ['sub/2026-05-01 Pitch invasion', {}, 'Pitch invasion', 'folder-name'],
    ['x', sidecar({ title: ' From the sidecar ' }), 'From the sidecar', 'sidecar'],
    ['x', { overrides: { title: 'Said' }, ...sidecar({ title: 'S' }) }, 'Said', 'command-line'],
    ['2026-05-01', {}, 'Incident 2026-05-01 19:30', 'generated'],
    ['   ', {}, 'Incident 2026-05-01 19:30', 'generated'],
    ['a\nb\u202ec', {}, 'a␊b<U+202E>c', 'folder-name'],
  ])('of the folder %j with %j is %j', (folder, more, value, source) => {
    expect(described(folder, [nx], more).incident.title).toMatchObject({ value, source });
  });

  it('cuts a title at 200 characters, never inside one', () => {
    const { value } = described('x', [nx], sidecar({ title: '😀'.repeat(300) })).incident.title;
    expect([...value]).toHaveLength(200);
    expect(value.isWellFormed()).toBe(true);
  });

  it('has a description only when one was given', () => {
    expect(described('x', [nx]).incident).not.toHaveProperty('description');
    expect(described('x', [nx], sidecar({ description: 'D' })).incident.description?.value).toBe('D');
    const more = { overrides: { description: 'C' }, ...sidecar({ description: 'D' }) };
    expect(described('x', [nx], more).incident.description).toMatchObject({
      value: 'C',
      source: 'command-line',
    });
  });
});

describe('position and ids', () => {
  it('takes the position of the sidecar, else of the camera nearest to the incident', () => {
    const videos = [
      video('Gate_2026_05_01_19_30_05.mkv', { cameraLatitude: 1, cameraLongitude: 2 }),
      video('Gate_2026_05_01_19_40_05.mkv', { cameraLatitude: 3, cameraLongitude: 4 }),
    ];
    const files = videos.map((item) => item.file);
    const near = sidecar({ videos, incidentAt: { ms: ms('2026-05-01T18:39:00Z') } });
    expect(described('x', files, near).incident).toMatchObject({
      latitude: { value: 3, source: 'clips' },
      longitude: { value: 4, source: 'clips' },
    });
    const said = sidecar({ videos, latitude: 51.5, longitude: -0.2 });
    expect(described('x', files, said).incident.latitude).toMatchObject({ value: 51.5, source: 'sidecar' });
    expect(described('x', [nx]).incident).not.toHaveProperty('latitude');
  });

  it('passes id and external id on apart', () => {
    expect(described('x', [nx], sidecar({ id: 'VMS-1', externalId: 'E-1' })).incident).toMatchObject({
      id: { value: 'VMS-1' },
      externalId: { value: 'E-1' },
    });
    expect(described('x', [nx], sidecar({ externalId: 'E-1' })).incident).not.toHaveProperty('id');
  });
});
