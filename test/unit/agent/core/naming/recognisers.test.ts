import { describe, expect, it } from 'vitest';
import { readClipName } from '../../../../../electron/agent/core/naming/read-clip-name.ts';
import { systems } from '../../../../../electron/agent/core/naming/recognisers.ts';
import { falseRecognitions, readersOf, readPath, readUnseen } from '../../../../formats/measure.ts';
import { printers } from '../../../../formats/printers.ts';

const bySystem = systems.map((system) => [system.name, system] as const);
const samples = systems.flatMap(({ name, samples: own }) => own.map(({ path }) => [name, path] as const));

describe('of all systems', () => {
  it.each(samples)('%s alone reads %s', (name, path) => {
    expect(readersOf(path)).toEqual([name]);
  });

  it.each(bySystem)(
    '%s reads what it was never shown, in twelve zones and over both summer-time days',
    (_name, system) => {
      const { names, faults, confident } = readUnseen(system, 60, 7);
      expect(faults.slice(0, 3)).toEqual([]);
      expect({ confident, isTried: names >= 60 }).toEqual({ confident: 0, isTried: true });
    },
  );

  it('each has a printer', () => {
    expect(Object.keys(printers).toSorted()).toEqual(systems.map(({ name }) => name).toSorted());
  });

  it('reads next to nothing out of 12,000 names that no system wrote', () => {
    const { names, found, confident } = falseRecognitions(7);
    expect(names).toBe(12_000);
    expect(found.length, found.join(', ')).toBeLessThanOrEqual(12);
    expect(confident).toEqual([]);
  });
});

describe('a path', () => {
  it('of which only the export folder could name a camera names none', () => {
    const rules = { profile: 'auto', timeZone: 'UTC', clockOffsetSeconds: 0 };
    const path = '2020-05-06/07-08-09.mp4';
    expect(readClipName(`Yard/${path}`, rules, 'Fight at gate 4')?.cameraName).toBe('Yard');
    expect(readClipName(path, rules, 'Fight at gate 4')).not.toHaveProperty('cameraName');
    expect(readClipName('07-08-09.mp4', rules, '2020-05-06')?.startedAt?.recordedMs).toBeUndefined();
  });

  it('takes the date from the export folder', () => {
    const rules = { profile: 'auto', timeZone: 'UTC', clockOffsetSeconds: 0 };
    const reading = readClipName('001/dav/08/08.00.00-08.59.59[M][0@0][0].dav', rules, '2025-01-10');
    expect(reading?.startedAt?.value).toBe(Date.UTC(2025, 0, 10, 8));
  });

  it.each(['2026-05-01', '20240106AM', 'January', 'Mp4Record', '347', 'motion', '08'])(
    'has no camera in a folder named %s',
    (folder) => {
      expect(readPath(`${folder}/2026-05-01T19-30-05.mp4`)?.cameraName).toBeUndefined();
      expect(readPath(`${folder}/2026-05-01/19-30-05.mp4`)?.cameraName).toBeUndefined();
    },
  );

  it.each([
    'motion_2026-05-01 19-30-05.mp4',
    '2026-05-01 19-30-05 person.mp4',
    '347_20260501_193005.mp4',
    'May 2026_20260501_193005.mp4',
    'Event 12_20260501_193005.mp4',
  ])('has no camera in the name %s, whose time is read', (name) => {
    expect(readPath(name)?.startedAt?.confidence).toBe('low');
    expect(readPath(name)?.cameraName).toBeUndefined();
  });
});

describe('bad input', () => {
  it.each([
    'Front Door - 13-13-2020, 11.21.12pm.mp4',
    'Gate_2026_06_31_10_00_00.mkv',
    'Gate 2026-05-01 24-00-00.mp4',
    'Gate 2026-05-01 23-59-60.mp4',
    'Gate 03-04-2026 10-00-00.mp4',
  ])('%s is neither guessed nor rolled over', (name) => {
    expect(readPath(name)?.startedAt).toBeUndefined();
  });

  it.each([
    '20261301.mp4',
    '12345678.mp4',
    'Case 20260501.mp4',
    '1920x1080.mp4',
    '+4915112345678.mp4',
    'SN20260501A.mp4',
  ])('%s has no date', (name) => {
    expect(readPath(name)?.startedAt).toBeUndefined();
  });

  it.each([
    '0-1.mp4',
    '-1-5.mp4',
    '2147483648-2147483650.mp4',
    '4294967295-4294967299.mp4',
    '1706108297000-1706108310000.mp4',
    '1706108297000000000-1706108310000000000.mp4',
  ])('%s is an epoch in seconds of this century, or unknown', (name) => {
    const ms = readPath(name)?.startedAt?.value;
    expect(ms === undefined || (ms > Date.UTC(2000, 0, 1) && ms < Date.UTC(2100, 0, 1))).toBe(true);
  });

  it.each([
    'Gate_2026_05_01_7午後_30_05.mkv',
    'Door - 2-9-2020, 11.21.12nachm.mp4',
    'Door - 2-9-2020, 11.21.12 p. m..mp4',
    'Door - 2-9-2020, 23.21.12pm.mp4',
    'WhatsApp Video 2025-07-01 at ٩.١٦.٣٩ PM.mp4',
    'Gate_２０２６_05_01_19_30_05.mkv',
  ])('%s is unknown, not wrong', (name) => {
    expect(readPath(name)?.startedAt).toBeUndefined();
  });

  it('a narrow blank before the half of the day is read', () => {
    expect(readPath('Door - 2-9-2020, 11.21.12\u202fPM.mp4')?.startedAt?.value).toBe(
      Date.UTC(2020, 1, 9, 23, 21, 12),
    );
  });

  it.each(['2026_05_01_10_00_00', 'ch1', '..', `${'x'.repeat(200)}~`, '📷', '\u0301\u0302', 'שער 4'])(
    'a camera named %j is read as that, and the time beside it too',
    (camera) => {
      const reading = readPath(`${camera}_2026_05_01_19_30_05.mkv`);
      expect(reading?.cameraName).toBe(camera);
      expect(reading?.startedAt?.value).toBe(Date.UTC(2026, 4, 1, 19, 30, 5));
    },
  );
});
