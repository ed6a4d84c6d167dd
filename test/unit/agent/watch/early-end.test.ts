import { appendFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileIncomplete } from '../../../../electron/agent/files/file-failures.ts';
import { createEarlyEnds } from '../../../../electron/agent/watch/early-end.ts';
import type { ExportStanding } from '../../../../electron/agent/watch/export-standing.ts';
import { FailureError } from '../../../../shared/domain/failure.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';
import { openQueue } from '../../../helpers/queue-fixture.ts';
import { fakeClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

let desk: WatchDesk<FakeClock>;
let standing: ExportStanding | undefined;

beforeEach(async () => {
  desk = await fakeClockDesk();
});
afterEach(async () => {
  await desk.close();
  expect(desk.errors).toEqual([]);
});

/** Starts a watcher and waits for its first look. */
async function begin(overrides: Parameters<typeof desk.watcher>[0] = {}): Promise<void> {
  desk
    .watcher({
      standings: { stands: (_ref, now) => void (standing = now), scanned: () => undefined },
      ...overrides,
    })
    .start();
  await desk.clock.untilAsleep();
}

const leftMs = (): number => (standing?.settlesAtMs ?? NaN) - desk.clock.now();

describe('a clip that is proven closed', () => {
  it('settles after five seconds of quiet, and not before', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    await begin();
    await desk.clock.advance(4_900);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(1_400);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    expect(desk.last('Gate')?.unsettledCount).toBe(0);
    expect(desk.checked).toEqual(['a.mp4']);
  });

  it.each(['mov', 'mkv', 'avi', 'wmv'])('may be a .%s', async (ending) => {
    desk.closed.add(`a.${ending}`);
    await desk.write(`Gate/a.${ending}`);
    await begin();
    await desk.clock.advance(6_300);
    expect(desk.settledNames('Gate')).toEqual([`a.${ending}`]);
  });

  it('is looked into once for each version, as soon as it stops changing', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/b.ts');
    await begin();
    expect(desk.lookedInto).toEqual([]);
    await desk.clock.advance(2_600);
    expect(desk.lookedInto).toEqual(['a.mp4']);
    await desk.clock.advance(10_000);
    expect(desk.lookedInto).toEqual(['a.mp4']);
    desk.closed.add('a.mp4');
    await appendFile(join(desk.root, 'Gate/a.mp4'), 'end');
    await desk.clock.advance(12_000);
    expect(desk.lookedInto).toEqual(['a.mp4', 'a.mp4']);
    expect(desk.settledNames('Gate')).toContain('a.mp4');
  });

  it('starts over when it changes although it was proven', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    await begin();
    for (let count = 0; count < 5; count += 1) {
      await desk.clock.advance(3_000);
      await appendFile(join(desk.root, 'Gate/a.mp4'), 'more');
    }
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(7_600);
    expect(desk.last('Gate')?.settled).toMatchObject([{ path: 'a.mp4', sizeBytes: 7 + 5 * 4 }]);
  });

  it('waits with a report, a list or a picture of its export that still changes', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/incident.json', '{}');
    await begin();
    await desk.clock.advance(20_000);
    expect(desk.snapshots).toEqual([]);
    expect(leftMs()).toBeGreaterThan(9_000);
    await desk.clock.advance(15_000);
    expect(desk.last('Gate')?.settled).toHaveLength(2);
    expect(desk.snapshots).toHaveLength(1);
  });

  it('does not wait for another clip that is still being written', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/b.mp4');
    await begin();
    await desk.clock.advance(6_300);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    expect(desk.last('Gate')?.unsettledCount).toBe(1);
  });

  it('waits twice as long when its time lies ahead', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    desk.clock.stepWallClock(-3_600_000);
    await begin();
    await desk.clock.advance(9_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(5_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
  });

  it('never waits longer than the settling time, which is then all that counts', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    await begin({ root: { id: 'root-1', path: desk.root, settings: { settleSeconds: 2 } } });
    await desk.clock.advance(2_600);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    expect(desk.lookedInto).toEqual([]);
  });
});

