import { describe, expect, it } from 'vitest';
import { described, firstClip, nx, video, sidecar } from '../../../../helpers/export-evidence.ts';

describe('the camera', () => {
  it.each([
    ['the sidecar', 'Lobby_2026_05_01_19_30_05.mkv', { cameraName: 'Lobby East' }, 'Lobby East', 'sidecar'],
    ['the name', 'Lobby_2026_05_01_19_30_05.mkv', {}, 'Lobby', 'file-name'],
    ['the folder', 'Gate 4/clip.mp4', {}, 'Gate 4', 'folder-name'],
    [
      'the folder before the channel',
      'Gate 4/NVR_ch3_main_20260501193000_20260501193200.dav',
      {},
      'Gate 4',
      'folder-name',
    ],
    ['the channel', 'NVR_ch3_main_20260501193000_20260501193200.dav', {}, 'Channel 3', 'file-name'],
    [
      'the channel, not a folder that is a date',
      '2026-05-01/NVR_ch3_main_20260501193000_20260501193200.dav',
      {},
      'Channel 3',
      'file-name',
    ],
  ])('is named by %s', (_by, path, said, value, source) => {
    const clip = firstClip('x', [path], sidecar({ videos: [video(path, said)] }));
    expect(clip.cameraName).toMatchObject({ value, source });
  });

  it.each([
    'clip.mp4',
    'Videos/clip.mp4',
    '2026-05-01/clip.mp4',
    'clip_20260501_193005.mp4',
    '2026/05/01/x.mp4',
  ])('is not guessed from %s', (path) => {
    const clip = firstClip('x', [path]);
    expect(clip).not.toHaveProperty('cameraName');
    expect(clip).not.toHaveProperty('cameraId');
  });

  it('has an id from the sidecar, the channel, or its name', () => {
    const ids = (path: string, said = {}) =>
      firstClip('x', [path], sidecar({ videos: [video(path, said)] })).cameraId;
    expect(ids(nx, { cameraId: 'GATE4N' })).toMatchObject({ value: 'GATE4N', source: 'sidecar' });
    expect(ids('NVR_ch03_main_20260501193000_20260501193200.dav')).toMatchObject({
      value: '3',
      source: 'file-name',
    });
    expect(ids(nx)).toMatchObject({ value: 'gate-4-north', confidence: 'low' });
  });

  it('is described and placed by the sidecar only', () => {
    const said = { cameraDescription: 'PTZ', cameraLatitude: 51.5, cameraLongitude: -0.2 };
    expect(firstClip('x', [nx], sidecar({ videos: [video(nx, said)] }))).toMatchObject({
      cameraDescription: { value: 'PTZ', source: 'sidecar' },
      cameraLatitude: { value: 51.5 },
      cameraLongitude: { value: -0.2 },
    });
    expect(firstClip('x', [nx])).not.toHaveProperty('cameraLatitude');
  });

  it('of a generic name is low', () => {
    expect(firstClip('x', ['Turnstile 7 - 2026-05-01 19-30-05.mp4']).cameraName).toMatchObject({
      value: 'Turnstile 7',
      confidence: 'low',
    });
  });
});

describe('the thumbnail', () => {
  it('is the image of the same stem', () => {
    expect(firstClip('x', ['a.mp4', 'a.jpg']).thumbnailPath).toMatchObject({
      value: 'a.jpg',
      source: 'file-name',
    });
  });

  it('is the one that the sidecar names, when it is there', () => {
    const said = sidecar({ videos: [video('a.mp4', { thumbnail: 'thumbs/g.jpg' })] });
    const there = described('x', ['a.mp4', 'a.jpg', 'thumbs/g.jpg'], said);
    expect(there.clips[0]?.thumbnailPath).toMatchObject({ value: 'thumbs/g.jpg', source: 'sidecar' });
    const gone = described('x', ['a.mp4', 'a.jpg'], said);
    expect(gone.clips[0]?.thumbnailPath?.value).toBe('a.jpg');
    expect(gone.warnings).toMatchObject([{ code: 'SIDECAR_THUMBNAIL_MISSING' }]);
  });
});

describe('a time', () => {
  it.each([
    ['showed twice', {}, 'time-doubled-hour'],
    ['skipped', { isNonexistent: true } as const, 'time-nonexistent'],
  ])('of the sidecar that the clock %s is flagged as such', (_what, more, flag) => {
    const startedAt = { ms: Date.parse('2026-05-01T18:00:00Z'), note: 'the clock', ...more };
    expect(firstClip('x', [nx], sidecar({ videos: [video(nx, { startedAt })] })).flags).toContain(flag);
  });
});
