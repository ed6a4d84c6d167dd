import { describe, expect, it } from 'vitest';
import {
  describeExport,
  compareNames,
  resolveDoubledHours,
} from '../../../../../electron/agent/core/naming/describe-export.ts';
import { recogniseExport } from '../../../../../electron/agent/core/naming/recognise-export.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';
import {
  iso,
  seen,
  evidence,
  described,
  firstClip,
  nx,
  nxStart,
  video,
  sidecar,
} from '../../../../helpers/export-evidence.ts';
import { mostlyLong } from '../../../../helpers/long.ts';

describe('sidecars of clips', () => {
  it('win over incident.json field by field', () => {
    const clip = firstClip('x', ['sub/a.mp4', 'sub/t.png'], {
      ...sidecar({ videos: [video('sub/a.mp4', { cameraName: 'Old', cameraId: 'ID' })] }),
      clipSidecars: new Map([['sub/a.mp4', { cameraName: 'New', thumbnail: 't.png', extra: {} }]]),
    });
    expect(clip.cameraName?.value).toBe('New');
    expect(clip.cameraId?.value).toBe('ID');
    expect(clip.thumbnailPath?.value).toBe('sub/t.png');
  });

  it('input C14: warn of clips that are described and not there', () => {
    const result = described('x', [nx], sidecar({ videos: [video('gone.mp4')] }));
    expect(result.warnings).toMatchObject([{ code: 'SIDECAR_CLIP_MISSING', file: 'gone.mp4' }]);
  });
});

describe('flags and warnings', () => {
  it('tell of hard links, hidden characters and vendor formats', () => {
    const result = described('x', [seen('a\u202e.dav', { links: 2 })]);
    expect(result.clips[0]?.flags).toEqual(['needs-vendor-player', 'hard-link', 'hidden-characters']);
    expect(result.warnings.map((warning) => warning.code)).toEqual([
      'FILE_HARDLINK',
      'FILE_NAME_HIDDEN',
      'NEEDS_VENDOR_PLAYER',
    ]);
  });

  it('tell of a profile that does not exist, and read with all the others', () => {
    const watch = { timeZone: 'Europe/London', profile: 'milestnoe', clockOffsetSeconds: 0 };
    const result = described('x', [nx], { watch });
    expect(result.warnings).toMatchObject([{ code: 'PROFILE_UNKNOWN' }]);
    expect(iso(result.clips[0]?.startedAt)).toBe(nxStart);
  });

  it('bad input: tell of a name that two systems fit equally, of which nothing is read', () => {
    const name = '28.05.2026_0300/2021-06-01/07-08-09.mp4';
    const { clips, warnings } = described('Incident 12', [name]);
    expect(clips[0]).not.toHaveProperty('startedAt');
    expect(clips[0]).not.toHaveProperty('cameraName');
    expect(warnings).toMatchObject([{ code: 'SYSTEM_UNCLEAR', file: name }]);
    expect(warnings[0]?.message).toMatch(
      /matches the naming patterns of .*motionEye.*Milestone|Milestone.*motionEye/,
    );
  });

  it('bad input: tell of an export of two systems, each of which is read by its own rules', () => {
    const dahua = 'NVR_ch3_main_20260501193105_20260501193205.dav';
    const { clips, warnings } = described('Fight', [nx, dahua]);
    expect(clips.map(({ cameraName, startedAt }) => [cameraName?.value, iso(startedAt)])).toEqual([
      ['Gate 4 North', nxStart],
      ['Channel 3', '2026-05-01T18:31:05.000Z'],
    ]);
    const mixed = warnings.find(({ code }) => code === 'SYSTEMS_MIXED')?.message;
    expect(mixed).toMatch(
      /several systems: Nx Witness.*\(1\), Dahua.*\(1\)\. Each clip is read by the rules of its own system/,
    );
  });

  it('are none for a plain export', () => {
    expect(described('2026-05-01 Pitch invasion', [nx, nx.replace('mkv', 'jpg')]).warnings).toEqual([]);
  });
});

