import { describe, expect, it } from 'vitest';
import {
  FILE_MS,
  ms,
  iso,
  seen,
  firstClip,
  probes,
  nx,
  nxStart,
  video,
  sidecar,
} from '../../../../helpers/export-evidence.ts';

const watch = { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 0, sendsFileTimes: true };

describe('started_at', () => {
  it('is when the file was written where the desk wants that and nothing else says it', () => {
    const media = probes({ 'clip.mkv': { durationMs: 10_000 } });
    const clip = firstClip('Gate 4', ['clip.mkv'], { ...media, watch });
    expect(clip.startedAt).toMatchObject({ value: FILE_MS, source: 'file-time', confidence: 'low' });
    // Nothing was recorded after that, so there is no end
    expect(clip).not.toHaveProperty('endedAt');
    expect(iso(firstClip('Gate 4', [nx], { watch }).startedAt)).toBe(nxStart);
    expect(firstClip('x', [seen('clip.mkv', { mtimeNs: '0' })], { watch })).not.toHaveProperty('startedAt');
  });

  it('is not when the file was written where a sidecar says when it ended', () => {
    const said = sidecar({ videos: [video('a.mkv', { endedAt: { ms: ms('2026-05-01T18:33:00Z') } })] });
    const clip = firstClip('x', ['a.mkv'], { ...said, watch });
    expect(clip).not.toHaveProperty('startedAt');
    expect(iso(clip.endedAt)).toBe('2026-05-01T18:33:00.000Z');
    expect(clip.flags).toEqual([]);
  });
});
