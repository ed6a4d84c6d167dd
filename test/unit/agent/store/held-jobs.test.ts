import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  clipRow,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: QueueFixture['tables'];

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
  tables.desk.identify({ deskId: 'desk-1', queueId: 'queue-1', starts: 1 });
  for (const id of ['incident-1', 'incident-2']) {
    tables.incidents.insert(incidentRow({ id, exportPath: id }));
    tables.incidents.checked(id, 1, null, null);
  }
});
afterEach(() => queue.close());

function add(id: string, incidentId = 'incident-1', more: Parameters<typeof jobRow>[0] = {}): void {
  tables.clips.insert(clipRow({ id, path: id, incidentId }));
  tables.jobs.put(jobRow({ subject: id, incidentId, ...more }));
}
const clips = (...clipIds: readonly string[]) => ({ kind: 'clips', clipIds }) as const;
const incident = (incidentId = 'incident-1') => ({ kind: 'incident', incidentId }) as const;
const claim = () => tables.jobs.claim('small', 10, 'me', 0).map(({ subject }) => subject);
const poolOf = (id: string, kind: 'send-clip' | 'send-thumbnail' = 'send-clip') =>
  tables.jobs.of(kind, id)?.pool;
function hold(scope: ReturnType<typeof clips> | ReturnType<typeof incident>): number {
  if (scope.kind === 'incident') tables.incidents.setPaused(scope.incidentId, true);
  tables.jobs.pauseSends(scope);
  return tables.clips.pause(scope);
}

describe('a clip that is held', () => {
  it('is not claimed, and others of its incident are', () => {
    add('a');
    add('b');
    expect(hold(clips('a'))).toBe(1);
    expect(hold(clips('a'))).toBe(0);
    expect(claim()).toEqual(['b']);
  });

  it('is not claimed again after it was interrupted', () => {
    add('a');
    expect(claim()).toEqual(['a']);
    hold(clips('a'));
    tables.jobs.release(tables.jobs.of('send-clip', 'a')?.id ?? 0);
    expect(tables.jobs.of('send-clip', 'a')).toMatchObject({ state: 'ready', pool: 'held-small' });
    expect(claim()).toEqual([]);
  });

  it('stays held when its file changed, and when it has grown so large that it goes in parts', () => {
    add('a');
    hold(clips('a'));
    tables.clips.requeue('a');
    tables.jobs.put(jobRow({ subject: 'a' }));
    expect(poolOf('a')).toBe('held-small');
    tables.jobs.removeOf('send-clip', 'a');
    tables.jobs.put(jobRow({ subject: 'a', pool: 'large' }));
    expect(poolOf('a')).toBe('held-large');
  });

  it('goes on in its own pool', () => {
    add('a', 'incident-1', { pool: 'large' });
    hold(clips('a'));
    tables.jobs.resumeSends(clips('a'));
    expect(tables.clips.resume(clips('a'))).toBe(1);
    expect(poolOf('a')).toBe('large');
  });

  it.each([
    ['uploaded', () => tables.clips.uploaded('a', 'key', null, 1)],
    ['failed', () => tables.clips.failed('a', '{}')],
  ])('is held no longer when it is %s', (_state, settle) => {
    add('a');
    hold(clips('a'));
    settle();
    expect(tables.clips.resume(clips('a'))).toBe(0);
  });

  it('takes its thumbnail along, and leaves the record alone', () => {
    add('a');
    tables.jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'a' }));
    tables.jobs.put(jobRow({ kind: 'put-incident', subject: 'incident-1', pool: 'record' }));
    hold(incident());
    expect(poolOf('a', 'send-thumbnail')).toBe('held-small');
    expect(tables.jobs.claim('record', 1, 'me', 0)).toHaveLength(1);
  });
});

describe('an incident that is paused', () => {
  it('holds the clips and thumbnails that are still to come, and no other incident', () => {
    hold(incident());
    add('a');
    add('b', 'incident-2');
    tables.jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'a' }));
    expect(claim()).toEqual(['b']);
    expect([poolOf('a'), poolOf('a', 'send-thumbnail')]).toEqual(['held-small', 'held-small']);
  });

  it('holds the late thumbnail of a clip that is uploaded', () => {
    add('a');
    tables.clips.uploaded('a', 'key', null, 1);
    hold(incident());
    tables.jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'a' }));
    expect(poolOf('a', 'send-thumbnail')).toBe('held-small');
  });

  it('holds a clip that is tried again, until it is resumed', () => {
    add('a');
    tables.clips.failed('a', '{}');
    tables.jobs.failSends('a', '{}');
    hold(incident());
    tables.clips.requeue('a');
    tables.jobs.revive('send-clip', 'a');
    expect(poolOf('a')).toBe('held-small');
    tables.incidents.setPaused('incident-1', false);
    tables.jobs.resumeSends(incident());
    expect(tables.clips.resume(incident())).toBe(1);
    expect(claim()).toEqual(['a']);
  });
});

describe('jobs of a clip that was given up', () => {
  it('lose the mark of a pause when they are revived', () => {
    add('a');
    hold(clips('a'));
    tables.jobs.failSends('a', '{}');
    tables.clips.failed('a', '{}');
    tables.clips.requeue('a');
    tables.jobs.revive('send-clip', 'a');
    expect(claim()).toEqual(['a']);
  });

  it('are not put back by a lease that was lost', () => {
    add('a');
    claim();
    const id = tables.jobs.of('send-clip', 'a')?.id ?? 0;
    tables.jobs.failSends('a', '{}');
    tables.jobs.release(id);
    expect(tables.jobs.of('send-clip', 'a')?.state).toBe('failed');
  });

  it('wait again for the answer of the service when it was not asked yet', () => {
    tables.incidents.insert(incidentRow({ id: 'new', exportPath: 'new' }));
    add('a', 'new', { state: 'blocked' });
    tables.jobs.failSends('a', '{}');
    tables.jobs.revive('send-clip', 'a');
    expect(tables.jobs.of('send-clip', 'a')?.state).toBe('blocked');
  });
});

describe('moving to the front', () => {
  it('overtakes what waits, held or not, time and again', () => {
    for (const id of ['a', 'b', 'c']) add(id, `incident-${id === 'c' ? 2 : 1}`);
    tables.jobs.prioritiseSends(clips('b'), tables.jobs.frontPriority());
    tables.jobs.prioritiseSends(incident('incident-2'), tables.jobs.frontPriority());
    expect([claim(), claim()]).toEqual([['c'], ['b', 'a']]);
  });

  it('keeps its place when the clip is requeued', () => {
    for (const id of ['a', 'b']) add(id);
    tables.jobs.prioritiseSends(clips('b'), tables.jobs.frontPriority());
    tables.jobs.put(jobRow({ subject: 'b' }));
    expect(claim()).toEqual(['b', 'a']);
  });
});

describe('what is open', () => {
  it('is not what is held, nor any upload while the desk is paused', () => {
    for (const id of ['a', 'b']) add(id);
    tables.jobs.put(jobRow({ kind: 'put-incident', subject: 'incident-1', pool: 'record' }));
    expect(tables.jobs.countOpen()).toBe(3);
    hold(clips('a'));
    expect(tables.jobs.countOpen()).toBe(2);
    tables.desk.setPaused(true);
    expect(tables.jobs.countOpen()).toBe(1);
  });
});
