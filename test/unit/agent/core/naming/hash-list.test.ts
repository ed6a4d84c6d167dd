import { expect, it } from 'vitest';
import {
  isHashList,
  MAX_LIST_ROWS,
  onlyFileOf,
  readHashList,
} from '../../../../../electron/agent/core/naming/hash-list.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const sha = 'a'.repeat(64);
const md5 = 'B'.repeat(32);
const none = new Set<string>();
const read = (path: string, ...lines: readonly string[]) => readHashList(path, lines.join('\r\n'), none);
const named = (path: string, ...lines: readonly string[]) =>
  read(path, ...lines).files.map((file) => `${file.path} ${file.algorithm}`);

it('lists are known by their names', () => {
  const names = 'SHA256SUMS sha256sums.txt a.mp4.sha256 x/list.md5 all.sfv hashes.csv Export-Hashes.csv';
  expect(names.split(' ').filter((name) => !isHashList(name))).toEqual([]);
  expect(['videos.csv', 'notes.txt', 'a.mp4', 'sums.pdf'].filter(isHashList)).toEqual([]);
  expect(onlyFileOf('cam/a.mp4.sha256')).toBe('cam/a.mp4');
  expect(onlyFileOf('cam/all.sha256')).toBeUndefined();
});

it('what sha256sum, md5sum, BSD tools, SFV tools and PowerShell write is read', () => {
  expect(named('SHA256SUMS', `${sha}  a.mp4`, `${sha} *cam 2/b.mp4`, '')).toEqual([
    'a.mp4 sha256',
    'cam 2/b.mp4 sha256',
  ]);
  expect(named('cam/list.md5', `${md5}  a.mp4`)).toEqual(['cam/a.mp4 md5']);
  expect(named('x.sha256', `SHA256 (a b.mp4) = ${sha}`)).toEqual(['a b.mp4 sha256']);
  expect(named('all.sfv', '; made by a tool', 'a b.mp4 1234ABCD')).toEqual(['a b.mp4 crc32']);
  expect(named('a.mp4.sha256', sha)).toEqual(['a.mp4 sha256']);
  expect(named('hashes.csv', '"Algorithm","Hash","Path"', `"SHA256","${sha}","Videos\\a.mp4"`)).toEqual([
    'Videos/a.mp4 sha256',
  ]);
});

it('a line of a hundred thousand spaces takes no time', () => {
  const line = `a${' '.repeat(100_000)}b`;
  expect(processorMs(() => expect(read('all.sfv', line).refused).toHaveLength(1))).toBeLessThan(200);
  expect(named('all.sfv', `a  b.mp4${' '.repeat(100_000)}1234ABCD`)).toEqual(['a  b.mp4 crc32']);
});

it.each([
  ['an absolute path', '/etc/passwd', 'by its full path'],
  ['a drive', 'C:\\Exports\\a.mp4', 'by its full path'],
  ['a share', '\\\\nas\\a.mp4', 'by its full path'],
  ['a folder above', '../a.mp4', '".." path segment'],
  ['a folder above, inside', 'cam\\..\\..\\a.mp4', '".." path segment'],
  ['no name', '\0', 'does not name a file'],
])('refuses a row that names %s, and reads the others', (_what, name, why) => {
  const list = read('SHA256SUMS', `${sha}  ${name}`, `${sha}  good.mp4`);
  expect(list.files.map(({ path }) => path)).toEqual(['good.mp4']);
  expect(list.refused).toEqual([{ row: 1, why: expect.stringContaining(why) }]);
});

it('refuses sums of another algorithm, rows without one, and a file that is named twice', () => {
  const list = read(
    'SHA256SUMS',
    `${'c'.repeat(40)}  one.mp4`,
    `${'c'.repeat(128)}  two.mp4`,
    'what is this',
    `${sha}  same.mp4`,
    `${sha}  same.mp4`,
    `${sha}  other.mp4`,
    `${'d'.repeat(64)}  ./other.mp4`,
  );
  // A file with two different checksums: neither is used
  expect(list.files.map(({ path }) => path)).toEqual(['same.mp4']);
  expect(list.refused.map(({ row }) => row)).toEqual([1, 2, 3, 5, 7]);
});

