import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MultipartRow, PartRow } from '../../../../electron/agent/store/multipart-rows.ts';
import { createGroupCommit } from '../../../../electron/agent/queue/group-commit.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import {
  etagsToComplete,
  multipartPlan,
  openMultipart,
} from '../../../../electron/agent/upload/large-upload.ts';
import { clipRow, failureOf, incidentRow, multipartRow } from '../../../helpers/queue-fixture.ts';
import { openRecordDesk, type RecordDesk } from '../../../helpers/record-desk.ts';

const MIB = 1024 * 1024;
const rules = { thresholdBytes: 100_000_000, partSizeBytes: undefined, concurrentParts: 4 };
const upload: MultipartRow = { ...multipartRow(), completing: 0 };
const part = (number: number, sizeBytes = number === 3 ? 5 : 10): PartRow => ({
  clipId: 'clip-1',
  number,
  sizeBytes,
  etag: `"e${number}"`,
  sha256: 's',
  fromStart: 1,
});

describe('etagsToComplete', () => {
  it('are the etags of all parts in order, without quotes', () => {
    expect(etagsToComplete(upload, [part(1), part(2), part(3)])).toEqual(['e1', 'e2', 'e3']);
  });

  it.each([
    ['none came', []],
    ['the first is missing', [part(2), part(3)]],
    ['one in the middle is missing', [part(1), part(3)]],
    ['the last is missing', [part(1), part(2)]],
    ['one is there twice', [part(1), part(1), part(2)]],
    ['there is one too many', [part(1), part(2), part(3), part(4, 0)]],
    ['they are out of order', [part(2), part(1), part(3)]],
    ['their bytes are fewer than the file has', [part(1), part(2), part(3, 4)]],
    ['their bytes are more than the file has', [part(1), part(2, 11), part(3)]],
  ])('are none when %s', (_what, rows) => {
    expect(etagsToComplete(upload, rows)).toBeUndefined();
  });
});

describe('multipartPlan', () => {
  it.each([
    [100_000_000, rules, { kind: 'multipart', partSizeBytes: 8 * MIB, partCount: 12 }],
    [200_000_000_000, rules, { kind: 'multipart', partSizeBytes: 32 * MIB, partCount: 5961 }],
    [7 * MIB, rules, { kind: 'multipart', partSizeBytes: 8 * MIB, partCount: 1 }],
    [
      20 * MIB,
      { ...rules, partSizeBytes: 5 * MIB },
      { kind: 'multipart', partSizeBytes: 5 * MIB, partCount: 4 },
    ],
  ])('of %i bytes with %o is %o', (sizeBytes, given, plan) => {
    expect(multipartPlan(sizeBytes, given)).toEqual(plan);
  });

  it('has no plan for more than storage takes', () => {
    expect(multipartPlan(6 * 1024 * 1024 * MIB, rules).kind).toBe('too-large');
  });
});

describe('openMultipart', () => {
  let desk: RecordDesk;
  const version = { sizeBytes: 25, mtimeNs: '1700000000123456789', inode: '11', device: '22' };
  const plan = { kind: 'multipart', partSizeBytes: 10, partCount: 3 } as const;

  beforeEach(async () => {
    desk = await openRecordDesk();
    desk.tables.incidents.insert(incidentRow());
    desk.tables.clips.insert(clipRow());
    let count = 0;
    desk.answer = () => [200, { storage_key: `key-${++count}`, upload_id: `upload-${count}` }];
  });
  afterEach(() => desk.close());

  function open(now = version, wanted: Parameters<typeof openMultipart>[3] = plan) {
    const clip = desk.tables.clips.byId('clip-1');
    if (clip === undefined) throw new Error('no clip');
    const parts = { ...desk, rules, groupCommit: createGroupCommit(desk.tables, createSystemClock()) };
    return openMultipart(parts, clip, now, wanted, new AbortController().signal);
  }

  it('stores handle, plan and version before it answers', async () => {
    expect(await open()).toMatchObject({
      ok: true,
      value: {
        sizeBytes: 25,
        mtimeNs: '1700000000123456789',
        storageKey: 'key-1',
        uploadId: 'upload-1',
        partCount: 3,
      },
    });
    expect(desk.queue.another().tables.multiparts.byClip('clip-1')).toMatchObject({ uploadId: 'upload-1' });
    expect(desk.server.requests[0]?.url).toBe(
      '/vms/incidents/incident-1/create_multipart_upload?file_id=clip-1&filename=a-clip.mp4',
    );
  });

  it('goes on with the upload that is open, by the plan that it began with', async () => {
    await open();
    desk.tables.parts.put(part(1));
    // Under other numbers, as on a remounted share: the parts are proven by their bytes
    const same = { ...version, inode: '12', device: '23' };
    const again = await open(same, { ...plan, partSizeBytes: 25, partCount: 1 });
    expect(again).toMatchObject({
      ok: true,
      value: { uploadId: 'upload-1', partSizeBytes: 10, partCount: 3 },
    });
    expect(desk.server.requests).toHaveLength(1);
    expect(desk.tables.parts.ofClip('clip-1')).toHaveLength(1);
  });

  it.each([
    ['size', { sizeBytes: 26 }],
    ['time', { mtimeNs: '1700000000123456790' }],
  ])('starts over for a file of another %s, and has the old upload aborted', async (_what, other) => {
    await open();
    desk.tables.parts.put(part(1));
    expect(await open({ ...version, ...other })).toMatchObject({ ok: true, value: { uploadId: 'upload-2' } });
    expect(desk.tables.parts.ofClip('clip-1')).toEqual([]);
    expect(desk.tables.orphans.byId(1)).toMatchObject({ uploadId: 'upload-1', storageKey: 'key-1' });
    expect(desk.tables.jobs.of('abort-upload', '1')?.state).toBe('ready');
  });

  it('keeps the old upload when no new one can be opened', async () => {
    await open();
    desk.answer = () => [503, {}];
    expect(await open({ ...version, sizeBytes: 26 })).toMatchObject({ error: { code: 'SERVICE_FAULT' } });
    expect(desk.tables.multiparts.byClip('clip-1')?.uploadId).toBe('upload-1');
    expect(desk.tables.orphans.byId(1)).toBeUndefined();
  });

  it('opens the circuit of the service with an answer', async () => {
    desk.circuits.pause('service', failureOf('NETWORK'));
    await open();
    expect(desk.circuits.pauses()).toEqual([]);
  });
});
