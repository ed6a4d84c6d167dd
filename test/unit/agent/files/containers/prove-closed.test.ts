import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Container } from '../../../../../electron/agent/core/naming/file-kinds.ts';
import { isProvenClosed } from '../../../../../electron/agent/files/containers/prove-closed.ts';
import { readerOf, u32, u64 } from '../../../../helpers/media-bytes.ts';
import { interrupted, writtenClip, writtenClipNames } from '../../../../helpers/written-clips.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../../fixtures/clips/${name}`, import.meta.url));

function isClosed(name: string, bytes: Uint8Array): Promise<boolean> {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const container: Container = ending === 'mov' ? 'mp4' : (ending as Container);
  return isProvenClosed(readerOf(bytes), container);
}

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function createDraw(): () => number {
  let state = 20_260_501;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A copy of the bytes with some of them replaced. */
function changed(bytes: Buffer, at: number, others: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(others, at);
  return copy;
}

describe('a container that proves itself closed', () => {
  it.each(writtenClipNames)('%s, as its writer left it', async (name) => {
    expect(await isClosed(name, writtenClip(name).whole)).toBe(true);
  });

  it.each(['gate-4-north.mp4', 'turnstile-7.mp4', 'car-park.mp4', 'concourse.mkv'])(
    '%s, as it lies there',
    async (name) => {
      expect(await isClosed(name, fixture(name))).toBe(true);
    },
  );

  it('is no other than a recording without an index', async () => {
    expect(await isClosed('corridor-fragmented.mp4', fixture('corridor-fragmented.mp4'))).toBe(false);
    expect(await isProvenClosed(readerOf(Buffer.alloc(18_800, 0x47)), 'ts')).toBe(false);
    for (const container of ['mp4', 'mkv', 'avi', 'asf'] as const) {
      expect(await isProvenClosed(readerOf(Buffer.alloc(0)), container)).toBe(false);
      expect(await isProvenClosed(readerOf(Buffer.alloc(10_000)), container)).toBe(false);
    }
  });
});

describe('a file that is not closed', () => {
  it('is none of 1,000 whose writer was interrupted at random', async () => {
    const draw = createDraw();
    const clips = writtenClipNames.map(writtenClip);
    const taken: string[] = [];
    for (let count = 0; count < 1_000; count += 1) {
      const clip = clips[count % clips.length];
      if (clip === undefined) throw new Error('There is a clip for each number');
      // Half of them within the last ten writes, where headers and indexes are corrected
      const { length } = clip.writes;
      const from = draw() < 0.5 ? Math.max(0, length - 10) : 0;
      const index = from + Math.floor(draw() * (length - from));
      const cut = Math.floor(draw() * (clip.writes[index]?.bytes.length ?? 0));
      const file = interrupted(clip, index, cut);
      if (!file.equals(clip.whole) && (await isClosed(clip.name, file)))
        taken.push(`${clip.name}: write ${index}, byte ${cut}`);
    }
    expect(taken).toEqual([]);
  });

  it('is none before any of the writes that end it', async () => {
    const taken: string[] = [];
    for (const name of writtenClipNames) {
      const clip = writtenClip(name);
      for (let index = Math.max(0, clip.writes.length - 12); index < clip.writes.length; index += 1) {
        const file = interrupted(clip, index, 0);
        if (await isClosed(name, file)) taken.push(`${name}: before write ${index}`);
      }
    }
    expect(taken).toEqual([]);
  });

  it.each(writtenClipNames)(
    'input A2: is a copy of %s into room of its size, wherever the copy is',
    async (name) => {
      const { whole } = writtenClip(name);
      const draw = createDraw();
      for (let count = 0; count < 50; count += 1) {
        const copy = Buffer.alloc(whole.length);
        const end = Math.floor(draw() * (whole.length - 4096));
        whole.copy(copy, 0, 0, end);
        expect(await isClosed(name, copy), `after ${end} bytes`).toBe(false);
      }
    },
  );

  it.each(writtenClipNames)('is %s with a byte too many or too few', async (name) => {
    const { whole } = writtenClip(name);
    expect(await isClosed(name, Buffer.concat([whole, Buffer.from('x')]))).toBe(false);
    expect(await isClosed(name, whole.subarray(0, -1))).toBe(false);
  });

  it('has zeros where a copy by several streams has not come yet', async () => {
    const whole = fixture('turnstile-7.mp4');
    expect(await isClosed('a.mp4', changed(whole, 60_000, Buffer.alloc(30_000)))).toBe(false);
  });
});

describe('what a proof rests on', () => {
  const avi = writtenClip('plain.avi').whole;
  const asf = writtenClip('plain.asf').whole;
  const mkv = writtenClip('plain.mkv').whole;
  const mp4 = writtenClip('index-last.mp4').whole;
  const first = writtenClip('index-first.mp4').whole;
  const none = Buffer.alloc(4);
  const stale = Buffer.from('a7c3f01b', 'hex');
  const voided = Buffer.from('ec8400000000', 'hex');

  it.each([
    ['AVI: no frames in the header', 'a.avi', avi, 48],
    ['AVI: no length of a stream', 'a.avi', avi, 140],
    ['AVI: a largest chunk that the index has not', 'a.avi', avi, 144, Buffer.from([1, 2, 3, 0])],
    ['AVI: an index of less than the media data', 'a.avi', avi, avi.length - 1_000, Buffer.alloc(1_000)],
    ['ASF: another size of the file', 'a.asf', asf, 70],
    [
      'ASF: another count of packets',
      'a.asf',
      asf,
      asf.indexOf('3626b2758e66cf11a6d900aa0062ce6c', 'hex') + 40,
    ],
    ['Matroska: a report that its check sum denies', 'a.mkv', mkv, mkv.indexOf('Lavf'), Buffer.from('Lavc')],
    ['Matroska: cues that its check sum denies', 'a.mkv', mkv, mkv.length - 1, Buffer.from([0xaa])],
    ['Matroska: room kept for a check sum', 'a.mkv', mkv, mkv.lastIndexOf('bf84', 'hex'), voided],
    ['MP4: a chunk outside of the media data', 'a.mp4', mp4, mp4.lastIndexOf('stco') + 12],
    ['MP4: a table with other entries than it says', 'a.mp4', mp4, mp4.lastIndexOf('stco') + 8],
    ['MP4: more samples than media data', 'a.mp4', mp4, mp4.indexOf('stsz') + 16, Buffer.from([1, 0, 0, 0])],
    ['MP4 with its index first: less samples than media data', 'a.mp4', first, first.indexOf('stsz') + 16],
    [
      'MP4 with its index first: an index that goes on as media data',
      'a.mp4',
      first,
      first.indexOf('ilst') + 4,
      stale,
    ],
  ])('%s', async (_what, name, bytes, at, others: Uint8Array = none) => {
    expect(await isClosed(name, bytes)).toBe(true);
    expect(await isClosed(name, changed(bytes, at, others))).toBe(false);
  });

  it('reads little of a large clip', async () => {
    const reader = readerOf(fixture('car-park.mp4'));
    expect(await isProvenClosed(reader, 'mp4')).toBe(true);
    expect(reader.reads()).toBeLessThan(30);
  });
});

describe('a hostile file', () => {
  const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts);
    return Buffer.concat([u32(8 + body.length), Buffer.from(type), body]);
  };
  const element = (id: string, ...parts: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts);
    const size = u64(BigInt(body.length));
    size[0] = 0x01;
    return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
  };

  it.each([
    [4, true],
    [20, false],
    [200_000, false],
  ])('with boxes nested %i deep in its index is closed: %s', async (levels, isClosedThen) => {
    const nested = Buffer.alloc(8 * levels, box('udta'));
    for (let level = 0; level < levels; level += 1) nested.writeUInt32BE(8 * (levels - level), 8 * level);
    const reader = readerOf(Buffer.concat([box('moov', box('mvhd'), nested), box('mdat')]));
    expect(await isProvenClosed(reader, 'mp4')).toBe(isClosedThen);
    expect(reader.reads()).toBeLessThan(30);
  });

  it('with a million chunks in hundreds of boxes of media data takes no time', async () => {
    const media = [...Array.from({ length: 900 }, () => box('mdat')), box('mdat', Buffer.alloc(100, 1))];
    const chunkAt = 900 * 8 + 8;
    const chunks = (at: number): Buffer => Buffer.alloc(4_000_000, u32(at));
    const file = (at: number): Buffer => {
      const sizes = box('stsz', u32(0), u32(100), u32(1));
      const table = box('stbl', box('stsc'), sizes, box('stco', u32(0), u32(1_000_000), chunks(at)));
      return Buffer.concat([
        ...media,
        box('moov', box('mvhd'), box('trak', box('mdia', box('minf', table)))),
      ]);
    };
    const before = process.threadCpuUsage();
    expect(await isProvenClosed(readerOf(file(chunkAt)), 'mp4')).toBe(true);
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1_500);
    expect(await isProvenClosed(readerOf(file(chunkAt - 1)), 'mp4')).toBe(false);
  });

  it('with millions of cues is not read to its end', async () => {
    const cuesId = Buffer.from('1c53bb6b', 'hex');
    const front = (cuesAt: number): Buffer =>
      Buffer.concat([
        element('114d9b74', element('4dbb', element('53ab', cuesId), element('53ac', u64(BigInt(cuesAt))))),
        element('1549a966', element('4489', Buffer.from('40590000', 'hex'))),
      ]);
    const cluster = element('1f43b675', Buffer.alloc(100, 1));
    const clusterAt = front(0).length;
    const point = element('bb', element('b7', element('f1', u64(BigInt(clusterAt)))));
    const file = (cues: number): Buffer => {
      const body = [front(clusterAt + cluster.length), cluster];
      const fill = Buffer.alloc(2 * cues, Buffer.from('ec80', 'hex'));
      return Buffer.concat([
        element('1a45dfa3'),
        element('18538067', ...body, element('1c53bb6b', point, fill)),
      ]);
    };
    expect(await isProvenClosed(readerOf(file(10)), 'mkv')).toBe(true);
    const reader = readerOf(file(2_200_000));
    expect(await isProvenClosed(reader, 'mkv')).toBe(false);
    expect(reader.reads()).toBeLessThan(300);
  });
});
