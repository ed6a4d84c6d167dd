import { describe, expect, it } from 'vitest';
import { createFindCamera } from '../../../../../electron/agent/core/naming/camera-registry.ts';
import { createSiteRules } from '../../../../../electron/agent/core/naming/recognisers.ts';
import { settingsSchema } from '../../../../../shared/domain/settings.ts';
import {
  firstClip,
  iso,
  ms,
  nx,
  nxStart,
  probes,
  sidecar,
  video,
} from '../../../../helpers/export-evidence.ts';

const camerasOf = (cameras: readonly object[]) => settingsSchema.parse({ cameras }).cameras;
/** The first clip of a folder as a desk with these cameras describes it. */
const described = (cameras: readonly object[], path: string, more: Parameters<typeof firstClip>[2] = {}) => {
  const findCamera = createFindCamera(camerasOf(cameras));
  const watch = {
    timeZone: 'Europe/London',
    profile: 'auto',
    clockOffsetSeconds: 0,
    ...(findCamera && { findCamera }),
  };
  return firstClip('x', [path], { watch, ...more });
};
const dahua = 'NVR_ch1_main_20230619064223_20230619064228.dav';
const brickcom = '20140509-000500-001000_192.168.1.11-CH2.avi';
const named = { cameraName: 'Found', cameraId: 'ID-1' };

describe('a camera is found', () => {
  it.each<[string, object, string]>([
    ['by its name', { match: 'gate 4 north' }, nx],
    ['by a glob', { match: 'Gate ? *', by: 'name' }, nx],
    ['by its channel', { match: '1', by: 'channel' }, dahua],
    ['by recorder and channel', { match: 'NVR/1' }, dahua],
    ['by its address', { match: '192.168.1.11', by: 'ip' }, brickcom],
    ['by its serial number', { match: 'ACCC8EAF31F3', by: 'mac' }, '20210712_141048_857A_ACCC8EAF31F3.mkv'],
    ['by its folder', { match: 'Tor 7', by: 'name' }, 'Tor 7/clip.mp4'],
  ])('%s', (_what, match, path) => {
    expect(described([{ ...match, ...named }], path)).toMatchObject({
      cameraName: { value: 'Found', source: 'registry', confidence: 'high' },
      cameraId: { value: 'ID-1', source: 'registry' },
    });
  });

  it.each<[string, object, object]>([
    ['MAC, however it is written', { match: 'AC-CC-8E-AF-31-F3' }, { sourceMac: 'ac:cc:8e:af:31:f3' }],
    ['URL', { match: 'rtsp://10.0.0.7/*', by: 'url' }, { sourceUrl: 'rtsp://10.0.0.7/axis-media' }],
    ['address in the URL', { match: '10.0.0.7', by: 'ip' }, { sourceUrl: 'rtsp://10.0.0.7/axis-media' }],
    ['name in the file', { match: 'PTZ 4' }, { sourceName: 'PTZ 4' }],
  ])('by what the file itself states: %s', (_what, match, facts) => {
    expect(described([{ ...match, ...named }], 'a.mp4', probes({ 'a.mp4': facts })).cameraName?.value).toBe(
      'Found',
    );
  });

  it.each<[string, object, string]>([
    ['another kind of text', { match: '1', by: 'name' }, dahua],
    ['part of a name', { match: 'Gate 4' }, nx],
  ])('not by %s', (_what, match, path) => {
    expect(described([{ ...match, ...named }], path).cameraName?.source).not.toBe('registry');
  });

  it('bad input: a glob with many stars takes a time that grows with the name', () => {
    const camera = { match: `${'*a'.repeat(90)}b`, ...named };
    expect(described([camera], `${'a'.repeat(200)}_2026_05_01_19_30_05.mkv`).cameraName?.source).toBe(
      'file-name',
    );
  });
});

describe('what the desk says of a camera', () => {
  it('wins over names and files, and gives way to a sidecar', () => {
    const cameras = [
      { match: 'Gate 4 North', cameraName: 'Gate 4 N', description: 'PTZ', latitude: 51.5, longitude: 0 },
    ];
    const facts = probes({ [nx]: { sourceName: 'cam', latitude: 1, longitude: 1 } });
    expect(described(cameras, nx, facts)).toMatchObject({
      cameraName: { value: 'Gate 4 N' },
      cameraDescription: { value: 'PTZ' },
      cameraLatitude: { value: 51.5, source: 'registry' },
    });
    const said = sidecar({ videos: [video(nx, { cameraName: 'Written' })] });
    expect(described(cameras, nx, said).cameraName?.value).toBe('Written');
  });

  it('is taken field by field from the first entry that has it', () => {
    const cameras = [
      { match: 'Gate*', description: 'at a gate' },
      { match: 'Gate 4 North', description: 'never', cameraName: 'Gate 4 N' },
    ];
    expect(described(cameras, nx)).toMatchObject({
      cameraName: { value: 'Gate 4 N' },
      cameraDescription: { value: 'at a gate' },
    });
  });

  it('counts in its watched folder only, and between its times only', () => {
    const settings = settingsSchema.parse({
      cameras: [
        {
          match: 'Gate 4 North',
          folder: '/exports',
          ...named,
          validFrom: '2026-01-01T00:00:00Z',
          validTo: '2026-05-01T18:30:05Z',
        },
      ],
    });
    const site = createSiteRules(settings);
    expect(site.findCameraIn('/other')).toBeUndefined();
    const at = (start: string) =>
      site.findCameraIn('/exports')?.({
        path: nx,
        name: {
          cameraName: 'Gate 4 North',
          startedAt: { recordedMs: ms(start) },
        },
      });
    expect(at('2026-05-01T18:30:04Z')).toMatchObject(named);
    expect(at('2026-05-01T18:30:05Z')).toBeUndefined();
    expect(at('2025-12-31T23:59:59Z')).toBeUndefined();
    expect(site.findCameraIn('/exports')?.({ path: 'Gate 4 North/a.mp4' })).toBeUndefined();
  });
});

describe('the clock of a camera', () => {
  const cameras = [
    {
      match: 'Gate 4 North',
      clockOffsetSeconds: -37,
      measuredBy: 'J. Smith on 1 May, phone beside the screen',
    },
  ];

  it('corrects its times instead of that of the folder, and both times are kept', () => {
    const clip = described(cameras, nx, {
      watch: {
        timeZone: 'Europe/London',
        profile: 'auto',
        clockOffsetSeconds: 500,
        findCamera: createFindCamera(camerasOf(cameras)) ?? (() => undefined),
      },
    });
    expect(iso(clip.startedAt)).toBe('2026-05-01T18:29:28.000Z');
    expect(clip.recordedStartedAtMs).toBe(ms(nxStart));
    expect(clip.startedAt?.note).toContain('corrected by -37 s, measured by J. Smith');
    expect(clip.startedAt?.note).toContain(nxStart);
  });

  it('never corrects a time in UTC that the file itself states, nor what a person wrote', () => {
    const stated = probes({ [nx]: { statedStartMs: ms('2026-05-01T18:30:00Z') } });
    expect(iso(described(cameras, nx, stated).startedAt)).toBe('2026-05-01T18:30:00.000Z');
    const said = sidecar({ clockOffsetSeconds: 5 });
    expect(iso(described(cameras, nx, said).startedAt)).toBe('2026-05-01T18:30:10.000Z');
  });
});
