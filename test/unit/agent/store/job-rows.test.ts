import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobPool, JobRow } from '../../../../electron/agent/store/job-rows.ts';
import {
  clipRow,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

let queue: QueueFixture;
let jobs: QueueFixture['tables']['jobs'];

beforeEach(async () => {
  queue = await openQueue();
  jobs = queue.tables.jobs;
});
afterEach(() => queue.close());

const put = (subject: string, more: Parameters<typeof jobRow>[0] = {}) =>
  jobs.put(jobRow({ subject, ...more }));
const job = (subject: string): JobRow => {
  const row = jobs.of('send-clip', subject);
  if (row === undefined) throw new Error(`No job for ${subject}`);
  return row;
};
const stateOf = (subject: string) => jobs.of('send-clip', subject)?.state;
const claim = (limit = 10, lease = 'me', pool: JobPool = 'small') =>
  jobs.claim(pool, limit, lease, 0).map((row) => row.subject);

describe('claiming', () => {
  it('takes the most urgent first, then the oldest', () => {
    put('late', { priority: 90 });
    put('second');
    put('first', { priority: 10 });
    put('third');
    expect(claim()).toEqual(['first', 'second', 'third', 'late']);
  });

  it('takes jobs of one incident only, that of the most urgent job', () => {
    put('other-1', { incidentId: 'other' });
    put('mine-1', { incidentId: 'mine', priority: 10 });
    put('other-2', { incidentId: 'other' });
    put('mine-2', { incidentId: 'mine' });
    expect([claim(), claim(), claim()]).toEqual([['mine-1', 'mine-2'], ['other-1', 'other-2'], []]);
  });

  it('takes at most as many as asked for, and none twice', () => {
    for (const subject of ['a', 'b', 'c']) put(subject);
    expect([claim(2), claim(2), claim(2)]).toEqual([['a', 'b'], ['c'], []]);
  });

  it.each(['blocked', 'waiting', 'failed'] as const)('leaves a job alone that is %s', (state) => {
    put('a', { state });
    expect(claim()).toEqual([]);
  });

  it('keeps the pools apart', () => {
    put('small');
    put('large', { pool: 'large' });
    expect(claim(10, 'me', 'large')).toEqual(['large']);
    expect(claim(10, 'me', 'record')).toEqual([]);
  });

  it('does not give a leased job to another connection', () => {
    put('a');
    expect(claim()).toEqual(['a']);
    expect(queue.another().tables.jobs.claim('small', 10, 'other', 0)).toEqual([]);
  });
});

describe('leases', () => {
  it('of another process are free at start, its own are kept', () => {
    put('mine');
    claim(1, 'me');
    put('lost');
    claim(1, 'killed');
    expect(jobs.freeLeasesOfOthers('me')).toBe(1);
    expect([stateOf('mine'), stateOf('lost')]).toEqual(['leased', 'ready']);
  });

  it('end with release, which counts no attempt', () => {
    put('a');
    claim();
    jobs.release(job('a').id);
    expect(job('a')).toMatchObject({ state: 'ready', attempts: 0 });
  });

  it('end with later, fail and remove', () => {
    for (const subject of ['a', 'b', 'c']) put(subject);
    claim();
    jobs.later(job('a').id, 500, 3, 'why');
    jobs.fail(job('b').id, 'why not');
    jobs.remove(job('c').id);
    expect(job('a')).toMatchObject({ state: 'waiting', dueAt: 500, attempts: 3, failure: 'why' });
    expect(job('b')).toMatchObject({ state: 'failed', failure: 'why not' });
    expect(stateOf('c')).toBeUndefined();
    expect(jobs.freeLeasesOfOthers('next')).toBe(0);
  });
});

describe('putting', () => {
  it('makes a job due again that waits, failed or is blocked, with new patience', () => {
    for (const subject of ['waits', 'failed']) put(subject);
    claim();
    jobs.later(job('waits').id, 99_000, 7, 'why');
    jobs.fail(job('failed').id, 'why');
    for (const subject of ['waits', 'failed']) put(subject, { dueAt: 5 });
    for (const subject of ['waits', 'failed'])
      expect(job(subject)).toMatchObject({ state: 'ready', attempts: 0, dueAt: 5, failure: null });
  });

  it('leaves a job alone that runs', () => {
    put('a');
    claim();
    put('a', { pool: 'large', dueAt: 5 });
    expect(job('a')).toMatchObject({ state: 'leased', pool: 'small', dueAt: 0 });
  });

  it('never makes a job less urgent', () => {
    put('a', { priority: 10 });
    put('a', { priority: 90 });
    expect(job('a').priority).toBe(10);
  });

  it('keeps jobs of another kind for the same subject apart', () => {
    put('a');
    put('a', { kind: 'send-thumbnail' });
    jobs.removeOf('send-thumbnail', 'a');
    expect(stateOf('a')).toBe('ready');
    expect(jobs.countOpen()).toBe(1);
  });
});

describe('time', () => {
  it('makes jobs ready whose time has come, and no others', () => {
    put('past', { state: 'waiting', dueAt: 10 });
    put('now', { state: 'waiting', dueAt: 20 });
    put('future', { state: 'waiting', dueAt: 21 });
    put('blocked', { state: 'blocked', dueAt: 0 });
    expect(jobs.nextDueAt()).toBe(10);
    expect(jobs.promoteDue(20)).toBe(2);
    expect(jobs.nextDueAt()).toBe(21);
    expect(['past', 'now', 'future', 'blocked'].map(stateOf)).toEqual([
      'ready',
      'ready',
      'waiting',
      'blocked',
    ]);
  });

  it('knows no next time when nothing waits', () => {
    put('a');
    expect(jobs.nextDueAt()).toBeUndefined();
  });

  it('fault 29: brings jobs nearer that a wrong clock parked far ahead, and those only', () => {
    put('far', { state: 'waiting', dueAt: 1_000_000 });
    put('near', { state: 'waiting', dueAt: 50 });
    expect(jobs.capDue(100)).toBe(1);
    expect([job('far').dueAt, job('near').dueAt]).toEqual([100, 50]);
  });
});

describe('blocked and failed jobs', () => {
  it('are unblocked incident by incident', () => {
    put('mine', { state: 'blocked' });
    put('other', { state: 'blocked', incidentId: 'other' });
    jobs.unblock('incident-1');
    expect([stateOf('mine'), stateOf('other')]).toEqual(['ready', 'blocked']);
  });

  it('are revived only when they were given up', () => {
    queue.tables.incidents.insert(incidentRow());
    queue.tables.incidents.checked('incident-1', 1, null, null);
    for (const subject of ['failed', 'running']) put(subject);
    claim();
    jobs.fail(job('failed').id, 'why');
    expect(['failed', 'running', 'unknown'].map((subject) => jobs.revive('send-clip', subject))).toEqual([
      1, 0, 0,
    ]);
    expect(job('failed')).toMatchObject({ state: 'ready', attempts: 0, failure: null });
    expect(stateOf('running')).toBe('leased');
  });

  it('revives given-up records all at once, and no uploads', () => {
    put('i', { kind: 'put-incident', pool: 'record' });
    put('o', { kind: 'abort-upload', pool: 'record' });
    put('clip');
    for (const kind of ['put-incident', 'abort-upload', 'send-clip'] as const) {
      const subject = { 'put-incident': 'i', 'abort-upload': 'o', 'send-clip': 'clip' }[kind];
      jobs.fail(jobs.of(kind, subject)?.id ?? 0, 'why');
    }
    // Aborting an upload does not concern an incident's record
    expect(jobs.reviveRecords()).toBe(1);
    expect([stateOf('clip'), jobs.of('abort-upload', 'o')?.state]).toEqual(['failed', 'ready']);
  });

  it('counts what is not given up as open', () => {
    put('ready');
    put('waiting', { state: 'waiting' });
    put('blocked', { state: 'blocked' });
    put('failed', { state: 'failed' });
    expect(jobs.countOpen()).toBe(3);
  });
});

describe('the order of claims', () => {
  const clip = (id: string, incidentId: string, sizeBytes = 1): void => {
    queue.tables.clips.insert(clipRow({ id, incidentId, path: `${id}.mp4`, sizeBytes }));
    put(id, { incidentId });
  };
  beforeEach(() => {
    for (const id of ['older', 'newer']) queue.tables.incidents.insert(incidentRow({ id, exportPath: id }));
    clip('older-1', 'older');
    clip('newer-large', 'newer', 900);
    clip('newer-small', 'newer', 10);
    put('newer-large', { kind: 'send-thumbnail', incidentId: 'newer', priority: 40 });
    clip('older-2', 'older');
  });

  it('is the newest incident, its pictures before its clips, and small clips before large ones', () => {
    expect([claim(2), claim(2), claim(2)]).toEqual([
      ['newer-large', 'newer-small'],
      ['newer-large'],
      ['older-1', 'older-2'],
    ]);
  });

  it('is an incident that a person moved before all others, also before those that come later', () => {
    jobs.prioritiseSends({ kind: 'incident', incidentId: 'older' }, jobs.frontPriority());
    queue.tables.incidents.insert(incidentRow({ id: 'newest', exportPath: 'newest' }));
    clip('newest-1', 'newest');
    expect([claim(9), claim(9), claim(1)]).toEqual([['older-1', 'older-2'], ['newest-1'], ['newer-large']]);
  });

  it('is by age alone where that is asked for', () => {
    const byAge = () => jobs.claim('small', 1, 'me', 0, { order: 'age' }).map(({ subject }) => subject);
    expect([byAge(), byAge(), byAge()]).toEqual([['older-1'], ['newer-large'], ['newer-small']]);
  });

  it('counts the newer incidents that go first', () => {
    const { deadlines } = queue.tables;
    expect(deadlines.before(job('older-1'))).toEqual({ newer: 1, leaving: 0 });
    expect(deadlines.before(job('newer-small'))).toEqual({ newer: 0, leaving: 0 });
  });

  it('counts up to 100 newer incidents, and those in a hurry beside them', () => {
    const { deadlines, incidents } = queue.tables;
    for (let number = 0; number < 130; number += 1) {
      const id = `more-${number}`;
      incidents.insert(incidentRow({ id, exportPath: id }));
      clip(`${id}-1`, id);
    }
    deadlines.set('more-1', 1_000);
    jobs.prioritiseSends({ kind: 'incident', incidentId: 'more-0' }, jobs.frontPriority());
    expect(deadlines.before(job('older-1'))).toEqual({ newer: 100, leaving: 1 });
  });
});

describe('many queued jobs', () => {
  it('are not searched for the next one', () => {
    queue.tables.write(() => {
      for (let number = 0; number < 20_000; number += 1)
        put(`clip-${number}`, { incidentId: `incident-${number % 2_000}` });
    });
    const neededMs = processorMs(() => {
      for (let round = 0; round < 100; round += 1) expect(jobs.claim('small', 1, 'me', 0)).toHaveLength(1);
    });
    expect(neededMs / 100).toBeLessThan(5);
    // A new job goes first, and the oldest goes first where only age counts
    queue.tables.incidents.insert(incidentRow({ id: 'new', exportPath: 'new' }));
    put('new', { kind: 'send-thumbnail', incidentId: 'new', priority: 40 });
    const newestMs = processorMs(() => expect(claim(50)).toEqual(['new']));
    const oldestMs = processorMs(() => {
      const [oldest] = jobs.claim('small', 1, 'me', 0, { order: 'age' });
      expect(oldest?.subject).toMatch(/^clip-\d+$/);
    });
    expect(Math.max(newestMs, oldestMs)).toBeLessThan(50);
  });

  it('costs about as much to add a job again as to look it up', () => {
    const add = (): void =>
      void put('incident-1', { kind: 'put-incident', incidentId: 'incident-1', pool: 'record' });
    const look = (): void => void jobs.of('put-incident', 'incident-1');
    // The system counts thread time in milliseconds: less work could seem to take no time
    const ofMany = (work: () => void): number =>
      processorMs(() => queue.tables.write(() => Array.from({ length: 10_000 }, work)));
    // Other threads disturb the caches, which can double the time of a single round
    const leastOf = (work: () => void): number => Math.min(...Array.from({ length: 4 }, () => ofMany(work)));
    // If SQLite prepared the statement each time, it would take 45 times as long; otherwise 5
    expect(leastOf(add)).toBeLessThan(15 * leastOf(look));
  });
});
