import { describe, expect, it } from 'vitest';
import { describeExport } from '../../../../electron/agent/core/naming/describe-export.ts';
import { storeExport } from '../../../../electron/agent/intake/store-export.ts';
import { FOLDER, THRESHOLD_BYTES, useExportDesk } from '../../../helpers/export-desk.ts';
import { evidence, nx, seen, sidecar, video } from '../../../helpers/export-evidence.ts';
import { failureOf, multipartRow } from '../../../helpers/queue-fixture.ts';

const desk = useExportDesk();

describe('a new export', () => {
  it('becomes incident, clips, thumbnails and jobs, whose uploads wait until the service was asked', () => {
    const change = desk().take([nx, nx.replace('.mkv', '.jpg'), 'yard.mp4']);
    expect(change).toEqual({ isNew: true, clips: 2 });
    expect(desk().incident()).toMatchObject({
      title: FOLDER,
      exportPath: FOLDER,
      version: 1,
      createdAt: desk().clock.now(),
    });
    expect(desk().clip(nx)).toMatchObject({
      cameraName: 'Gate 4 North',
      startedAt: Date.parse('2026-05-01T18:30:05Z'),
    });
    expect(JSON.parse(desk().clip(nx).sources)).toMatchObject({ cameraName: { source: 'file-name' } });
    expect(
      [desk().job(nx), desk().job('yard.mp4'), desk().thumbnailJob(nx)].map((row) => row?.state),
    ).toEqual(Array(3).fill('blocked'));
    expect(desk().tables.jobs.of('check-incident', 'incident-1')?.state).toBe('ready');
    expect(desk().putJob()).toBeUndefined();
  });

  it.each([
    [THRESHOLD_BYTES - 1, 'small'],
    [THRESHOLD_BYTES, 'large'],
  ])('puts a clip of %i bytes among the %s ones', (sizeBytes, pool) => {
    desk().take([seen('a.mp4', { sizeBytes })]);
    expect(desk().job('a.mp4')?.pool).toBe(pool);
  });

  it('is stored whole or not at all', () => {
    const known = evidence(FOLDER, ['a.mp4', 'b.mp4']);
    const described = describeExport(known);
    const twice = { ...described, clips: [...described.clips, ...described.clips] };
    const parts = desk().parts();
    expect(() => desk().tables.write(() => storeExport(parts, 'incident-1', known, twice))).toThrow(/UNIQUE/);
    expect(desk().incident()).toBeUndefined();
    expect(desk().tables.jobs.countOpen()).toBe(0);
  });
});

describe('the same export again', () => {
  const files = [nx, nx.replace('.mkv', '.jpg'), 'b.mp4'];
  const said = sidecar({ title: 'A fight', videos: [video('b.mp4', { cameraName: 'Yard' })] });

  it.each([
    ['right away', () => undefined],
    ['after all was uploaded', () => desk().settleAll()],
  ])('changes nothing, %s', async (_when, between) => {
    desk().take(files, said);
    between();
    const before = desk().everything();
    await desk().clock.advance(60_000);
    expect(desk().take(files, said)).toEqual({ isNew: false, clips: 0 });
    expect(desk().everything()).toEqual(before);
  });

  it('takes a file for the same that only has another inode and device, as after a share was remounted', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    const { clips, ...before } = desk().everything();
    desk().take([seen('a.mp4', { inode: '99', device: '98' })]);
    const renumbered = clips.map((clip) => ({ ...clip, inode: '99', device: '98' }));
    expect(desk().everything()).toEqual({ ...before, clips: renumbered });
  });

  it('remembers the new inode of a file that is still to be sent', () => {
    desk().take(['a.mp4']);
    desk().take([seen('a.mp4', { inode: '99', device: '98' })]);
    expect(desk().clip('a.mp4')).toMatchObject({ inode: '99', device: '98', state: 'queued' });
  });

  it('does not forget a clip whose file is no longer there', () => {
    desk().take(['a.mp4', 'b.mp4']);
    desk().take(['a.mp4']);
    expect(
      desk()
        .clips()
        .map((row) => row.path),
    ).toEqual(['a.mp4', 'b.mp4']);
  });
});

describe('a clip that comes later', () => {
  it('joins the incident, and the service learns of the change', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    expect(desk().take(['a.mp4', 'b.mp4'])).toEqual({ isNew: false, clips: 1 });
    expect(desk().job('b.mp4')?.state).toBe('ready');
    expect(desk().incident()?.version).toBe(2);
    expect(desk().putJob()).toBeDefined();
  });

  it('waits like the others while the service is still being asked', () => {
    desk().take(['a.mp4']);
    desk().take(['a.mp4', 'b.mp4']);
    expect(desk().job('b.mp4')?.state).toBe('blocked');
  });

  it('makes the service be asked again where that was given up', () => {
    desk().take(['a.mp4']);
    const check = () => desk().tables.jobs.of('check-incident', 'incident-1');
    desk().tables.jobs.fail(check()?.id ?? 0, '{}');
    desk().take(['a.mp4']);
    expect(check()?.state).toBe('failed');
    desk().take(['a.mp4', 'b.mp4']);
    expect(check()).toMatchObject({ state: 'ready', failure: null });
  });

  it('does not make a folder gone that came back', () => {
    desk().take(['a.mp4']);
    desk().tables.incidents.setFolderGone('incident-1', true);
    desk().take(['a.mp4']);
    expect(desk().incident()?.folderGone).toBe(0);
  });
});

