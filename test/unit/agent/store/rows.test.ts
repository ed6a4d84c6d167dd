import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clipRow, incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: QueueFixture['tables'];

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
});
afterEach(() => queue.close());

describe('incidents', () => {
  const full = incidentRow({
    description: 'A fall at gate 4',
    incidentAt: 1_777_660_200_000,
    latitude: -33.86,
    longitude: 0,
    sources: '{"title":{"source":"sidecar","confidence":"high"}}',
    extra: '{"externalId":"A-1"}',
  });

  it.each([
    ['with everything', full],
    ['with as little as there can be', incidentRow()],
  ])('come back as they were stored, %s', (_what, row) => {
    tables.incidents.insert(row);
    expect(tables.incidents.byId(row.id)).toEqual({
      ...row,
      folder: row.exportPath,
      files: null,
      folderGone: 0,
      updatedAt: row.createdAt,
      checkedAt: null,
      version: 1,
      syncedVersion: 0,
      sentDetails: null,
      lastPutAt: null,
      remoteVideos: null,
      failure: null,
    });
  });

  it('are found by the folder and its birth, so that a re-used name is another one', () => {
    tables.incidents.insert(incidentRow());
    tables.incidents.insert(incidentRow({ id: 'incident-2', birthMs: 9_999 }));
    expect(tables.incidents.byExport('root-1', 'Gate 4', 1_000)?.id).toBe('incident-1');
    expect(tables.incidents.byExport('root-1', 'Gate 4', 9_999)?.id).toBe('incident-2');
    expect(tables.incidents.byExport('root-1', 'Gate 4', 5)).toBeUndefined();
    expect(tables.incidents.byExport('root-2', 'Gate 4', 1_000)).toBeUndefined();
  });

  it('count versions with each change and remember the newest that the service has', () => {
    tables.incidents.insert(incidentRow());
    tables.incidents.touch('incident-1', 5_000);
    tables.incidents.describe('incident-1', { ...full, title: 'New' }, 6_000);
    expect(tables.incidents.byId('incident-1')).toMatchObject({ version: 3, updatedAt: 6_000, title: 'New' });
    expect(tables.incidents.countUnsynced()).toBe(1);
    tables.incidents.synced('incident-1', 7_000, 3, '{"title":"New"}');
    tables.incidents.synced('incident-1', 8_000, 2, '{"title":"Old"}');
    expect(tables.incidents.byId('incident-1')).toMatchObject({ syncedVersion: 3, lastPutAt: 8_000 });
    expect(tables.incidents.countUnsynced()).toBe(0);
  });

  it.each([
    ['a change', () => tables.incidents.touch('incident-1', 1)],
    ['a new description', () => tables.incidents.describe('incident-1', full, 1)],
    ['a PUT that succeeded', () => tables.incidents.synced('incident-1', 1, 1, '{}')],
  ])('lose the failure of their record with %s', (_what, change) => {
    tables.incidents.insert(incidentRow());
    tables.incidents.fail('incident-1', '{}');
    change();
    expect(tables.incidents.byId('incident-1')?.failure).toBeNull();
  });
});

