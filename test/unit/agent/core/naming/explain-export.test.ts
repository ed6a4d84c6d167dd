import { describe, expect, it } from 'vitest';
import { describeExport } from '../../../../../electron/agent/core/naming/describe-export.ts';
import { explainExport } from '../../../../../electron/agent/core/naming/explain-export.ts';
import type { ExplainedField, ExplainedValue } from '../../../../../shared/domain/explanation.ts';
import { evidence, ms, nx, nxStart, probes, sidecar, video } from '../../../../helpers/export-evidence.ts';

function explained(...input: Parameters<typeof evidence>) {
  const known = evidence(...input);
  return explainExport(known, describeExport(known));
}

const valueOf = (values: readonly ExplainedValue[], field: ExplainedField): ExplainedValue => {
  const value = values.find((each) => each.field === field);
  if (value === undefined) throw new Error(`${field} is not explained`);
  return value;
};

const firstOf = (...input: Parameters<typeof evidence>) => {
  const [clip] = explained(...input).clips;
  if (clip === undefined) throw new Error('no clip');
  return { ...clip, of: (field: ExplainedField) => valueOf(clip.values, field) };
};

describe('a value', () => {
  it('names its source, and every other candidate with the reason why it lost', () => {
    const clip = firstOf('x', [`North/${nx}`], {
      ...sidecar({ videos: [video(`North/${nx}`, { cameraName: 'Gate 4 N' })] }),
      ...probes({ [`North/${nx}`]: { sourceName: 'PTZ 4' } }),
    });
    const { winner, others, overrule } = clip.of('cameraName');
    expect(winner).toMatchObject({ value: 'Gate 4 N', source: 'sidecar', confidence: 'high' });
    expect(others).toEqual([
      expect.objectContaining({ value: 'PTZ 4', source: 'media', why: 'the sidecar is trusted more' }),
      expect.objectContaining({ value: 'Gate 4 North', source: 'file-name' }),
      expect.objectContaining({ value: 'North', source: 'folder-name' }),
    ]);
    expect(overrule).toContain('videos.csv');
  });

  it('says why a candidate cannot stand at all', () => {
    const clip = firstOf('x', ['2026-05-01/clip.mp4'], probes({ '2026-05-01/clip.mp4': { createdAtMs: 0 } }));
    expect(clip.of('cameraName').winner).toBeUndefined();
    expect(clip.of('cameraName').others).toMatchObject([
      { value: '2026-05-01', why: expect.stringContaining('a date') },
    ]);
    expect(clip.of('startedAt').winner).toBeUndefined();
    expect(clip.of('startedAt').others).toMatchObject([
      { source: 'media', why: 'it is before 2000 or in the future' },
      { source: 'file-time', why: 'the time a file was written does not show when it was recorded' },
    ]);
  });

  it('shows a time in UTC and by the clock of the folder', () => {
    expect(firstOf('x', [nx]).of('startedAt').winner).toMatchObject({
      value: nxStart,
      local: '2026-05-01 19:30:05 Europe/London',
    });
  });

  it('is the one that is sent, after it was compared with another clock', () => {
    const known = evidence('x', [nx], probes({ [nx]: { createdAtMs: ms('2026-05-01T17:30:05Z') } }));
    const described = describeExport(known);
    const [clip] = explainExport(known, described).clips;
    const { winner } = valueOf(clip?.values ?? [], 'startedAt');
    expect(winner).toMatchObject({
      value: new Date(described.clips[0]?.startedAt?.value ?? 0).toISOString(),
      note: described.clips[0]?.startedAt?.note,
    });
    expect(winner?.note).toContain('would fit');
  });

  it('of an end before the start does not stand', () => {
    const wrong = video(nx, { endedAt: { ms: ms('2026-05-01T10:00:00Z') } });
    const end = firstOf('x', [nx], sidecar({ videos: [wrong] })).of('endedAt');
    expect(end.winner).toBeUndefined();
    expect(end.others).toMatchObject([{ source: 'sidecar', why: 'it is before the start' }]);
  });
});