describe('a clip that changed', () => {
  const changed = seen('a.mp4', { sizeBytes: 2000, mtimeNs: '1777664400000000001' });

  it('before its upload is sent as it is now, under the same id, and what was sent of it is aborted', () => {
    desk().take(['a.mp4']);
    desk().tables.incidents.checked('incident-1', desk().clock.now(), null, null);
    desk().tables.jobs.unblock('incident-1');
    const { id } = desk().clip('a.mp4');
    desk().tables.multiparts.insert(multipartRow({ clipId: id }));
    desk().tables.parts.put({ clipId: id, number: 1, sizeBytes: 10, etag: '"e"', sha256: 's', fromStart: 1 });
    expect(desk().take([changed])).toEqual({ isNew: false, clips: 1 });
    expect(desk().clips()).toHaveLength(1);
    expect(desk().clip('a.mp4')).toMatchObject({ id, generation: 1, sizeBytes: 2000, state: 'queued' });
    expect(desk().job('a.mp4')?.state).toBe('ready');
    expect(desk().tables.multiparts.byClip(id)).toBeUndefined();
    expect(desk().tables.orphans.byId(1)).toMatchObject({ clipId: id, uploadId: 'upload-1', endedAt: null });
    expect(desk().tables.jobs.of('abort-upload', '1')?.state).toBe('ready');
  });

  it('after it had failed is tried again', () => {
    desk().take(['a.mp4']);
    desk().tables.clips.failed(desk().clip('a.mp4').id, JSON.stringify(failureOf('FILE_EMPTY')));
    desk().tables.jobs.fail(desk().job('a.mp4')?.id ?? 0, '{}');
    desk().take([changed]);
    expect(desk().clip('a.mp4')).toMatchObject({ state: 'queued', failure: null });
    expect(desk().job('a.mp4')).toMatchObject({ attempts: 0 });
    expect(desk().job('a.mp4')?.state).not.toBe('failed');
  });

  it('in nothing but its time stays as a person left it', () => {
    desk().take(['a.mp4']);
    const touched = seen('a.mp4', { mtimeNs: '1777664400000000001' });
    desk().tables.clips.failed(desk().clip('a.mp4').id, JSON.stringify(failureOf('CANCELLED')));
    expect(desk().take([touched])).toMatchObject({ clips: 0 });
    expect(desk().clip('a.mp4')).toMatchObject({ state: 'failed', mtimeNs: touched.mtimeNs });
    desk().take([changed]);
    expect(desk().clip('a.mp4')).toMatchObject({ state: 'queued' });
  });

  it('goes to the other pool when it grew over the threshold', () => {
    desk().take(['a.mp4']);
    desk().take([seen('a.mp4', { sizeBytes: THRESHOLD_BYTES })]);
    expect(desk().job('a.mp4')?.pool).toBe('large');
  });

  it('after its upload is a new generation with an id of its own, and the old one stays what it was', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    const first = desk().clip('a.mp4');
    expect(desk().take([changed])).toEqual({ isNew: false, clips: 1 });
    const [old, fresh] = desk().clips();
    expect(old).toEqual(first);
    expect(fresh).toMatchObject({ generation: 2, state: 'queued', sizeBytes: 2000, storageKey: null });
    expect(fresh?.id).not.toBe(first.id);
    expect(desk().tables.jobs.of('send-clip', fresh?.id ?? '')?.state).toBe('ready');
  });

  it('again and again counts generations up', () => {
    for (const sizeBytes of [1, 2, 3]) {
      desk().take([seen('a.mp4', { sizeBytes })]);
      desk().settleAll();
    }
    expect(
      desk()
        .clips()
        .map((row) => [row.generation, row.sizeBytes]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });
});

describe('a thumbnail', () => {
  const image = nx.replace('.mkv', '.jpg');

  it('that comes later is sent, without its clip', () => {
    desk().take([nx]);
    desk().settleAll();
    expect(desk().take([nx, image])).toEqual({ isNew: false, clips: 0 });
    expect(desk().thumbnailJob(nx)?.state).toBe('ready');
    expect(desk().job(nx)).toBeUndefined();
  });

  it('that changed is sent again', () => {
    desk().take([nx, image]);
    desk().settleAll();
    desk().tables.thumbnails.uploaded(desk().clip(nx).id, 'thumb', null);
    desk().tables.jobs.removeOf('send-thumbnail', desk().clip(nx).id);
    desk().take([nx, seen(image, { sizeBytes: 77 })]);
    expect(desk().tables.thumbnails.byClip(desk().clip(nx).id)).toMatchObject({
      state: 'queued',
      sizeBytes: 77,
    });
    expect(desk().thumbnailJob(nx)).toBeDefined();
  });

  it('goes with the new generation of its clip too', () => {
    desk().take([nx, image]);
    desk().settleAll();
    desk().take([seen(nx, { sizeBytes: 5 }), image]);
    expect(desk().tables.thumbnails.ofIncident('incident-1')).toHaveLength(2);
    expect(desk().tables.jobs.of('send-thumbnail', desk().clip(nx).id)).toBeDefined();
  });
});
