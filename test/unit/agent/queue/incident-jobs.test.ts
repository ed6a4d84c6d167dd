import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIncidentQueue, PUT_INTERVAL_MS } from '../../../../electron/agent/queue/incident-jobs.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';
import { clipRow, incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let clock: FakeClock;

beforeEach(async () => {
  queue = await openQueue();
  clock = createFakeClock();
  queue.tables.incidents.insert(incidentRow());
});
afterEach(() => queue.close());

const make = (publish: 'progressive' | 'whenComplete' = 'progressive') =>
  createIncidentQueue(queue.tables, clock, publish);
const checked = () => queue.tables.incidents.checked('incident-1', clock.now(), null, null);
const addClip = (id = 'clip-1') => queue.tables.clips.insert(clipRow({ id, path: id }));
const put = () => queue.tables.jobs.of('put-incident', 'incident-1');
/** Marks the current version as just synced. */
function sync(): void {
  const version = queue.tables.incidents.byId('incident-1')?.version ?? 0;
  queue.tables.jobs.removeOf('put-incident', 'incident-1');
  queue.tables.incidents.synced('incident-1', clock.now(), version, '{}');
}

describe('createIncidentQueue', () => {
  it('asks the service about a new incident first', () => {
    make().check('incident-1');
    expect(queue.tables.jobs.of('check-incident', 'incident-1')).toMatchObject({
      state: 'ready',
      pool: 'record',
    });
  });

  it('tells nothing before the service was asked what it has', () => {
    make().touch('incident-1');
    expect(put()).toBeUndefined();
  });

  it('tells the first record at once, clips or not', () => {
    addClip();
    checked();
    make().arm('incident-1');
    expect(put()).toMatchObject({ state: 'ready', dueAt: clock.now() });
  });

  it('changes an incident once for all that is committed together', () => {
    addClip();
    checked();
    const incidents = make();
    queue.tables.write(() => {
      incidents.touch('incident-1');
      incidents.touch('incident-1');
    });
    expect(queue.tables.incidents.byId('incident-1')?.version).toBe(2);
    expect(put()).toMatchObject({ state: 'ready' });
  });

  it('tells an incident with clips to come once in five seconds, however often it changes', async () => {
    addClip();
    checked();
    sync();
    const lastPutAt = clock.now();
    await clock.advance(1_000);
    for (let change = 0; change < 20; change += 1) {
      make().touch('incident-1');
      await clock.advance(10);
    }
    expect(put()).toMatchObject({ state: 'waiting', dueAt: lastPutAt + PUT_INTERVAL_MS });
    expect(queue.tables.jobs.countOpen()).toBe(1);
  });

  it('tells it at once when the five seconds are over', async () => {
    addClip();
    checked();
    sync();
    await clock.advance(PUT_INTERVAL_MS);
    make().touch('incident-1');
    expect(put()?.state).toBe('ready');
  });

  it('does not wait when the last clip settled', async () => {
    addClip();
    checked();
    sync();
    await clock.advance(1_000);
    queue.tables.clips.uploaded('clip-1', 'key', null, clock.now());
    make().touch('incident-1');
    expect(put()?.state).toBe('ready');
  });

  it('tells thumbnails that follow the last clip once in five seconds, and puts nothing off for them', async () => {
    checked();
    sync();
    const lastPutAt = clock.now();
    await clock.advance(1_000);
    for (let thumbnail = 0; thumbnail < 5; thumbnail += 1) make().touch('incident-1', 'afterInterval');
    expect(put()).toMatchObject({ state: 'waiting', dueAt: lastPutAt + PUT_INTERVAL_MS });
    make().touch('incident-1');
    make().touch('incident-1', 'afterInterval');
    expect(put()).toMatchObject({ state: 'ready', dueAt: clock.now() });
  });

  it('that was refused waits its time, however many clips arrive meanwhile', async () => {
    addClip();
    checked();
    make().arm('incident-1');
    const dueAt = clock.now() + 60_000;
    queue.tables.jobs.later(put()?.id ?? 0, dueAt, 1, '{}');
    make().touch('incident-1');
    expect(put()).toMatchObject({ state: 'waiting', dueAt, failure: '{}' });
  });

  it('does not tell what the service has already', () => {
    checked();
    sync();
    make().arm('incident-1');
    expect(put()).toBeUndefined();
  });

  it('waits no longer than five seconds after the wall clock was set back', async () => {
    addClip();
    checked();
    sync();
    clock.stepWallClock(-3_600_000);
    make().touch('incident-1');
    expect(put()?.dueAt).toBe(clock.now() + PUT_INTERVAL_MS);
  });

  it('waits for all clips when that is asked for, failed ones included', () => {
    const incidents = make('whenComplete');
    addClip('a');
    addClip('b');
    checked();
    incidents.arm('incident-1');
    queue.tables.clips.uploaded('a', 'key', null, 1);
    incidents.touch('incident-1');
    expect(put()).toBeUndefined();
    queue.tables.clips.failed('b', '{}');
    incidents.touch('incident-1');
    expect(put()?.state).toBe('ready');
  });

  it('leaves a PUT alone that is on its way', () => {
    checked();
    make().arm('incident-1');
    queue.tables.jobs.claim('record', 1, 'me', 0);
    make().touch('incident-1');
    expect(put()?.state).toBe('leased');
  });

  it('has nothing to say about an incident that is not there', () => {
    make().arm('unknown');
    expect(queue.tables.jobs.countOpen()).toBe(0);
  });
});
