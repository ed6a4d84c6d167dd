import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../../electron/agent/core/naming/own-patterns.ts';
import { proposeTemplate } from '../../../../../renderer/features/settings/propose-pattern.tsx';

const at = '2026-05-01 19:30:05';

describe('a template that reads a name as a person corrected it', () => {
  it.each([
    ['N7#Gate 4@20260501T193005.xyz', 'N{number}#{camera}@{date:YYYYMMDD}T{time:HHmmss}'],
    ['Gate 4_2026-05-01_19.30.05.mp4', '{camera}_{date:YYYY-MM-DD}_{time:HH.mm.ss}'],
    ['x/Gate 4/01.05.2026/19-30-05 (2).avi', '{camera}/{date:DD.MM.YYYY}/{time:HH-mm-ss} ({number})'],
    ['05-01-2026 7.30.05 pm Gate 4.avi', '{date:MM-DD-YYYY} {time:h.mm.ss A} {camera}'],
    ['Gate 4 1-5-2026 1930.avi', '{camera} {date:D-M-YYYY} {time:HHmm}'],
    ['01May2026-193005-Gate 4.avi', '{date:DDMMMYYYY}-{time:HHmmss}-{camera}'],
    ['Gate 4-260501193005.avi', '{camera}-{date:YYMMDD}{time:HHmmss}'],
    ['Gate 4-1930-20260501193005.avi', '{camera}-{number}-{date:YYYYMMDD}{time:HHmmss}'],
  ])('%s', (sample, template) => {
    expect(proposeTemplate(sample, { camera: 'Gate 4', at })).toBe(template);
    const pattern = compilePattern({
      name: 'p',
      template,
      samples: [sample],
      dateOrder: 'YMD',
      clock: 'local',
      epoch: 's',
    });
    const read = pattern.ok ? pattern.value.read(sample) : pattern.error;
    const second = sample.includes('1930.avi') ? 0 : 5;
    expect(read).toMatchObject({
      cameraName: 'Gate 4',
      start: { wall: { year: 2026, month: 5, day: 1, hour: 19, minute: 30, second } },
    });
  });

  it('has what is there alone, and is none where nothing is', () => {
    expect(proposeTemplate('Gate 4_0001.mp4', { camera: 'Gate 4', at })).toBe('{camera}_{number}');
    expect(proposeTemplate('20260501_193005.mp4', { camera: 'Yard', at })).toBe(
      '{date:YYYYMMDD}_{time:HHmmss}',
    );
    expect(proposeTemplate('clip 0001.mp4', { camera: 'Gate 4', at })).toBeUndefined();
    expect(proposeTemplate('Gate 4_20260501.mp4', { at })).toBeUndefined();
    expect(proposeTemplate('{1}Gate 4_20260501_193005.mp4', { at })).toBeUndefined();
    expect(proposeTemplate('Gate 4_20260501_193005.mp4', { at: 'half past seven' })).toBeUndefined();
  });

  it('guesses no order of day and month, and takes no part of a longer number for a date', () => {
    expect(proposeTemplate('05-05-2026 19-30-05.mp4', { at: '2026-05-05 19:30:05' })).toBeUndefined();
    expect(proposeTemplate('11-5-2026 19-30-05.mp4', { at: '2026-05-01 19:30:05' })).toBeUndefined();
  });
});