it.each([
  ['another word for the sum', `Digest,Path\n${sha},a.mp4`],
  ['no heading', `a.mp4,${sha}`],
])('says that a table with %s cannot be used', (_what, text) => {
  const refused = [{ row: 1, why: expect.stringContaining('no checksums are checked') }];
  expect(readHashList('hashes.csv', text, none)).toEqual({ files: [], refused });
  expect(readHashList('hashes.csv', '\n', none)).toEqual({ files: [], refused: [] });
});

it('reads only so many rows, and says so', () => {
  const lines = Array.from({ length: MAX_LIST_ROWS + 5 }, (_, index) => `${sha}  ${index}.mp4`);
  const { files, refused } = readHashList('SHA256SUMS', lines.join('\n'), none);
  expect(files).toHaveLength(MAX_LIST_ROWS);
  expect(refused).toEqual([
    { row: MAX_LIST_ROWS + 1, why: 'exceeds the limit of 50,000 rows, as do all later rows' },
  ]);
});

it('counts the rows of a table as in the file, with the type line, empty rows and line breaks in cells', () => {
  const list = read(
    'hashes.csv',
    '\ufeff#TYPE Selected.Microsoft.PowerShell.Commands.FileHashInfo',
    'Hash;Path',
    '',
    `${sha};one.mp4`,
    '',
    `${sha};..\\two.mp4`,
    `${sha};"thr`,
    'ee.mp4"',
    'none;four.mp4',
  );
  expect(list.files.map(({ path }) => path)).toEqual(['one.mp4', 'thr\r\nee.mp4']);
  expect(list.refused.map(({ row }) => row)).toEqual([6, 8]);
});

const listed = (present: readonly string[], path: string, ...names: readonly string[]) => {
  const lines = names.map((name) => `"SHA256","${sha}","${name}"`);
  const text = ['"Algorithm","Hash","Path"', ...lines].join('\r\n');
  const list = readHashList(path, text, new Set(present));
  return { paths: list.files.map((file) => file.path), refused: list.refused.map(({ row }) => row) };
};

it('takes full paths for those of the folder under which most of them are found here', () => {
  const present = ['cam 1/a.mp4', 'b.MP4', 'c.mp4', 'hashes.csv'];
  const names = ['D:\\Case 4\\cam 1\\a.mp4', 'D:\\Case 4\\B.mp4', 'D:\\Case 4\\gone.mp4'];
  const others = ['C:\\Windows\\c.mp4', 'D:\\Case 4\\..\\..\\x.mp4'];
  expect(listed(present, 'hashes.csv', ...names, ...others)).toEqual({
    paths: ['cam 1/a.mp4', 'B.mp4', 'gone.mp4'],
    refused: [5, 6],
  });
  expect(listed(['x/a.mp4'], 'x/hashes.csv', '/mnt/case/x/a.mp4').paths).toEqual(['x/a.mp4']);
  expect(listed(['x/a.mp4'], 'x/hashes.csv', '\\\\nas\\case\\a.mp4').paths).toEqual(['x/a.mp4']);
});

it('prefers the longer path where one name is there twice', () => {
  expect(listed(['a.mp4', 'cam/a.mp4'], 'hashes.csv', 'D:\\Case\\cam\\a.mp4').paths).toEqual(['cam/a.mp4']);
});

it('does not take a missing file for its namesake in another folder', () => {
  const names = ['D:\\Case\\cam\\a.mp4', 'D:\\Case\\a.mp4'];
  expect(listed(['a.mp4'], 'hashes.csv', ...names)).toEqual({ paths: ['cam/a.mp4', 'a.mp4'], refused: [] });
});

it('refuses full paths of which nothing is here, and hostile ones in no time', () => {
  expect(listed(['b.mp4'], 'hashes.csv', 'D:\\Case\\a.mp4')).toEqual({ paths: [], refused: [2] });
  const deep = `C:\\${'a\\'.repeat(500_000)}a.mp4`;
  expect(processorMs(() => expect(listed(['a.mp4'], 'hashes.csv', deep).paths).toEqual([]))).toBeLessThan(
    1_000,
  );
});
