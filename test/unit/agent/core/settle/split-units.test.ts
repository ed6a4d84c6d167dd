import { expect, test } from 'vitest';
import {
  splitUnits,
  type UnitFile,
  type UnitKey,
  type UnitTerms,
} from '../../../../../electron/agent/core/settle/split-units.ts';
import { fileKindOf } from '../../../../../electron/agent/core/naming/file-kinds.ts';

const MINUTE = 60_000;
type More = Partial<Pick<UnitFile, 'span' | 'owner'>>;

function file(path: string, more: More = {}): UnitFile {
  return { path, isClip: fileKindOf(path.slice(path.lastIndexOf('/') + 1)).kind === 'clip', ...more };
}

const terms = (unit: UnitTerms['unit'], tree = ''): UnitTerms => ({ unit, tree, windowMinutes: 10 });
const at = (startMinutes: number, endMinutes = startMinutes): More => ({
  span: { startMs: startMinutes * MINUTE, endMs: endMinutes * MINUTE },
});
const ownedBy = (key: UnitKey): More => ({ owner: key });
const folder = (exportPath: string): UnitKey => ({ exportPath, folder: exportPath });
const loose = (exportPath: string): UnitKey => ({ exportPath, folder: '' });

/** `incident: files` of each group; in brackets when the group has no clip. */
function split(files: readonly UnitFile[], how: UnitTerms): readonly string[] {
  return splitUnits(files, how)
    .map(({ key, files: own, hasClips }) => {
      const names = own.map(({ path }) => path).join(' ');
      return hasClips ? `${key.exportPath}: ${names}` : `(${key.exportPath}: ${names})`;
    })
    .toSorted();
}

test('a folder is one incident, whatever is in it', () => {
  const files = [file('Fight/a.mp4'), file('Fight/cam 2/b.mp4'), file('Fight/report.pdf')];
  expect(split(files, terms('folder', 'Fight'))).toEqual([
    'Fight: Fight/a.mp4 Fight/cam 2/b.mp4 Fight/report.pdf',
  ]);
});

test('each loose clip is an incident with its pictures and companions', () => {
  const files = ['a.mp4', 'a.jpg', 'a.mp4.json', 'b.DSF', 'b.INX', 'notes.txt'].map((path) => file(path));
  expect(split(files, terms('file'))).toEqual([
    '(: notes.txt)',
    'a.mp4: a.mp4 a.jpg a.mp4.json',
    'b.DSF: b.DSF b.INX',
  ]);
});

test('folders stay incidents where loose clips are some too', () => {
  expect(split([file('Fight/a.mp4')], terms('file', 'Fight'))).toEqual(['Fight: Fight/a.mp4']);
});

test('each folder that holds clips is an incident, with the folders below it that hold none', () => {
  const files = ['J/1/a.mp4', 'J/1/thumbs/x.jpg', 'J/2/b.mp4', 'J/2/deep/c.mp4', 'J/report.pdf'];
  expect(
    split(
      files.map((path) => file(path)),
      terms('leaf', 'J'),
    ),
  ).toEqual([
    '(J: J/report.pdf)',
    'J/1: J/1/a.mp4 J/1/thumbs/x.jpg',
    'J/2/deep: J/2/deep/c.mp4',
    'J/2: J/2/b.mp4',
  ]);
});

test.each([
  ['2025/01/10/Fight/cam/a.mp4', '2025/01/10/Fight'],
  ['2025/2025-01-10/Fight/a.mp4', '2025/2025-01-10/Fight'],
  ['2025-01/10/Fight/a.mp4', '2025-01/10/Fight'],
  ['2025-01-10/Fight/a.mp4', '2025-01-10/Fight'],
  ['10.01.2025/Fight/a.mp4', '10.01.2025/Fight'],
  ['2025/March/10/Fight/a.mp4', '2025/March/10/Fight'],
  // Nothing below the day: then the day is the incident
  ['2025/01/10/a.mp4', '2025/01/10'],
  // No dates: like any folder
  ['Fight/cam/a.mp4', 'Fight'],
  ['12/cam/a.mp4', '12'],
  // There is no month 13; 31 is a day
  ['2025/13/10/a.mp4', '2025/13'],
  ['2025/01/31/12/a.mp4', '2025/01/31/12'],
  ['28.05.2026_0300/cam/a.mp4', '28.05.2026_0300'],
])('below the folders of the date, %s is of %s', (path, incident) => {
  const [tree = ''] = path.split('/');
  expect(split([file(path)], terms('dateFolders', tree))).toEqual([`${incident}: ${path}`]);
});

