import { describe, expect, it } from 'vitest';
import {
  isSameTime,
  judgeEqual,
  type EqualClip,
  type EqualFacts,
  type Standing,
} from '../../../../../electron/agent/core/records/judge-equal.ts';

/** `incident/path` of a sent clip; with `?` at the end, of a waiting one. */
function clip(text: string): EqualClip {
  const [incidentId = '', path = ''] = text.replace('?', '').split('/');
  return { clipId: text.replace('?', ''), incidentId, path, isSent: !text.endsWith('?') };
}

interface Folder {
  /** The clips that each file equals, by the file's path. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** Other existing paths. */
  readonly others?: readonly string[];
  readonly is?: string;
  readonly standings?: Readonly<Record<string, Standing>>;
  readonly sent?: number;
  /** The incident whose folder was created at the same time as this one. */
  readonly madeWith?: string;
  /** The clips that files wait for, by the file's path. */
  readonly waits?: Readonly<Record<string, string>>;
}

function judge({ files, others = [], is, standings = {}, sent = 2, madeWith, waits = {} }: Folder): string {
  const facts: EqualFacts = {
    files: Object.entries(files).map(([path, equal]) => ({
      path,
      equal: equal.map(clip),
      waitsFor: waits[path] === undefined ? undefined : clip(waits[path]),
    })),
    incidentId: is,
    present: new Set([...Object.keys(files), ...others]),
    standing: (id) => (id === is ? 'here' : (standings[id] ?? 'stays')),
    isSameFolder: (id) => id === madeWith,
    sentCount: () => sent,
  };
  const verdict = judgeEqual(facts);
  if (verdict.kind !== 'store')
    return `${verdict.kind === 'copy' ? 'copy of' : 'waits for'} ${verdict.incidentId ?? 'several'}`;
  const clips = [...verdict.clips].map(([path, { kind, clipId }]) => `${path} ${kind} ${clipId}`);
  return [verdict.follow === undefined ? 'store' : `follow ${verdict.follow}`, ...clips.toSorted()].join(
    ', ',
  );
}

describe('judgeEqual', () => {
  it.each<[what: string, folder: Folder, verdict: string]>([
    ['new bytes', { files: { a: [], b: [] } }, 'store'],
    ['a touched clip', { files: { a: ['I/a'] }, is: 'I' }, 'store, a same I/a'],
    ['a renamed clip', { files: { b: ['I/a'] }, is: 'I' }, 'store, b same I/a'],
    ['a copy beside it', { files: { b: ['I/a'] }, others: ['a'], is: 'I' }, 'store, b copy I/a'],
    [
      'two that changed names',
      { files: { a: ['I/b'], b: ['I/a'] }, is: 'I' },
      'store, a same I/b, b same I/a',
    ],
    [
      'a touched clip and its copy',
      { files: { b: ['I/a'], a: ['I/a'] }, is: 'I' },
      'store, a same I/a, b copy I/a',
    ],
    [
      'a touched clip of which there are two with equal bytes',
      { files: { b: ['I/a', 'I/b'] }, others: ['a'], is: 'I' },
      'store, b same I/b',
    ],
    [
      'one row for two new names',
      { files: { b: ['I/a'], c: ['I/a'] }, is: 'I' },
      'store, b same I/a, c copy I/a',
    ],
    ['a clip of another incident', { files: { a: ['J/a'] }, is: 'I' }, 'store, a copy J/a'],
    [
      'a waiting clip of another incident is no reason not to send',
      { files: { a: ['J/a?'] }, is: 'I' },
      'store',
    ],
    ['a waiting clip that was renamed', { files: { b: ['I/a?'] }, is: 'I' }, 'store, b same I/a'],
    [
      'a folder that was renamed',
      { files: { a: ['I/a'], b: ['I/b'] }, standings: { I: 'left' } },
      'follow I, a same I/a, b same I/b',
    ],
    [
      'a folder that was renamed and has one more clip',
      { files: { a: ['I/a'], b: ['I/b'], c: [] }, standings: { I: 'left' } },
      'follow I, a same I/a, b same I/b',
    ],
    [
      'half of what was sent is enough in the same folder',
      { files: { a: ['I/a'], c: [], d: [] }, standings: { I: 'left' }, sent: 2, madeWith: 'I' },
      'follow I, a same I/a',
    ],
    [
      'an export that shares a clip with one that is gone',
      { files: { a: ['I/a'], c: [] }, standings: { I: 'left' }, sent: 1 },
      'store, a copy I/a',
    ],
    [
      'a name that is used again, with one old clip of many',
      { files: { a: ['I/a'], c: [] }, standings: { I: 'left' }, sent: 5 },
      'store, a copy I/a',
    ],
    [
      'a folder that was renamed before anything was sent',
      { files: { a: ['I/a?'] }, standings: { I: 'left' }, sent: 0 },
      'follow I, a same I/a',
    ],
    ['a copied folder', { files: { a: ['I/a'], b: ['I/b'] } }, 'copy of I'],
    [
      'a folder of copies from everywhere',
      { files: { a: ['I/a'], b: ['J/b'], c: ['J/c'] } },
      'copy of several',
    ],
    [
      'a folder whose clips one incident has all, and others some',
      { files: { a: ['J/a', 'I/a'], b: ['K/b', 'I/b', 'J/b?'] } },
      'copy of I',
    ],
    ['a copied folder with one more clip', { files: { a: ['I/a'], c: [] } }, 'store, a copy I/a'],
    [
      'a copy whose first place is gone while a second stays',
      { files: { a: ['J/a', 'I/a'] }, standings: { I: 'left' } },
      'follow I, a same I/a',
    ],
    [
      'a clip that is queued elsewhere',
      { files: { a: [], b: [] }, waits: { a: 'J/a?' }, is: 'I' },
      'store, a waits J/a',
    ],
    [
      'a clip that is queued elsewhere, in a new folder',
      { files: { a: [], b: [] }, waits: { a: 'J/a?' } },
      'store, a waits J/a',
    ],
    ['a folder of queued clips', { files: { a: [], b: [] }, waits: { a: 'J/a?', b: 'J/b?' } }, 'waits for J'],
    [
      'a folder of queued clips of two incidents',
      { files: { a: [], b: [] }, waits: { a: 'J/a?', b: 'K/b?' } },
      'waits for several',
    ],
    [
      'a folder of sent and queued clips',
      { files: { a: [], b: ['K/b'] }, waits: { a: 'K/a?' } },
      'waits for K',
    ],
    [
      'a clip that was sent and is queued elsewhere',
      { files: { a: ['K/a'] }, waits: { a: 'J/a?' }, is: 'I' },
      'store, a copy K/a',
    ],
    ['a copy of clips that wait is sent', { files: { a: ['I/a?'] } }, 'store'],
  ])('%s', (_what, folder, verdict) => {
    expect(judge(folder)).toBe(verdict);
  });
});

describe('isSameTime', () => {
  const at = 1_777_664_400_123_456_789n;
  const second = 1_000_000_000n;
  it.each<[what: string, moved: bigint, isSame: boolean]>([
    ['the same', 0n, true],
    ['cut to seconds', -123_456_789n, true],
    ['cut to two seconds', -2n * second, true],
    ['three seconds', 3n * second, false],
    ['an hour on', 3_600n * second, true],
    ['an hour back and cut', -3_600n * second - 123_456_789n, true],
    ['half an hour', 1_800n * second, false],
    ['a day and an hour', 25n * 3_600n * second, false],
  ])('%s', (_what, moved, isSame) => {
    expect(isSameTime(String(at), String(at + moved))).toBe(isSame);
  });
});