describe('an incident', () => {
  it('says why the time of its folder does not count', () => {
    const { incident } = explained('2026-04-01 1200 Fight', [nx]);
    const { winner, others } = valueOf(incident, 'incidentAt');
    expect(winner).toMatchObject({ value: nxStart, source: 'clips' });
    expect(others).toContainEqual(
      expect.objectContaining({ source: 'folder-name', why: 'no clip is known to cover it' }),
    );
  });

  it('does not say that nothing was recorded then when no clip has a known time', () => {
    const { incident } = explained('2026-04-01 1200 Fight', ['clip.mp4']);
    expect(valueOf(incident, 'incidentAt').others).toContainEqual(
      expect.objectContaining({ source: 'folder-name', why: 'no clip has a known time' }),
    );
  });

  it('says what the queue has, where it is another value', () => {
    const known = evidence('Fight', [nx]);
    const person = { value: 'Fight at gate 4', source: 'person', confidence: 'high' };
    const same = { value: 'Gate 4 North', source: 'file-name', confidence: 'medium' };
    const time = { value: '2026-05-01T18:00:00.000Z', source: 'person', confidence: 'high' };
    const stored = {
      incident: { title: person, incidentAt: time },
      clips: new Map([[nx, { cameraName: same }]]),
    };
    const { incident, clips } = explainExport(known, describeExport(known), stored);
    expect(valueOf(incident, 'title')).toMatchObject({ winner: { value: 'Fight' }, stored: person });
    expect(valueOf(incident, 'incidentAt').stored?.local).toBe('2026-05-01 19:00:00 Europe/London');
    expect(valueOf(clips[0]?.values ?? [], 'cameraName').stored).toBeUndefined();
  });
});

describe('the recogniser', () => {
  it('won against one that any program could have written', () => {
    const { names } = firstOf('x', [nx]);
    expect(names.winner).toMatchObject({ profile: 'nx', label: 'documented' });
    expect(names.verdict).toMatch(/matches the file's name. No other system matches/);
    expect(names.others).toContainEqual(
      expect.objectContaining({
        profile: 'generic-start',
        why: expect.stringContaining('no system matches'),
      }),
    );
  });

  it('says by how many parts of the path it won', () => {
    const path = '2026-05-01/19/front_door/30.05.mp4';
    expect(firstOf('x', [path]).names.verdict).toMatch(/^Frigate: matches 4 parts of the path/);
  });

  it('was named by the settings of the folder', () => {
    const watch = { timeZone: 'UTC', profile: 'generic-start', clockOffsetSeconds: 0 };
    const { names } = firstOf('x', [nx], { watch });
    expect(names.verdict).toContain("This pattern is set in the folder's settings");
    expect(names.others).toMatchObject([{ profile: 'nx', why: expect.stringContaining('name another') }]);
  });

  it('is none where the system of the settings does not write such names', () => {
    const watch = { timeZone: 'UTC', profile: 'tapo', clockOffsetSeconds: 0 };
    const { names } = firstOf('x', [nx], { watch });
    expect(names.winner).toBeUndefined();
    expect(names.verdict).toContain(
      "This path does not match the system or pattern set in the folder's settings",
    );
    expect(names.others).toContainEqual(
      expect.objectContaining({ profile: 'nx', why: expect.stringContaining('name another') }),
    );
  });

  it('is the one that other clips are from, where another one fits equally well', () => {
    const unclear = '28.05.2026_0300/2021-06-01/07-08-09.mp4';
    const { clips } = explained('Incident 12', [unclear, 'Camera Yard/2020-05-06/07-08-09.mp4']);
    const names = clips.find(({ file }) => file === unclear)?.names;
    expect(names?.verdict).toMatch(
      /^motionEye: .*\. Another system matches equally well, but other clips of the export are from motionEye\.$/,
    );
    expect(names?.others).toContainEqual(
      expect.objectContaining({
        why: 'matches equally well, but other clips of the export are from motionEye',
      }),
    );
  });

  it('is none where two fit equally well', () => {
    const { names } = firstOf('Incident 12', ['28.05.2026_0300/2021-06-01/07-08-09.mp4']);
    expect(names.winner).toBeUndefined();
    expect(names.verdict).toMatch(
      /systems match equally well but read the name differently, so nothing is read from it/,
    );
  });

  it('is none where nothing fits', () => {
    expect(firstOf('x', ['clip.mp4']).names).toMatchObject({
      others: [],
      verdict: 'This path matches no known system or pattern.',
    });
  });
});
