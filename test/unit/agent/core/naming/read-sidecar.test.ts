import { describe, expect, it } from 'vitest';
import {
  MAX_SIDECAR_BYTES,
  readClipSidecar,
  readSidecar,
} from '../../../../../electron/agent/core/naming/read-sidecar.ts';
import { formatUtc } from '../../../../../electron/agent/core/times/zoned-time.ts';

const rules = { name: 'incident.json', timeZone: 'Europe/London' };
const bytesOf = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const read = (value: unknown) => readSidecar(bytesOf(value), rules);
const failureOf = (value: unknown) => {
  const result = read(value);
  if (result.ok) throw new Error('was read');
  return result.error;
};
const valueOf = (value: unknown) => {
  const result = read(value);
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.message}`);
  return result.value;
};
const ms = (text: string) => Date.parse(text);

const example = {
  schema_version: 1,
  external_id: 'VMS-2026-0042',
  title: 'Pitch invasion, Gate 4',
  description: 'Two persons over the barrier',
  incident_at: '2026-05-01T19:30:05Z',
  longitude: -0.2795,
  latitude: 51.556,
  timezone: 'Europe/London',
  clock_offset_seconds: -37,
  period: 'Cup final 2026',
  category: 'pitch_invasion',
  tags: ['north'],
  exported_by: 'j.smith',
  exported_at: '2026-05-01T19:52:00Z',
  vms: 'Milestone XProtect 2025 R1',
  videos: [
    {
      file: 'Gate 4 North_2026_05_01_19_30_05.mkv',
      camera_id: 'GATE4N',
      camera_name: 'Gate 4 North',
      camera_description: 'PTZ over turnstiles',
      camera_longitude: -0.2796,
      camera_latitude: 51.5561,
      started_at: '2026-05-01T19:30:05Z',
      ended_at: '2026-05-01T19:32:05Z',
      thumbnail: 'thumbs/gate4n.jpg',
      sha256: '...',
    },
  ],
};

describe('a good sidecar', () => {
  it('reads the example of the convention', () => {
    expect(valueOf(example)).toEqual({
      externalId: 'VMS-2026-0042',
      title: 'Pitch invasion, Gate 4',
      description: 'Two persons over the barrier',
      incidentAt: { ms: ms('2026-05-01T19:30:05Z') },
      longitude: -0.2795,
      latitude: 51.556,
      timeZone: 'Europe/London',
      clockOffsetSeconds: -37,
      period: 'Cup final 2026',
      category: 'pitch_invasion',
      tags: ['north'],
      exportedBy: 'j.smith',
      exportedAt: { ms: ms('2026-05-01T19:52:00Z') },
      vms: 'Milestone XProtect 2025 R1',
      videos: [
        {
          file: 'Gate 4 North_2026_05_01_19_30_05.mkv',
          cameraId: 'GATE4N',
          cameraName: 'Gate 4 North',
          cameraDescription: 'PTZ over turnstiles',
          cameraLongitude: -0.2796,
          cameraLatitude: 51.5561,
          startedAt: { ms: ms('2026-05-01T19:30:05Z') },
          endedAt: { ms: ms('2026-05-01T19:32:05Z') },
          thumbnail: 'thumbs/gate4n.jpg',
          extra: { sha256: '...' },
        },
      ],
      extra: {},
    });
  });

  it('reads an empty object', () => {
    expect(valueOf({})).toEqual({ videos: [], extra: {} });
  });

  it('takes null for absent', () => {
    expect(valueOf({ title: null, videos: null })).toEqual({ videos: [], extra: {} });
  });

  it('keeps unknown keys', () => {
    expect(valueOf({ officer: { badge: 7 }, videos: [{ file: 'a.mp4', codec: 'h264' }] })).toEqual({
      videos: [{ file: 'a.mp4', extra: { codec: 'h264' } }],
      extra: { officer: { badge: 7 } },
    });
  });

  it('keeps a SHA-256 in lower case', () => {
    const sha256 = 'AB'.repeat(32);
    expect(valueOf({ videos: [{ file: 'a.mp4', sha256 }] }).videos[0]?.sha256).toBe('ab'.repeat(32));
  });

  it('reads a clip sidecar', () => {
    const result = readClipSidecar(bytesOf({ camera_name: 'Gate 4', started_at: '2026-01-01T00:00:00Z' }), {
      ...rules,
      name: 'a.json',
    });
    expect(result).toEqual({
      ok: true,
      value: { cameraName: 'Gate 4', startedAt: { ms: ms('2026-01-01T00:00:00Z') }, extra: {} },
    });
  });
});

describe('encodings', () => {
  const text = '{"title":"Tör 4 – 日本"}';
  const utf16 = (swap: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return swap ? bytes.swap16() : bytes;
  };
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with BOM', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE with BOM', utf16(false)],
    ['UTF-16BE with BOM', utf16(true)],
  ])('reads %s', (_name, bytes) => {
    expect(readSidecar(bytes, rules)).toMatchObject({ ok: true, value: { title: 'Tör 4 – 日本' } });
  });

  it.each([
    ['Latin-1', Buffer.from('{"title":"Tör"}', 'latin1')],
    ['UTF-16LE without BOM', Buffer.from(text, 'utf16le')],
    ['odd UTF-16', Buffer.from([0xff, 0xfe, 0x7b])],
  ])('checklist 44: refuses %s with SIDECAR_ENCODING', (_name, bytes) => {
    expect(readSidecar(bytes, rules)).toMatchObject({ ok: false, error: { code: 'SIDECAR_ENCODING' } });
  });
});

describe('times', () => {
  it('reads a time without offset in the zone of the sidecar, else in the one of the watch', () => {
    const time = { incident_at: '2026-05-01T19:30:05' };
    expect(formatUtc(valueOf(time).incidentAt?.ms ?? 0)).toBe('2026-05-01T18:30:05.000Z');
    expect(formatUtc(valueOf({ ...time, timezone: 'Asia/Tokyo' }).incidentAt?.ms ?? 0)).toBe(
      '2026-05-01T10:30:05.000Z',
    );
    const video = { timezone: 'Asia/Tokyo', videos: [{ file: 'a.mp4', started_at: '2026-05-01 19:30:05' }] };
    expect(formatUtc(valueOf(video).videos[0]?.startedAt?.ms ?? 0)).toBe('2026-05-01T10:30:05.000Z');
  });

  it('notes a doubled hour', () => {
    expect(valueOf({ incident_at: '2026-10-25T01:30:00' }).incidentAt).toEqual({
      ms: ms('2026-10-25T00:30:00Z'),
      note: expect.stringContaining('twice') as string,
    });
  });

  it.each([
    '31.02.2026',
    '2026-02-30T00:00:00Z',
    1_777_660_205,
    1_777_660_205_000,
    '1777660205',
    'yesterday',
    '',
    {},
    true,
  ])('refuses %j and shows it', (raw) => {
    const failure = failureOf({ incident_at: raw });
    expect(failure.code).toBe('SIDECAR_DATE');
    expect(failure.message).toContain('"incident_at"');
    expect(failure.message).toContain(JSON.stringify(raw));
  });
});

describe('what is refused', () => {
  it.each([
    ['no JSON', 'title: x', 'SIDECAR_UNREADABLE', 'line 1, column 1'],
    ['truncated JSON', '{\n "title": "x"', 'SIDECAR_UNREADABLE', 'line 2, column 14'],
    ['an empty file', '', 'SIDECAR_UNREADABLE', 'line 1, column 1'],
    [
      'XML',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a/>',
      'SIDECAR_UNREADABLE',
      'line 1, column 1',
    ],
    ['a key twice', '{"title":"a",\n"title":"b"}', 'SIDECAR_DUPLICATE_KEY', '"title"'],
    ['a rounded number', '{"external_id":9007199254740993}', 'SIDECAR_NUMBER', '9007199254740993'],
    ['an infinite number', '{"latitude":1e400}', 'SIDECAR_NUMBER', '1e400'],
    ['deep nesting', '{"a":'.repeat(33), 'SIDECAR_TOO_DEEP', '32'],
    ['a list', '[]', 'SIDECAR_SHAPE', 'one group of fields'],
    ['null', 'null', 'SIDECAR_SHAPE', 'one group of fields'],
    ['a number for the title', { title: 5 }, 'SIDECAR_SHAPE', '"title"'],
    ['a text for the latitude', { latitude: '51.5' }, 'SIDECAR_SHAPE', '"latitude"'],
    ['a latitude off the globe', { latitude: 91 }, 'SIDECAR_SHAPE', 'between -90 and 90'],
    ['an unknown zone', { timezone: 'Europe/Nowhere' }, 'SIDECAR_SHAPE', '"timezone"'],
    ['tags of other types', { tags: ['a', 1] }, 'SIDECAR_SHAPE', '"tags"'],
    ['videos that are no list', { videos: {} }, 'SIDECAR_SHAPE', '"videos"'],
    ['a video that is no object', { videos: [1] }, 'SIDECAR_SHAPE', 'videos[0]'],
    ['a video without a file', { videos: [{ camera_id: 'x' }] }, 'SIDECAR_SHAPE', '"file"'],
    ['one clip twice', { videos: [{ file: 'a.mp4' }, { file: 'a.mp4' }] }, 'SIDECAR_SHAPE', 'videos[1]'],
    [
      'a camera name of another type',
      { videos: [{ file: 'a', camera_name: 4 }] },
      'SIDECAR_SHAPE',
      '"camera_name"',
    ],
    ['another version', { schema_version: 2 }, 'SIDECAR_SHAPE', 'schema_version'],
  ])('refuses %s', (_what, value, code, shown) => {
    const failure = failureOf(value);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(shown);
    expect(failure.message).toContain('incident.json');
    expect(failure.advice).not.toBe('');
  });

  it('refuses a large file without reading it', () => {
    const bytes = new Uint8Array(MAX_SIDECAR_BYTES + 1);
    expect(readSidecar(bytes, rules)).toMatchObject({ ok: false, error: { code: 'SIDECAR_TOO_LARGE' } });
  });

  it('reads a file of just the largest size', () => {
    const text = '{"description":""}'.replace('""', `"${'x'.repeat(MAX_SIDECAR_BYTES - 18)}"`);
    expect(readSidecar(bytesOf(text), rules).ok).toBe(true);
  });

  it.each([
    '../../x.mp4',
    '/etc/passwd',
    'C:\\x.mp4',
    'C:x.mp4',
    'a/../../x.mp4',
    './a.mp4',
    'a//b.mp4',
    'a\\b.mp4',
    '',
    'a\0.mp4',
    '..',
  ])('refuses the path %j', (file) => {
    expect(failureOf({ videos: [{ file }] }).code).toBe('SIDECAR_PATH');
    expect(failureOf({ videos: [{ file: 'a.mp4', thumbnail: file }] }).code).toBe('SIDECAR_PATH');
  });

  it.each(['', 'a/b', 'a\\b', '..', '.', 'a\nb', 'a\u202eb', ' a', 'x'.repeat(201), 'a?b', 'a#b', 'a%2fb'])(
    'refuses the id %j',
    (id) => {
      expect(failureOf({ id })).toMatchObject({ code: 'SIDECAR_SHAPE' });
    },
  );

  it.each(['VMS-2026-0042', 'x'.repeat(200), 'Fall 7 (Nord)', 'é', '550e8400-e29b-41d4-a716-446655440000'])(
    'takes the id %j',
    (id) => {
      expect(valueOf({ id }).id).toBe(id);
    },
  );
});

it('is not affected by __proto__', () => {
  const result = valueOf(
    '{"__proto__":{"title":"evil"},"videos":[{"file":"a","__proto__":{"cameraId":"x"}}]}',
  );
  expect(result).toEqual({ videos: [{ file: 'a', extra: {} }], extra: {} });
  expect(result.title).toBeUndefined();
});