test('each run of a job is an incident of all its cameras', () => {
  const files = ['J/28.05.2026_0300/1/a.avi', 'J/28.05.2026_0300/2/b.avi', 'J/29.05.2026_0300/1/a.avi'];
  expect(
    split(
      files.map((path) => file(path)),
      terms('run', 'J'),
    ),
  ).toEqual([`J/28.05.2026_0300: ${files[0]} ${files[1]}`, `J/29.05.2026_0300: ${files[2]}`]);
});

test('clips of all cameras that overlap or lie within the window are one incident, named after the first', () => {
  const files = [
    file('gate/b.mp4', at(5, 9)),
    file('yard/a.mp4', at(0, 6)),
    file('yard/a.jpg'),
    file('gate/c.mp4', at(19, 20)),
    file('gate/d.mp4', at(31, 32)),
    file('odd.mp4'),
  ];
  expect(split(files, terms('window'))).toEqual([
    'gate/d.mp4: gate/d.mp4',
    'odd.mp4: odd.mp4',
    'yard/a.mp4: gate/b.mp4 yard/a.mp4 yard/a.jpg gate/c.mp4',
  ]);
});

test('a long clip keeps its window open for one that begins after a short one has ended', () => {
  const files = [file('a.mp4', at(0, 60)), file('b.mp4', at(1, 2)), file('c.mp4', at(65, 66))];
  expect(split(files, terms('window'))).toEqual(['a.mp4: a.mp4 b.mp4 c.mp4']);
});

test('a window that was begun keeps its name when an earlier clip comes, and takes it in', () => {
  const files = [file('late.mp4', { ...at(10), ...ownedBy(loose('late.mp4')) }), file('early.mp4', at(5))];
  expect(split(files, terms('window'))).toEqual(['late.mp4: late.mp4 early.mp4']);
});

test('a clip between two windows that were sent joins the one before it; none of the two changes', () => {
  const files = [
    file('a.mp4', { ...at(0), ...ownedBy(loose('a.mp4')) }),
    file('c.mp4', { ...at(18), ...ownedBy(loose('c.mp4')) }),
    file('b.mp4', at(9)),
  ];
  expect(split(files, terms('window'))).toEqual(['a.mp4: a.mp4 b.mp4', 'c.mp4: c.mp4']);
});

const changes: readonly (readonly [string, UnitTerms, readonly UnitFile[], readonly string[]])[] = [
  [
    'folder to leaf',
    terms('leaf', 'J'),
    [file('J/1/a.mp4', ownedBy(folder('J'))), file('J/1/a.jpg'), file('J/2/b.mp4')],
    ['J/2: J/2/b.mp4'],
  ],
  [
    'leaf to folder',
    terms('folder', 'J'),
    [file('J/1/a.mp4', ownedBy(folder('J/1'))), file('J/2/b.mp4', ownedBy(folder('J/2'))), file('J/c.mp4')],
    ['J: J/c.mp4'],
  ],
  [
    'folder to window',
    terms('window'),
    [file('J/a.mp4', { ...at(0), ...ownedBy(folder('J')) }), file('K/b.mp4', at(1))],
    ['K/b.mp4: K/b.mp4'],
  ],
  [
    'window to folder',
    terms('folder', 'J'),
    [file('J/a.mp4', ownedBy(loose('K/b.mp4'))), file('J/c.mp4')],
    ['J: J/c.mp4'],
  ],
  [
    'file to window',
    terms('window'),
    [file('a.mp4', { ...at(0), ...ownedBy(loose('a.mp4')) })],
    ['a.mp4: a.mp4'],
  ],
  ['window to file', terms('file'), [file('b.mp4', ownedBy(loose('a.mp4')))], []],
];

test.each(changes)('a change from %s leaves what was taken where it is', (_name, how, files, groups) => {
  expect(split(files, how)).toEqual(groups);
});
