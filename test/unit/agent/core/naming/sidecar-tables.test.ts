import { describe, expect, it } from 'vitest';
import { sidecarOf } from '../../../../../electron/agent/core/naming/read-sidecar.ts';
import {
  readIncidentTable,
  readNotes,
  readVideosTable,
  sidecarTables,
} from '../../../../../electron/agent/core/naming/sidecar-tables.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';
import { firstClip, described, iso, ms, seen, sidecar, video } from '../../../../helpers/export-evidence.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const incident = (text: string) => readIncidentTable(bytes(text), 'incident.csv');
const videos = (text: string) => readVideosTable(bytes(text), 'videos.csv');
const rules = { name: 'videos.csv', timeZone: 'Europe/London' };

describe('incident.csv', () => {
  it.each([
    ['commas', 'title,"Pitch invasion, Gate 4"\nlatitude,51.5560\n'],
    [
      'semicolons, a byte order mark and Windows lines',
      '\uFEFFtitle;"Pitch invasion, Gate 4"\r\nlatitude;51,5560\r\n',
    ],
    ['a heading and capitals', 'Key,Value\nTitle,"Pitch invasion, Gate 4"\nLatitude,51.5560\n'],
  ])('is read with %s', (_what, text) => {
    expect(incident(text)).toEqual({
      ok: true,
      value: { title: 'Pitch invasion, Gate 4', latitude: 51.556 },
    });
  });

  it('counts blank lines in the rows that it names, and takes none for the heading', () => {
    expect(incident('\nKey,Value\n\ntitle,a\n')).toEqual({ ok: true, value: { title: 'a' } });
    expect(incident('title,a\n\n\ntitle,b\n')).toMatchObject({
      error: { message: 'Row 4 of incident.csv repeats "title".' },
    });
    expect(videos('\nfile,title\n\na.mp4,b,c\n')).toMatchObject({
      error: { message: 'Row 4 of videos.csv has more columns than the first row.' },
    });
  });

  it('with a hundred thousand spaces inside a tag takes no time', () => {
    const spaces = ' '.repeat(100_000);
    expect(incident(`tags,"a ;${spaces}b , c"\n`)).toMatchObject({ value: { tags: ['a', 'b', 'c'] } });
    expect(processorMs(() => incident(`tags,a${spaces}b\n`))).toBeLessThan(200);
  });

  it('has a time in the zone of the folder, and tags', () => {
    const fields = incident('incident_at,2026-05-01T19:30:05\ntags,"north; gate"\n');
    const said = fields.ok ? sidecarOf(fields.value, rules) : fields;
    expect(said).toMatchObject({
      value: { incidentAt: { ms: ms('2026-05-01T18:30:05Z') }, tags: ['north', 'gate'] },
    });
  });

  it.each([
    ['a key twice', 'title,a\ntitle,b\n', 'SIDECAR_DUPLICATE_KEY'],
    ['a ragged row', 'title,a,b\n', 'SIDECAR_SHAPE'],
    ['a NUL', 'title,a\0b\n', 'SIDECAR_ENCODING'],
    ['an open quote', 'title,"a\n', 'SIDECAR_UNREADABLE'],
  ])('bad input: %s refuses it', (_what, text, code) => {
    expect(incident(text)).toMatchObject({ ok: false, error: { code } });
  });

  it('bad input: more than 256 KiB refuses it', () => {
    expect(incident(`title,${'x'.repeat(300_000)}`)).toMatchObject({ error: { code: 'SIDECAR_TOO_LARGE' } });
  });

  it('bad input: a formula is a text, a number that is none is refused by its field', () => {
    expect(incident('title,=HYPERLINK("x")\n')).toMatchObject({ value: { title: '=HYPERLINK("x")' } });
    const wrong = incident('latitude,north\n');
    expect(wrong.ok ? sidecarOf(wrong.value, rules) : wrong).toMatchObject({
      error: { code: 'SIDECAR_SHAPE' },
    });
  });
});

describe('videos.csv', () => {
  it('reads every row that fits into the file', () => {
    expect(videos(`file\n${'\n'.repeat(120_000)}last.mp4\n`)).toEqual({
      ok: true,
      value: [{ file: 'last.mp4' }],
    });
  });

  it('has a clip in each row', () => {
    const read = videos(
      'file;camera_name;started_at;camera_latitude\na.mp4;Gate 4;2026-05-01T19:30:05;51,5\n\nb.mp4;;;\n',
    );
    const said = read.ok ? sidecarOf({ videos: read.value }, rules) : read;
    expect(said).toMatchObject({
      value: {
        videos: [
          {
            file: 'a.mp4',
            cameraName: 'Gate 4',
            startedAt: { ms: ms('2026-05-01T18:30:05Z') },
            cameraLatitude: 51.5,
          },
          { file: 'b.mp4' },
        ],
      },
    });
  });

  it.each([
    ['no column of files', 'camera_name\nGate\n', 'SIDECAR_SHAPE'],
    ['a row with more cells', 'file,camera_name\na.mp4,Gate,more\n', 'SIDECAR_SHAPE'],
    ['a path outside of the folder', 'file\n../a.mp4\n', 'SIDECAR_PATH'],
    ['a clip twice', 'file\na.mp4\na.mp4\n', 'SIDECAR_SHAPE'],
  ])('bad input: %s refuses it', (_what, text, code) => {
    const read = videos(text);
    expect(read.ok ? sidecarOf({ videos: read.value }, rules) : read).toMatchObject({
      ok: false,
      error: { code },
    });
  });
});

describe('notes', () => {
  it('describe an incident that nothing else describes, and say where they are from', () => {
    const files = [seen('a.mp4'), seen('notes.txt')];
    const { description } = described('x', files, { notes: 'Two persons over the barrier' }).incident;
    expect(description).toMatchObject({
      value: 'Two persons over the barrier',
      source: 'sidecar',
      note: 'from notes.txt',
    });
    const said = described('x', files, { notes: 'Two', ...sidecar({ description: 'Three' }) });
    expect(said.incident.description?.value).toBe('Three');
  });

  it('lose control characters, and may be empty', () => {
    expect(readNotes(bytes('\uFEFFTwo\u0007\r\npersons\n'), 'notes.txt')).toEqual({
      ok: true,
      value: 'Two\npersons',
    });
    expect(readNotes(bytes(' \n'), 'notes.txt')).toEqual({ ok: true, value: undefined });
    expect(readNotes(new Uint8Array(70_000), 'notes.txt')).toMatchObject({
      error: { code: 'SIDECAR_TOO_LARGE' },
    });
  });
});

it('they lie at the top of an export, in any case', () => {
  const files = ['Videos.CSV', 'sub/incident.csv', 'readme.txt', 'description.txt'].map((path) => seen(path));
  expect(sidecarTables(files)).toMatchObject({
    videosTable: { path: 'Videos.CSV' },
    notes: { path: 'description.txt' },
  });
  expect(sidecarTables(files).incidentTable).toBeUndefined();
});

it('what a person wrote in a row wins over the name of the file', () => {
  const clip = firstClip(
    'x',
    ['a.mp4'],
    sidecar({ videos: [video('a.mp4', { startedAt: { ms: ms('2026-05-01T18:00:00Z') } })] }),
  );
  expect(iso(clip.startedAt)).toBe('2026-05-01T18:00:00.000Z');
});