describe('clips', () => {
  beforeEach(() => void tables.incidents.insert(incidentRow()));
  const full = clipRow({
    generation: 2,
    cameraId: '4',
    cameraName: 'Nørd 4',
    cameraDescription: 'north',
    cameraLatitude: 51.5,
    cameraLongitude: -0.1,
    startedAt: 1_777_660_205_000,
    endedAt: 1_777_660_265_000,
    facts: '{"durationMs":60000}',
    expectedSha256: 'ab',
    sizeBytes: 200_000_000_000,
    inode: '18446744073709551615',
  });

  it.each([
    ['with everything', full],
    ['with as little as there can be', clipRow()],
  ])('come back as they were stored, exact to the nanosecond, %s', (_what, row) => {
    tables.clips.insert(row);
    expect(tables.clips.byId(row.id)).toEqual({
      ...row,
      state: 'queued',
      uploadedAt: null,
      storageKey: null,
      sha256: null,
      failure: null,
      foundCtimeNs: null,
      foundSha256: null,
      altered: null,
    });
  });

  it('have each path and generation once', () => {
    tables.clips.insert(clipRow());
    expect(() => tables.clips.insert(clipRow({ id: 'clip-2' }))).toThrow(/UNIQUE/);
    tables.clips.insert(clipRow({ id: 'clip-2', generation: 2 }));
    expect(tables.clips.ofIncident('incident-1').map((row) => row.generation)).toEqual([1, 2]);
  });

  it('go from queued to failed, back to the queue, and to uploaded', () => {
    tables.clips.insert(clipRow());
    tables.clips.failed('clip-1', '{"code":"FILE_GONE"}');
    expect(tables.clips.pageOfFailed(undefined, 10).map((row) => row.id)).toEqual(['clip-1']);
    tables.clips.requeue('clip-1');
    expect(tables.clips.byId('clip-1')).toMatchObject({ state: 'queued', failure: null });
    tables.clips.setFailure('clip-1', '{"code":"NETWORK"}');
    expect(tables.clips.byId('clip-1')).toMatchObject({ state: 'queued', failure: '{"code":"NETWORK"}' });
    expect(tables.clips.pending('incident-1')).toBe(1);
    tables.clips.uploaded('clip-1', 'key', 'sum', 9_000);
    expect(tables.clips.byId('clip-1')).toMatchObject({
      state: 'uploaded',
      storageKey: 'key',
      sha256: 'sum',
      uploadedAt: 9_000,
      failure: null,
    });
    expect(tables.clips.pending('incident-1')).toBe(0);
  });

  it('add up by state', () => {
    for (const [id, sizeBytes] of [
      ['a', 1],
      ['b', 2],
      ['c', 4],
    ] as const)
      tables.clips.insert(clipRow({ id, path: id, sizeBytes }));
    tables.clips.uploaded('c', 'key', null, 1);
    expect(new Map(tables.clips.totals().map((row) => [row.state, [row.clips, row.bytes]]))).toEqual(
      new Map([
        ['queued', [2, 3]],
        ['uploaded', [1, 4]],
      ]),
    );
  });

  it('that wait are found by their ends, which are forgotten when the file is another one', () => {
    const others = { sizeBytes: 10, but: null };
    tables.clips.insert(clipRow({ sizeBytes: 10 }));
    const [clip] = tables.clips.withoutEnds(others);
    if (clip === undefined) throw new Error('It is not found');
    tables.clips.setEnds(clip, 'ab');
    const found = [others, { sizeBytes: 10, but: 'incident-1' }, { sizeBytes: 11, but: null }].map((of) => [
      tables.clips.isWaiting(of),
      tables.clips.withEnds(of, 'ab').length,
      tables.clips.withoutEnds(of).length,
    ]);
    expect(found).toEqual([
      [true, 1, 0],
      [false, 0, 0],
      [false, 0, 0],
    ]);
    tables.clips.setVersion(clip.id, { ...clip, mtimeNs: '2' });
    tables.clips.setEnds(clip, 'of the file before');
    expect(tables.clips.withoutEnds(others)).toHaveLength(1);
  });

  it('take a new version and a new description without losing the rest', () => {
    tables.clips.insert(clipRow());
    const version = { sizeBytes: 7, mtimeNs: '8', inode: '9', device: '10' };
    tables.clips.setVersion('clip-1', version);
    const { sources, facts, startedAt } = full;
    const blank = clipRow();
    tables.clips.describe(
      'clip-1',
      {
        cameraId: '9',
        cameraName: blank.cameraName,
        cameraDescription: blank.cameraDescription,
        cameraLatitude: blank.cameraLatitude,
        cameraLongitude: blank.cameraLongitude,
        startedAt,
        endedAt: blank.endedAt,
        sources,
        facts,
        expectedSha256: null,
        reading: 1,
        flags: '[]',
      },
      0,
    );
    expect(tables.clips.byId('clip-1')).toMatchObject({
      ...version,
      cameraId: '9',
      facts,
      startedAt,
      path: 'a.mp4',
    });
  });
});

describe('thumbnails', () => {
  const image = {
    clipId: 'clip-1',
    path: 'a.jpg',
    serviceName: 'a.jpg',
    sizeBytes: 5,
    mtimeNs: '1',
    inode: '2',
    device: '3',
  };

  beforeEach(() => {
    tables.incidents.insert(incidentRow());
    tables.clips.insert(clipRow());
  });

  it('start over when the image is another one', () => {
    tables.thumbnails.put(image);
    tables.thumbnails.uploaded('clip-1', 'key', 'sum');
    expect(tables.thumbnails.byClip('clip-1')).toMatchObject({
      state: 'uploaded',
      storageKey: 'key',
      sha256: 'sum',
    });
    tables.thumbnails.put({ ...image, sizeBytes: 6 });
    expect(tables.thumbnails.byClip('clip-1')).toEqual({
      ...image,
      sizeBytes: 6,
      state: 'queued',
      storageKey: null,
      sha256: null,
      failure: null,
      origin: 'export',
      made: null,
    });
  });

  it('go back to the queue only when they failed', () => {
    tables.thumbnails.put(image);
    expect(tables.thumbnails.requeue('clip-1')).toBe(0);
    tables.thumbnails.failed('clip-1', '{}');
    expect(tables.thumbnails.requeue('clip-1')).toBe(1);
    expect(tables.thumbnails.ofIncident('incident-1')[0]).toMatchObject({ state: 'queued', failure: null });
  });
});

describe('a transaction', () => {
  it('writes all or nothing', () => {
    expect(() =>
      tables.write(() => {
        tables.incidents.insert(incidentRow());
        throw new Error('half way');
      }),
    ).toThrow('half way');
    expect(tables.incidents.count()).toBe(0);
  });

  it('of another connection is noticed by the data version, one of its own is not', () => {
    const before = tables.dataVersion();
    tables.incidents.insert(incidentRow());
    expect(tables.dataVersion()).toBe(before);
    queue.another().tables.incidents.touch('incident-1', 1);
    expect(tables.dataVersion()).not.toBe(before);
  });
});
