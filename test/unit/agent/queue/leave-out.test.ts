import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  leaveOutClips,
  leaveOutTarget,
  RETRY_AT_ONCE,
} from '../../../../electron/agent/queue/retry-clips.ts';
import { clipRow, type QueueFixture } from '../../../helpers/queue-fixture.ts';
import { failedClips, openTwoIncidents } from '../../../helpers/failed-clips.ts';

let queue: QueueFixture;
const { addFailed, stateOf, clock, all, one } = failedClips(() => queue);

beforeEach(async () => {
  queue = await openTwoIncidents();
});
afterEach(() => queue.close());

describe('a clip that is left out', () => {
  const turn = (ids: readonly string[], isLeftOut: boolean) =>
    leaveOutClips(queue.dir, { ids, isLeftOut }, clock);
  const counted = () => [
    queue.tables.clips.totals().find(({ state }) => state === 'failed')?.clips ?? 0,
    queue.tables.clips.codesOfFailed(10).reduce((sum, { found }) => sum + found, 0),
    queue.tables.shifts.failedClips(10).length,
  ];

  it('stays failed and is counted nowhere as such, with an entry in its history and in the chain; undone, it counts again', async () => {
    addFailed('clip', 'FILE_TOO_LARGE', false);
    expect(await turn(['clip'], true)).toEqual({ ok: true, value: 1 });
    expect(queue.tables.clips.byId('clip')?.state).toBe('failed');
    expect(counted()).toEqual([0, 0, 0]);
    expect(queue.tables.shifts.leftOutSince(5_000)).toBe(1);
    expect(queue.tables.shifts.leftOutSince(5_001)).toBe(0);
    expect(await turn(['clip'], true)).toEqual({ ok: true, value: 0 });
    expect(await turn(['clip'], false)).toEqual({ ok: true, value: 1 });
    expect(counted()).toEqual([1, 1, 1]);
    const kinds = queue.tables.history.ofClip('clip').map(({ facts }) => facts.kind);
    expect(kinds).toEqual(['leftOut', 'takenBack']);
    const actions = [...queue.tables.audit.newest(10)].map(({ action, account }) => [action, account !== '']);
    expect(actions).toEqual([
      ['clip.leftOut', true],
      ['clip.takenBack', true],
    ]);
  });

  it('is not retried with the others, and is sent when it is named', async () => {
    addFailed('clip', 'FILE_EMPTY', false);
    await turn(['clip'], true);
    expect(await all()).toEqual({ ok: true, value: { retried: 0, skipped: 0, incidents: 0 } });
    expect(await one('clip')).toEqual({ ok: true, value: { retried: 1, skipped: 0, incidents: 0 } });
    expect(stateOf('clip')).toEqual(['queued', 'ready']);
    queue.tables.clips.failed('clip', '{}');
    expect(counted()).toEqual([1, 1, 1]);
  });

  it('goes with its incident, unless a retry of that takes it up, and page after page', async () => {
    const many = Array.from({ length: RETRY_AT_ONCE + 1 }, (_, index) => `many-${index}`);
    addFailed('able', 'FILE_NO_ACCESS', true);
    addFailed('gone', 'FILE_GONE', false);
    for (const id of many) addFailed(id, 'FILE_TOO_LARGE', false);
    addFailed('other', 'FILE_TOO_LARGE', false, 'incident-2');
    expect(await turn(['incident-1'], true)).toEqual({ ok: true, value: many.length + 1 });
    expect(counted()).toEqual([2, 2, 2]);
    expect(await turn(['incident-1'], true)).toEqual({ ok: true, value: 0 });
    expect(await one('incident-1')).toEqual({ ok: true, value: { retried: 1, skipped: 0, incidents: 0 } });
    expect(await turn(['incident-1'], false)).toEqual({ ok: true, value: many.length + 1 });
    const kinds = queue.tables.history.ofClip('many-7').map(({ facts }) => facts.kind);
    expect(kinds).toEqual(['leftOut', 'takenBack']);
  });

  it('is taken back with those that were left out in the same command, and with no others', async () => {
    const leave = (isLeftOut: boolean, nowMs: number, leftOutAt?: number) =>
      leaveOutTarget(
        queue.tables,
        {
          target: { kind: 'incident', incidentId: 'incident-1' },
          isLeftOut,
          ...(leftOutAt === undefined ? {} : { leftOutAt }),
        },
        { nowMs, rest: () => nextTurn() },
      );
    addFailed('before', 'FILE_TOO_LARGE', false);
    expect(await leave(true, 6_000)).toBe(1);
    addFailed('after', 'FILE_TOO_LARGE', false);
    expect(await leave(true, 7_000)).toBe(1);
    expect(await leave(false, 8_000, 7_000)).toBe(1);
    expect(queue.tables.clips.pageOfFailedIn('incident-1', undefined, 9).map(({ id }) => id)).toEqual([
      'after',
    ]);
    expect(await leave(false, 9_000)).toBe(1);
  });

  it('must have failed, and be known', async () => {
    queue.tables.clips.insert(clipRow({ id: 'clip', path: 'clip', incidentId: 'incident-1' }));
    expect(await turn(['clip'], true)).toEqual({ ok: true, value: 0 });
    addFailed('other', 'FILE_TOO_LARGE', false);
    expect(await turn(['other', 'nobody'], true)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(counted()).toEqual([1, 1, 1]);
  });
});
