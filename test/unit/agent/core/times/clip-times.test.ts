import { describe, expect, it } from 'vitest';
import { formatUtc } from '../../../../../electron/agent/core/times/zoned-time.ts';
import {
  FILE_MS,
  ms,
  iso,
  seen,
  described,
  firstClip,
  probes,
  nx,
  nxStart,
  video,
  sidecar,
} from '../../../../helpers/export-evidence.ts';

describe('started_at', () => {
  const sources = {
    sidecar: { started: 'sidecar', at: '2026-05-01T18:00:00.000Z' },
    stated: { started: 'media', at: '2026-05-01T18:01:00.000Z' },
    name: { started: 'file-name', at: nxStart },
    created: { started: 'media', at: '2026-05-01T18:02:00.000Z' },
  };
  const { sidecar: fromSidecar, stated, name, created } = sources;

  it.each([
    ['the sidecar', nx, [fromSidecar, stated, name, created], fromSidecar],
    ['the start that the container states', nx, [stated, name, created], stated],
    ['the file name', nx, [name, created], name],
    ['the creation time', 'clip.mkv', [created], created],
  ])('is taken from %s', (_from, path, present, expected) => {
    const clip = firstClip('Gate 4', [path], {
      ...(present.includes(fromSidecar) &&
        sidecar({ videos: [video(path, { startedAt: { ms: ms(fromSidecar.at) } })] })),
      ...probes({
        [path]: {
          durationMs: 10_000,
          ...(present.includes(stated) && { statedStartMs: ms(stated.at) }),
          ...(present.includes(created) && { createdAtMs: ms(created.at) }),
        },
      }),
    });
    expect(clip.startedAt?.source).toBe(expected.started);
    expect(iso(clip.startedAt)).toBe(expected.at);
  });

  it('is left out when nothing says when it was', () => {
    const clip = firstClip('Gate 4', ['clip.mkv']);
    expect(clip).not.toHaveProperty('startedAt');
    expect(clip).not.toHaveProperty('endedAt');
  });

  it('is never when the file was written, whatever its duration says', () => {
    const clip = firstClip('Gate 4', ['clip.mkv'], probes({ 'clip.mkv': { durationMs: 10_000 } }));
    expect(clip).not.toHaveProperty('startedAt');
    expect(clip).not.toHaveProperty('endedAt');
    expect(clip.durationMs?.value).toBe(10_000);
  });

  const clipCreatedAt = (createdAt: string, birthMs: number, mtimeMs: number) => {
    const exportRef = { rootId: 'r', rootPath: '/e', exportPath: 'x', birthMs, mtimeMs: birthMs };
    const file = seen('clip.mkv', { mtimeNs: String(BigInt(mtimeMs) * 1_000_000n) });
    return firstClip('x', [file], { exportRef, ...probes({ 'clip.mkv': { createdAtMs: ms(createdAt) } }) });
  };
  const hourAgo = FILE_MS - 3_600_000;

  it.each([
    ['1601, the zero of ASF', '1601-01-01T00:00:00Z', FILE_MS, FILE_MS],
    ['1904', '1904-01-01T00:00:00Z', FILE_MS, FILE_MS],
    ['1970', '1970-01-01T00:00:00Z', FILE_MS, FILE_MS],
    ['the future', '2026-05-01T19:45:00Z', FILE_MS, FILE_MS],
    ['the minute in which the file was written', '2026-05-01T19:38:30Z', hourAgo, FILE_MS],
    ['the minute in which the folder was made', '2026-05-01T19:38:30Z', FILE_MS, hourAgo],
  ])('does not believe a creation time in %s', (_when, createdAt, birthMs, mtimeMs) => {
    expect(clipCreatedAt(createdAt, birthMs, mtimeMs)).not.toHaveProperty('startedAt');
  });

  it('does not believe a start that a container states beyond all calendars', () => {
    const clip = firstClip('x', [nx], probes({ [nx]: { statedStartMs: 1.8e15 } }));
    expect(clip.startedAt?.source).toBe('file-name');
  });

  it('believes a creation time well before file and folder', () => {
    expect(iso(clipCreatedAt('2026-05-01T19:37:30Z', FILE_MS, FILE_MS).startedAt)).toBe(
      '2026-05-01T19:37:30.000Z',
    );
  });

  it.each(['0', '4070908800000000000', 'NaN', ''])('does not believe the file time %j', (mtimeNs) => {
    const result = described(
      'x',
      [seen('clip.mkv', { mtimeNs })],
      probes({ 'clip.mkv': { durationMs: 10_000 } }),
    );
    expect(result.clips[0]).not.toHaveProperty('startedAt');
    expect(result.warnings).toMatchObject([{ code: 'FILE_TIME_UNLIKELY', file: 'clip.mkv' }]);
  });

  it('is corrected by the clock offset, that of the sidecar before that of the watch', () => {
    const watch = { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 60 };
    const byWatch = firstClip('x', [nx], { watch });
    expect(iso(byWatch.startedAt)).toBe('2026-05-01T18:31:05.000Z');
    expect(formatUtc(byWatch.recordedStartedAtMs ?? 0)).toBe(nxStart);
    const bySidecar = firstClip('x', [nx], { watch, ...sidecar({ clockOffsetSeconds: -37 }) });
    expect(iso(bySidecar.startedAt)).toBe('2026-05-01T18:29:28.000Z');
  });

  it('is read in the zone of the sidecar before that of the watch', () => {
    expect(iso(firstClip('x', [nx], sidecar({ timeZone: 'Asia/Tokyo' })).startedAt)).toBe(
      '2026-05-01T10:30:05.000Z',
    );
  });

  it('in a doubled hour is the earlier, unless the order of names says otherwise', () => {
    const names = ['Gate 4/001_2026_10_25_01_50_00.mkv', 'Gate 5/001_2026_10_25_01_10_00.mkv'];
    const result = described('x', names, { settledAtMs: ms('2026-10-26T00:00:00Z') });
    expect(result.clips.map((clip) => iso(clip.startedAt))).toEqual([
      '2026-10-25T00:50:00.000Z',
      '2026-10-25T00:10:00.000Z',
    ]);
    expect(result.warnings.map((warning) => warning.code)).toEqual(['TIME_DOUBLED', 'TIME_DOUBLED']);
  });

  it('in a doubled hour does not mix up recorders that count channels alike', () => {
    const names = [
      'A1_ch1_main_20261025015000_20261025015500.dav',
      'A2_ch1_main_20261025011000_20261025011500.dav',
    ];
    const result = described('x', names, { settledAtMs: ms('2026-10-26T00:00:00Z') });
    expect(result.clips.map((clip) => iso(clip.startedAt))).toEqual([
      '2026-10-25T00:50:00.000Z',
      '2026-10-25T00:10:00.000Z',
    ]);
  });

  it('in a doubled hour is the later one when the order of names of one camera says so', () => {
    // With and without AM: two names of one camera that do not sort in the order of their times
    const names = ['Gate_2026_10_25_1AM_50_00.mkv', 'Gate_2026_10_25_01_10_00.mkv'];
    const result = described('x', names, { settledAtMs: ms('2026-10-26T00:00:00Z') });
    expect(Object.fromEntries(result.clips.map((clip) => [clip.path, iso(clip.startedAt)]))).toEqual({
      'Gate_2026_10_25_1AM_50_00.mkv': '2026-10-25T00:50:00.000Z',
      'Gate_2026_10_25_01_10_00.mkv': '2026-10-25T01:10:00.000Z',
    });
    expect(result.warnings.map((warning) => warning.code)).toEqual(['TIME_DOUBLED', 'TIME_DOUBLED']);
  });
});

