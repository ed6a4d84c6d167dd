import { describe, expect, it } from 'vitest';
import { incidentChangesSchema } from '../../../../shared/domain/incident-edit.ts';

const read = (changes: object) => incidentChangesSchema.safeParse(changes);

describe('incidentChangesSchema', () => {
  it.each([
    { title: 'x' },
    { title: '⚽'.repeat(255) },
    // A joiner inside a Persian word, and a mark beside a Hebrew one
    { title: 'می‌خواهم' },
    { title: '\u200fשער 4' },
    { title: 'Thanks \u2764\ufe0f to \u{1f469}\u200d\u{1f692} and \u2764\ufe0f\u200d\u{1f525}' },
    { description: null },
    { description: 'One line\n\tand another' },
    { description: 'x'.repeat(10_000) },
    { incidentAt: '2026-05-01T18:30:05.123Z' },
    { incidentAt: null },
    { latitude: -90, longitude: 180 },
    { latitude: null, longitude: null },
  ])('takes %j', (changes) => {
    expect(read(changes)).toEqual({ success: true, data: changes });
  });

  it.each([
    [{}, ''],
    [{ title: null }, 'title'],
    [{ title: ' ' }, 'title'],
    [{ title: '\u200d\u200e ' }, 'title'],
    [{ title: 'x'.repeat(256) }, 'title'],
    [{ title: 'Gate\u202e4pm.exe' }, 'title'],
    [{ title: 'two\nlines' }, 'title'],
    [{ description: 'x'.repeat(10_001) }, 'description'],
    [{ description: 'a\u0000b' }, 'description'],
    [{ description: 'a\u2066b' }, 'description'],
    [{ incidentAt: '2026-05-01T18:30:05+01:00' }, 'incidentAt'],
    [{ incidentAt: '2026-02-30T18:30:05Z' }, 'incidentAt'],
    [{ incidentAt: 'yesterday' }, 'incidentAt'],
    [{ latitude: 90.1, longitude: 0 }, 'latitude'],
    [{ latitude: 0, longitude: -180.1 }, 'longitude'],
    [{ latitude: NaN, longitude: 0 }, 'latitude'],
    [{ latitude: 51.5 }, 'latitude'],
    [{ longitude: 51.5 }, 'latitude'],
    [{ latitude: null, longitude: 3 }, 'latitude'],
    [{ colour: 'red' }, ''],
  ])('refuses %j and names the field', (changes, field) => {
    const answer = read(changes);
    expect(answer.success).toBe(false);
    expect(answer.error?.issues.map(({ path }) => path.join('.'))).toContain(field);
  });

  it('drops blanks around a title', () => {
    expect(read({ title: ' Gate 4 ' }).data).toEqual({ title: 'Gate 4' });
  });
});
