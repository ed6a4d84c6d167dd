import { expect, it } from 'vitest';
import { MAX_LIST_ROWS } from '../../../../../electron/agent/core/naming/hash-list.ts';
import {
  createFileFinder,
  filesThatName,
  readNamedFiles,
} from '../../../../../electron/agent/core/naming/named-files.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const read = (path: string, text: string | Uint8Array, present: readonly string[] = []) =>
  readNamedFiles(path, typeof text === 'string' ? new TextEncoder().encode(text) : text, new Set(present));
const paths = (list: ReturnType<typeof read>) => list?.files.map(({ path }) => path);
const utf16 = (text: string) => new Uint8Array([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);

it('knows which files of an export name others', () => {
  const names = [
    'incident.json',
    'videos.csv',
    'SHA256SUMS',
    'a/list.m3u8',
    'show.wpl',
    'Report.xml',
    'a/incident.json',
  ];
  expect([...filesThatName(names)]).toEqual([
    'incident.json',
    'videos.csv',
    'SHA256SUMS',
    'a/list.m3u8',
    'show.wpl',
  ]);
  expect(filesThatName(['Report.xml', 'Videos/a.mp4', 'a/b.xml'])).toEqual(new Set(['Report.xml']));
});

it('reads playlists: comments, addresses and full paths name nothing, what leaves the folder is refused', () => {
  const list = read(
    'a/list.m3u',
    '\ufeff#EXTM3U\r\n.\\one.mp4\r\nsub\\two.mp4\r\nhttp://h/x.mp4\r\nC:\\x.mp4\r\n/x.mp4\r\n..\\x.mp4\r\n',
  );
  expect(paths(list)).toEqual(['a/one.mp4', 'a/sub/two.mp4']);
  expect(list?.refused).toEqual([{ row: 7, why: 'contains a ".." path segment' }]);
  expect(paths(read('p.pls', '[playlist]\nFile1=one.mp4\nTitle1=One\nNumberOfEntries=1\n'))).toEqual([
    'one.mp4',
  ]);
});

it('finds the files of an incident package by their names alone, where only one is called so', () => {
  const present = ['Videos/one.mp4', 'Images/one.jpg', 'Videos/a/two.mp4', 'Videos/b/two.mp4'];
  const xml = '<i a="one.mp4">one.jpg<v n=\'R&amp;D.mp4\'/><v>two.mp4</v><v>Gate 4</v></i>';
  expect(paths(read('x.xml', xml, present))?.toSorted()).toEqual(
    ['Images/one.jpg', 'R&D.mp4', 'Videos/one.mp4', 'two.mp4'].toSorted(),
  );
});

it('names the line of what it refuses in XML', () => {
  const list = read(
    'list.wpl',
    '<smil>\n<m src="one.mp4"/>\n<m src="..\\two.mp4"/><m src="a//b.mp4"/>\n</smil>',
  );
  expect(paths(list)).toEqual(['one.mp4']);
  expect(list?.refused).toEqual([
    { row: 3, why: 'contains a ".." path segment' },
    { row: 3, why: 'contains an empty or "." path segment' },
  ]);
});

it.each([
  ['list.m3u', (name: string) => name],
  ['list.wpl', (name: string) => `<m src="${name}"/>`],
])('says which rows of %s are too many to be read', (list, rowOf) => {
  const rows = Array.from({ length: MAX_LIST_ROWS + 2 }, (_, index) => rowOf(`${index}.mp4`));
  const found = read(list, rows.join('\n'));
  expect(found?.files).toHaveLength(MAX_LIST_ROWS);
  expect(found?.refused).toEqual([
    { row: MAX_LIST_ROWS + 1, why: 'exceeds the limit of 50,000 rows, as do all later rows' },
  ]);
});

it.each([
  ['a document type', '<!DOCTYPE x SYSTEM "http://h/x.dtd"><x a="one.mp4"/>'],
  ['entities', '<!ENTITY e "one.mp4"><x a="one.mp4"/>'],
])('reads nothing of XML with %s', (_what, xml) => {
  expect(paths(read('list.wpl', xml))).toEqual([]);
});

it('reads XML in UTF-16, and hostile megabytes in linear time', () => {
  expect(paths(read('list.wpl', utf16('<m src="one.mp4"/>')))).toEqual(['one.mp4']);
  const neededMs = processorMs(() => {
    expect(paths(read('list.wpl', '="'.repeat(1_000_000)))).toEqual([]);
    expect(paths(read('list.wpl', '>'.repeat(2_000_000)))).toEqual([]);
  });
  expect(neededMs).toBeLessThan(5_000);
});

it('is no text: says so', () => {
  expect(read('list.m3u', new Uint8Array([0xff, 0x00, 0xfe]))).toBeUndefined();
});

it.each([
  ['the very name', ['Clip.avi', 'clip.avi'], 'clip.avi', 'clip.avi'],
  ['other case', ['Gate 4/CLIP.AVI'], 'gate 4/clip.avi', 'Gate 4/CLIP.AVI'],
  ['an accent of its own', ['cafe\u0301.avi'], 'caf\u00e9.avi', 'cafe\u0301.avi'],
  ['two that fit', ['Clip.avi', 'CLIP.AVI'], 'clip.avi', 'clip.avi'],
  ['none', ['other.avi'], 'clip.avi', 'clip.avi'],
])('finds the file that is meant: %s', (_what, present, named, found) => {
  expect(createFileFinder(new Set(present), [named])(named)).toBe(found);
});

it('takes no file for another one that was lost in a copy to such a system', () => {
  const names = ['Clip.avi', 'clip.avi', 'other.avi', 'clip.avi'];
  expect(names.map(createFileFinder(new Set(['clip.avi', 'OTHER.AVI']), names))).toEqual([
    'Clip.avi',
    'clip.avi',
    'OTHER.AVI',
    'clip.avi',
  ]);
});