describe('two clocks', () => {
  const codes = (facts: object, name = nx, watch = 'Europe/London') => {
    const result = described('x', [name], {
      ...probes({ [name]: facts }),
      watch: { timeZone: watch, profile: 'auto', clockOffsetSeconds: 0 },
    });
    const { startedAt } = result.clips[0] ?? {};
    return { codes: result.warnings.map(({ code }) => code), at: iso(startedAt), ...startedAt };
  };

  it('that agree make a time surer', () => {
    expect(codes({ createdAtMs: ms(nxStart) + 900 })).toMatchObject({
      codes: [],
      at: nxStart,
      confidence: 'high',
    });
    expect(codes({ statedStartMs: ms(nxStart) - 3000 })).toMatchObject({ codes: [], confidence: 'high' });
    expect(codes({})).toMatchObject({ codes: [], confidence: 'medium' });
  });

  it.each([
    ['Europe/London', '2026-05-01T17:30:05Z', 'Europe/Berlin'],
    ['Europe/London', '2026-05-01T19:30:05Z', 'Atlantic/Azores'],
    ['UTC', '2026-05-01T14:00:05Z', 'Asia/Kolkata'],
    ['America/New_York', '2026-05-02T00:30:05Z', 'America/Chicago'],
    ['Asia/Tokyo', '2026-05-01T13:45:05Z', 'Asia/Kathmandu'],
  ])('apart as zones are: in %s with a container of %s, %s would fit', (zone, stated, fitting) => {
    const result = codes({ statedStartMs: ms(stated) }, nx, zone);
    expect(result).toMatchObject({ codes: ['ZONE_UNLIKELY'], value: ms(stated) });
    const { note = '', zone: hint = '' } = result;
    expect(note).toContain(`; ${hint} would fit`);
    expect(codes({}, nx, hint).value, note).toBe(codes({}, nx, fitting).value);
  });

  it('apart by anything else are both shown, and the more trusted one stands', () => {
    const stated = '2026-05-01T18:47:41.000Z';
    const result = codes({ statedStartMs: ms(stated) });
    expect(result).toMatchObject({ codes: ['CLOCKS_DIFFER'], at: stated, source: 'media' });
    expect(result.note).toContain(nxStart);
  });

  it('say nothing where the container may have been made by the export', () => {
    expect(codes({ createdAtMs: ms('2026-05-01T18:47:41Z') })).toMatchObject({ codes: [], at: nxStart });
    expect(codes({ createdAtMs: ms('2026-05-01T18:30:30Z') })).toMatchObject({
      codes: [],
      confidence: 'medium',
    });
  });

  it('settle which of a doubled hour is meant', () => {
    const name = 'Gate_2026_10_25_01_30_00.mkv';
    const late = { settledAtMs: ms('2026-10-26T00:00:00Z') };
    const result = described('x', [name], {
      ...late,
      ...probes({ [name]: { createdAtMs: ms('2026-10-25T01:30:00Z') } }),
    });
    expect(iso(result.clips[0]?.startedAt)).toBe('2026-10-25T01:30:00.000Z');
    expect(result.clips[0]?.startedAt?.confidence).toBe('high');
  });

  it('in one name prove the zone', () => {
    const name = '2025060107/46M14S_1748735174.mp4';
    expect(codes({}, name, 'Asia/Shanghai')).toMatchObject({ codes: [], confidence: 'high' });
    expect(codes({}, name, 'Asia/Tokyo').codes).toEqual(['ZONE_UNLIKELY']);
    expect(codes({}, name, 'Asia/Tokyo').note).toContain('Asia/');
  });

  it('of two signers are none that is certain', () => {
    const result = codes({ statedStartMs: ms(nxStart), otherStartMs: ms(nxStart) + 60_000 });
    expect(result).toMatchObject({ codes: ['CLOCKS_DIFFER'], at: nxStart, confidence: 'low' });
  });
});

