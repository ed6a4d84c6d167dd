import { describe, expect, it } from 'vitest';
import { checkMatroska } from '../../../../../electron/agent/files/containers/read-matroska.ts';
import { readerOf, u64 } from '../../../../helpers/media-bytes.ts';

const check = (bytes: Uint8Array) => checkMatroska(readerOf(bytes));

describe('Matroska elements', () => {
  const element = (id: string, body: Uint8Array) =>
    Buffer.concat([Buffer.from(id, 'hex'), u64(BigInt(body.length) | (1n << 56n)), body]);
  const unknown = Buffer.from('01ffffffffffffff', 'hex');
  const ebml = element('1a45dfa3', Buffer.alloc(20));
  const double = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return bytes;
  };
  const date = BigInt(Date.parse('2026-05-01T18:30:05Z') - 978_307_200_000) * 1_000_000n;
  const info = element(
    '1549a966',
    Buffer.concat([
      element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40])),
      element('4489', double(5000)),
      element('4461', u64(date)),
    ]),
  );
  const block = element('a3', Buffer.alloc(50));
  const cluster = element('1f43b675', Buffer.concat([element('e7', Buffer.alloc(1)), block, block]));
  const openCluster = Buffer.concat([
    Buffer.from('1f43b675', 'hex'),
    unknown,
    element('e7', Buffer.alloc(1)),
    block,
  ]);
  const segment = (...body: readonly Uint8Array[]) => element('18538067', Buffer.concat(body));
  const openSegment = (...body: readonly Uint8Array[]) =>
    Buffer.concat([Buffer.from('18538067', 'hex'), unknown, ...body]);
  const complete = { kind: 'complete', durationMs: 5000, createdAtMs: Date.parse('2026-05-01T18:30:05Z') };

  it.each([
    ['a segment of known size', [ebml, segment(info, cluster)]],
    ['a segment of unknown size', [ebml, openSegment(info, cluster, cluster)]],
    [
      'clusters of unknown size',
      [ebml, openSegment(info, openCluster, openCluster, element('1c53bb6b', Buffer.alloc(9)))],
    ],
    ['padding in front', [ebml, element('ec', Buffer.alloc(9)), segment(info, cluster)]],
  ])('are complete with %s', async (_how, parts) => {
    expect(await check(Buffer.concat(parts))).toEqual(complete);
  });

  it.each([
    ['nothing', []],
    ['zeros', [Buffer.alloc(100)]],
    ['only the header', [ebml]],
    ['a segment that is cut', [Buffer.concat([ebml, segment(info, cluster)]).subarray(0, -1)]],
    ['an open segment that is cut', [Buffer.concat([ebml, openSegment(info, cluster)]).subarray(0, -1)]],
    ['an open cluster that is cut', [Buffer.concat([ebml, openSegment(info, openCluster)]).subarray(0, -1)]],
    ['an open segment without clusters', [ebml, openSegment(info)]],
    ['an open segment followed by zeros', [ebml, openSegment(info, cluster), Buffer.alloc(64)]],
    [
      'an open segment followed by rubbish',
      [ebml, openSegment(info, cluster), Buffer.from('a3810000', 'hex')],
    ],
    ['an open element that is no cluster', [ebml, openSegment(Buffer.from('1549a966', 'hex'), unknown)]],
    ['a segment of 2^56 - 2 bytes', [ebml, Buffer.from('1853806701fffffffffffffe', 'hex'), cluster]],
  ])('are incomplete with %s', async (_what, parts) => {
    expect((await check(Buffer.concat(parts))).kind).toBe('incomplete');
  });

  it('are walked with few reads when a hostile file has a million of them', async () => {
    const tiny = Buffer.alloc(2_000_000);
    for (let offset = 0; offset < tiny.length; offset += 2) tiny.set([0xec, 0x80], offset);
    const reader = readerOf(Buffer.concat([ebml, openSegment(info, tiny)]));
    expect((await checkMatroska(reader)).kind).toBe('incomplete');
    expect(reader.reads()).toBeLessThan(1000);
  });
});