mostlyLong([4_000, 20_000], 1, (some) =>
  it.for(some)(
    'bad input: %i files twelve levels deep are described at 2 s per 10,000 at most',
    { timeout: 120_000 },
    (length) => {
      const folders = 'Site/Building 2/Level 3/Zone 4/2026/05/01/19/Recorder 9/Alarm/Part 11/Cam 1';
      const name = (index: number): string =>
        index % 2 === 0 ? `clip ${index}.avi` : `NVR_ch${index}_main_20260501193005_20260501193205.dav`;
      const files = Array.from({ length }, (_, index) => seen(`${folders}/${name(index)}`));
      let clips = 0;
      const measure = (): number => processorMs(() => (clips = described('Incident 12', files).clips.length));
      // Other work on the machine only ever makes a run slower
      const neededMs = Math.min(measure(), measure(), measure());
      expect(clips).toBe(length);
      expect(neededMs).toBeLessThan(length / 5);
    },
  ),
);

mostlyLong([20_000, 100_000], 1, (some) =>
  it.for(some)('sorts %i files at 2 s per 10,000 at most', (count) => {
    const files = Array.from({ length: count / 2 }, (_, index) => [
      seen(`s/${index}.mp4`),
      seen(`s/${index}.jpg`),
    ]).flat();
    let clips = 0;
    const neededMs = processorMs(() => (clips = recogniseExport(files).thumbnailsByClip.size));
    expect(clips).toBe(count / 2);
    expect(neededMs).toBeLessThan(count / 5);
  }),
);

it('answers the same for the same evidence', () => {
  const input = evidence('2026-05-01 x', ['b.mp4', nx, 'a.jpg']);
  expect(describeExport(input)).toEqual(describeExport(structuredClone(input)));
});

describe('resolveDoubledHours', () => {
  it.each([
    ['one doubled start is the earlier', [{ ms: 10, laterMs: 70 }], [10]],
    ['a start behind its predecessor is the later', [{ ms: 50 }, { ms: 10, laterMs: 70 }], [50, 70]],
    [
      'once past the change, the following are later too',
      [
        { ms: 40, laterMs: 100 },
        { ms: 10, laterMs: 70 },
        { ms: 20, laterMs: 80 },
      ],
      [40, 70, 80],
    ],
    [
      'in rising order all are the earlier',
      [
        { ms: 10, laterMs: 70 },
        { ms: 40, laterMs: 100 },
      ],
      [10, 40],
    ],
    ['a later one that does not help is not taken', [{ ms: 200 }, { ms: 10, laterMs: 70 }], [200, 10]],
    ['a clear start out of order stays', [{ ms: 200 }, { ms: 10 }], [200, 10]],
    [
      'the same start twice is the earlier twice',
      [
        { ms: 10, laterMs: 70 },
        { ms: 10, laterMs: 70 },
      ],
      [10, 10],
    ],
    ['nothing gives nothing', [], []],
  ])('%s', (_sentence, starts, expected) => {
    expect(resolveDoubledHours(starts)).toEqual(expected);
  });
});

describe('compareNames', () => {
  it('counts as people do', () => {
    const names = ['clip 10.mp4', 'clip 9.mp4', 'clip 009.mp4', 'Clip 1.mp4', 'clip.mp4', 'clip 9', ''];
    expect(names.toSorted(compareNames)).toEqual([
      '',
      'Clip 1.mp4',
      'clip 9',
      'clip 009.mp4',
      'clip 9.mp4',
      'clip 10.mp4',
      'clip.mp4',
    ]);
  });

  it('tells any two different names apart', () => {
    expect(compareNames('a1', 'a01')).not.toBe(0);
    expect(compareNames('a1', 'a1')).toBe(0);
  });
});

describe('the position of a folder', () => {
  const position = { latitude: 51.556, longitude: -0.2795 };
  const watch = { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 0, position };

  it('is that of its incidents when nothing else says it', () => {
    const { incident } = described('Gate 4', [nx], { watch });
    expect(incident.latitude).toMatchObject({ value: 51.556, source: 'settings', confidence: 'medium' });
    const said = described('Gate 4', [nx], { watch, ...sidecar({ latitude: 1, longitude: 2 }) });
    expect(said.incident.latitude).toMatchObject({ value: 1, source: 'sidecar' });
    expect(described('Gate 4', [nx]).incident.latitude).toBeUndefined();
  });
});