describe('a name that states only an end', () => {
  const name = 'Front Door/2026-05-01/2026-05-01T19-30-05 motion.mp4';

  it('starts its duration earlier', () => {
    const clip = firstClip('x', [name], probes({ [name]: { durationMs: 20_000 } }));
    expect(iso(clip.startedAt)).toBe('2026-05-01T18:29:45.000Z');
    expect(iso(clip.endedAt)).toBe('2026-05-01T18:30:05.000Z');
    expect(clip.cameraName?.value).toBe('Front Door');
  });

  it('has no start while its duration is not known', () => {
    const clip = firstClip('x', [name]);
    expect(clip).not.toHaveProperty('startedAt');
    expect(iso(clip.endedAt)).toBe('2026-05-01T18:30:05.000Z');
  });
});

describe('ended_at', () => {
  const dahua = 'NVR_ch1_main_20260501193000_20260501193200.dav';

  it('is taken from the sidecar, else from the name, else from start and duration', () => {
    const facts = probes({ [dahua]: { durationMs: 119_000 }, [nx]: { durationMs: 12_345 } });
    const said = sidecar({ videos: [video(dahua, { endedAt: { ms: ms('2026-05-01T18:33:00Z') } })] });
    expect(firstClip('x', [dahua], { ...facts, ...said }).endedAt?.source).toBe('sidecar');
    expect(firstClip('x', [dahua], facts).endedAt).toMatchObject({
      value: ms('2026-05-01T18:32:00Z'),
      source: 'file-name',
    });
    expect(firstClip('x', [nx], facts).endedAt).toMatchObject({
      value: ms('2026-05-01T18:30:17.345Z'),
      source: 'media',
    });
  });

  it.each([
    ['4 s apart in 2 minutes', 116_000, []],
    ['7 s apart in 2 minutes', 127_000, ['DURATION_DIFFERS']],
    ['a time-lapse', 5000, ['DURATION_DIFFERS']],
  ])('and duration, %s', (_how, durationMs, codes) => {
    const result = described(
      'x',
      [dahua.replace('.dav', '.mp4')],
      probes({ [dahua.replace('.dav', '.mp4')]: { durationMs } }),
    );
    expect(result.warnings.map((warning) => warning.code)).toEqual(codes);
    expect(result.clips[0]?.durationMs?.value).toBe(durationMs);
    expect(iso(result.clips[0]?.endedAt)).toBe('2026-05-01T18:32:00.000Z');
  });

  it.each([
    ['end before start', '2026-05-01T17:00:00Z'],
    ['a clip of 400 years', '2426-05-01T17:00:00Z'],
  ])('%s is a warning', (_what, end) => {
    const result = described('x', [nx], sidecar({ videos: [video(nx, { endedAt: { ms: ms(end) } })] }));
    expect(result.warnings).toMatchObject([{ code: 'TIME_ORDER', file: nx }]);
  });
});