describe('a clip that is not proven closed', () => {
  it.each(['a.mp4', 'a.ts', 'a.dav'])('waits for the settling time: %s', async (name) => {
    await desk.write(`Gate/${name}`);
    await begin();
    await desk.clock.advance(29_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(6_300);
    expect(desk.settledNames('Gate')).toEqual([name]);
  });

  it('is not held, and nothing is said, before the settling time is over', async () => {
    const failure = fileIncomplete('a.mp4', 'its index (moov) is missing');
    desk.completeness.set('a.mp4', { kind: 'incomplete', reason: failure.message });
    await desk.write('Gate/a.mp4');
    await begin();
    await desk.clock.advance(25_000);
    expect(desk.events).toEqual([]);
    await desk.clock.advance(11_000);
    expect(desk.events).toMatchObject([{ event: 'file.held', code: 'FILE_INCOMPLETE' }]);
  });

  it('is one whose root cannot be read at that moment', async () => {
    await desk.write('Gate/a.mp4');
    const failure = fileIncomplete('a.mp4', '');
    await begin({ isClosed: () => Promise.reject(new FailureError(failure)) });
    await desk.clock.advance(20_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(16_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
  });
});

describe('what is said of the wait', () => {
  it('is five seconds for a clip that is proven closed, and the settling time for another', async () => {
    desk.closed.add('a.mp4');
    await desk.write('Gate/a.mp4');
    await begin();
    await desk.clock.advance(1_300);
    expect(standing?.state).toBe('settling');
    expect(leftMs()).toBeGreaterThan(3_000);
    expect(leftMs()).toBeLessThan(5_000);
    await appendFile(join(desk.root, 'Gate/a.mp4'), 'more');
    desk.closed.clear();
    await desk.clock.advance(4_000);
    expect(standing?.state).toBe('settling');
    expect(leftMs()).toBeGreaterThan(25_000);
  });
});

describe('an early end that was wrong', () => {
  it.each([
    { afterSeconds: 20, wrong: ['avi'] },
    { afterSeconds: 31, wrong: [] },
  ])(
    'is one after which the clip changed $afterSeconds s later, unless the settle time would have missed that too',
    async ({ afterSeconds, wrong }) => {
      const seen: string[] = [];
      desk.closed.add('a.avi');
      desk.closed.add('b.mp4');
      await desk.write('Gate/a.avi');
      await desk.write('Gate/b.mp4');
      await begin({ earlyEnds: { wasWrong: (container) => void seen.push(container) } });
      await desk.clock.advance(6_300);
      expect(desk.settledNames('Gate')).toEqual(['a.avi', 'b.mp4']);
      const path = join(desk.root, 'Gate/a.avi');
      const writtenMs = (await stat(path)).mtimeMs;
      await appendFile(path, 'more');
      await utimes(path, writtenMs / 1_000 + afterSeconds, writtenMs / 1_000 + afterSeconds);
      await desk.clock.advance(400_000);
      expect(desk.last('Gate')?.settled.find((file) => file.path === 'a.avi')?.sizeBytes).toBe(11);
      expect(seen).toEqual(wrong);
    },
  );

  it('is learned after the second one, for 30 days, for its folder and container, over restarts', async () => {
    const queue = await openQueue();
    const clock = createFakeClock();
    const day = 24 * 60 * 60_000;
    const endsOf = (rootId: string) => createEarlyEnds(queue.tables, clock, rootId);
    endsOf('root-1').wasWrong('avi');
    expect(endsOf('root-1').isTrusted('avi')).toBe(true);
    await clock.advance(29 * day);
    endsOf('root-1').wasWrong('avi');
    const untilMs = clock.now() + 30 * day;
    expect(endsOf('root-1').inFull()).toEqual([{ container: 'avi', untilMs }]);
    expect(endsOf('root-1').isTrusted('avi')).toBe(false);
    expect(endsOf('root-1').isTrusted('mp4')).toBe(true);
    expect(endsOf('root-2').isTrusted('avi')).toBe(true);
    await clock.advance(30 * day);
    expect(endsOf('root-1').isTrusted('avi')).toBe(true);
    endsOf('root-1').wasWrong('avi');
    expect(endsOf('root-1').isTrusted('avi')).toBe(true);
    await queue.close();
  });
});
