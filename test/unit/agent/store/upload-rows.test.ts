import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  clipRow,
  incidentRow,
  multipartRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: QueueFixture['tables'];

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
});
afterEach(() => queue.close());

describe('multipart uploads', () => {
  beforeEach(() => {
    tables.incidents.insert(incidentRow());
    tables.clips.insert(clipRow());
    tables.multiparts.insert(multipartRow());
  });
  const part = (number: number, etag = `"e${number}"`) => ({
    clipId: 'clip-1',
    number,
    sizeBytes: 10,
    etag,
    sha256: `s${number}`,
    fromStart: number % 2,
  });

  it('come back as they were stored, and remember that complete was asked for', () => {
    expect(tables.multiparts.byClip('clip-1')).toEqual({ ...multipartRow(), completing: 0 });
    tables.multiparts.completing('clip-1');
    expect(tables.multiparts.byClip('clip-1')?.completing).toBe(1);
  });

  it('have one per clip', () => {
    expect(() => tables.multiparts.insert(multipartRow({ uploadId: 'second' }))).toThrow(/UNIQUE/);
  });

  it('list their parts by number, the last acknowledgment of each', () => {
    for (const number of [10, 2, 1]) tables.parts.put(part(number));
    tables.parts.put(part(2, '"again"'));
    expect(tables.parts.ofClip('clip-1')).toEqual([part(1), part(2, '"again"'), part(10)]);
  });

  it('take their parts with them', () => {
    tables.parts.put(part(1));
    tables.multiparts.remove('clip-1');
    expect(tables.parts.ofClip('clip-1')).toEqual([]);
    expect(() => tables.parts.put(part(2))).toThrow(/FOREIGN KEY/);
  });

  it.each([0, 10_001])('have no part %i', (number) => {
    expect(() => tables.parts.put(part(number))).toThrow(/CHECK/);
  });
});

describe('orphans', () => {
  it('are ended, never deleted', () => {
    const row = {
      incidentId: 'i',
      clipId: 'c',
      storageKey: 'k',
      uploadId: 'u',
      reason: 'the file changed',
      createdAt: 1,
    };
    const id = tables.orphans.insert(row);
    expect(tables.orphans.byId(id)).toEqual({ ...row, id, endedAt: null, outcome: null });
    tables.orphans.end(id, 'aborted', 2);
    expect(tables.orphans.byId(id)).toMatchObject({ endedAt: 2, outcome: 'aborted' });
  });
});
