import { describe, expect, it } from 'vitest';
import { createScheduleFollower } from '../../../electron/agent/follow-schedule.ts';
import { createRateLimit } from '../../../electron/agent/service/rate-limit.ts';
import type { ScheduleLine } from '../../../shared/domain/line-schedule.ts';
import { stricterOf, weekdays } from '../../../shared/domain/line-schedule.ts';
import { createManualClock } from './upload/manual-clock.ts';

const MB = 1_000_000;
const SENDERS = 8;
/** How long senders run before a switch, milliseconds. */
const WARM_MS = 2_000;
const silent = (): void => undefined;

/** A desk that sends as much as it may, starting at a given time. */
function createDesk(
  schedule: readonly ScheduleLine[],
  timeZone: string,
  startMs: number,
  { maxBytesPerSecond = 4 * MB, managed = {} }: { maxBytesPerSecond?: number | null; managed?: object } = {},
) {
  const clock = createManualClock();
  const firstMs = clock.monotonic();
  let setBackMs = 0;
  const now = (): number => startMs - setBackMs + clock.monotonic() - firstMs;
  const timed = { ...clock, now };
  const limiter = createRateLimit(timed, 4 * MB);
  const stopping = new AbortController();
  const told: string[] = [];
  const follower = createScheduleFollower({
    upload: { maxBytesPerSecond, schedule: [...schedule] },
    config: { policy: { managed: { ...managed } } },
    timeZone,
    clock: timed,
    limiter,
    logger: { info: silent, warn: silent, error: silent },
    signals: { changed: (subject) => void told.push(subject) },
    stopping: stopping.signal,
  });
  follower.start({ interrupt: async () => void told.push('interrupt'), wake: () => void told.push('wake') });
  return {
    clock,
    follower,
    told,
    now,
    /** Counts the bytes sent from now on, by senders that were already running for a while. */
    async bytesAfter(beforeMs: number, ms: number): Promise<number> {
      const ending = new AbortController();
      let bytes = 0;
      const send = async (): Promise<void> => {
        for (;;) {
          const chunk = limiter.chunkBytes;
          await limiter.take(chunk, ending.signal);
          bytes += chunk;
        }
      };
      const sending = Promise.allSettled(Array.from({ length: SENDERS }, send));
      await clock.advance(beforeMs);
      const before = bytes;
      await clock.advance(ms);
      ending.abort(new Error('over'));
      await sending;
      return bytes - before;
    },
    /** Sets the clock of the PC back, as a person would. */
    setBack: (ms: number) => void (setBackMs = ms),
    stop() {
      stopping.abort(new Error('over'));
    },
  };
}

describe('the line by the clock', () => {
  it.each([
    ['Europe/London', '2026-03-28T23:59:50Z', ['00:00', '00:30', '02:00', '02:30']],
    ['Europe/London', '2026-10-24T22:59:50Z', ['00:00', '00:30', '01:30', '02:30']],
    ['America/New_York', '2026-11-01T03:59:50Z', ['00:00', '00:45', '01:15', '02:15']],
  ] as const)(
    'keeps each limit within 5 percent over the ten seconds after its switch: %s, %s',
    async (timeZone, start, [first, second, third, fourth]) => {
      const days = [...weekdays];
      const schedule: readonly ScheduleLine[] = [
        { days, from: first, to: second, limit: MB },
        { days, from: second, to: third, limit: 3 * MB },
        { days, from: third, to: fourth, limit: 500_000 },
      ];
      const desk = createDesk(schedule, timeZone, Date.parse(start));
      const limits: number[] = [];
      for (let switches = 0; switches < 4; switches += 1) {
        const untilMs = Date.parse(desk.follower.state()?.until ?? '');
        await desk.clock.advance(untilMs - desk.now() - WARM_MS);
        const perSecond = (await desk.bytesAfter(WARM_MS, 10_000)) / 10;
        const { limit } = desk.follower.state() ?? {};
        expect(
          Math.abs(perSecond / Number(limit) - 1),
          `${limit} from ${new Date(untilMs).toISOString()}`,
        ).toBeLessThan(0.05);
        limits.push(Number(limit));
      }
      desk.stop();
      expect(limits).toEqual([MB, 3 * MB, 500_000, 4 * MB]);
    },
  );

  it('lets nothing begin during a pause, and wakes the uploads after it', async () => {
    const schedule: readonly ScheduleLine[] = [
      { days: [...weekdays], from: '12:00', to: '12:01', limit: 'pause' },
    ];
    const desk = createDesk(schedule, 'UTC', Date.parse('2026-05-06T11:59:59Z'));
    expect(desk.follower.isHeld()).toBe(false);
    await desk.clock.advance(1_000);
    expect(desk.follower.isHeld()).toBe(true);
    expect(desk.follower.state()).toEqual({ limit: 'pause', until: '2026-05-06T12:01:00.000Z' });
    await desk.clock.advance(60_000);
    expect(desk.follower.isHeld()).toBe(false);
    expect(desk.told).toEqual(['interrupt', 'health', 'wake', 'health']);
    desk.stop();
  });

  it('follows a clock that is set back into the time before a pause', async () => {
    const schedule: readonly ScheduleLine[] = [
      { days: [...weekdays], from: '12:00', to: '13:00', limit: 'pause' },
    ];
    const desk = createDesk(schedule, 'UTC', Date.parse('2026-05-06T12:00:05Z'));
    expect(desk.follower.isHeld()).toBe(true);
    desk.setBack(600_000);
    await desk.clock.advance(10_000);
    expect(desk.follower.isHeld()).toBe(false);
    expect(desk.follower.state()).toMatchObject({ until: '2026-05-06T12:00:00.000Z' });
    desk.stop();
  });

  it('begins held when the agent starts within a pause, and says nothing of a line without any limit', async () => {
    const pause: readonly ScheduleLine[] = [{ days: ['wed'], from: '00:00', to: '24:00', limit: 'pause' }];
    const held = createDesk(pause, 'UTC', Date.parse('2026-05-06T11:59:59Z'));
    expect(held.follower.isHeld()).toBe(true);
    const free = createDesk([], 'UTC', Date.parse('2026-05-06T11:59:59Z'), { maxBytesPerSecond: null });
    expect(free.follower.isHeld()).toBe(false);
    expect(free.follower.state()).toBeUndefined();
    held.stop();
    free.stop();
  });
});

describe('limits that a person lifts', () => {
  const startMs = Date.parse('2026-05-06T12:00:05Z');
  const pause: readonly ScheduleLine[] = [
    { days: [...weekdays], from: '12:00', to: '18:00', limit: 'pause' },
  ];

  it('let everything go for an hour, also during a pause, and then count again', async () => {
    const desk = createDesk(pause, 'UTC', startMs);
    expect(desk.follower.lift(true)).toEqual({ ok: true, value: { isLifted: true } });
    const until = '2026-05-06T13:00:05.000Z';
    expect(desk.follower.state()).toEqual({ limit: 'full', until, isLifted: true });
    expect([desk.follower.isHeld(), desk.told]).toEqual([false, ['wake', 'health']]);
    await desk.clock.advance(3_600_000);
    expect(desk.follower.state()).toEqual({ limit: 'pause', until: '2026-05-06T18:00:00.000Z' });
    expect(desk.told.slice(2)).toEqual(['interrupt', 'health']);
    desk.stop();
  });

  it('count again when they are restored, or when the hour is over without a schedule', async () => {
    const desk = createDesk([], 'UTC', startMs);
    expect(desk.follower.state()).toEqual({ limit: 4 * MB });
    desk.follower.lift(true);
    expect(desk.follower.limitNow()).toBe('full');
    desk.follower.lift(false);
    expect(desk.follower.state()).toEqual({ limit: 4 * MB });
    desk.follower.lift(true);
    await desk.clock.advance(3_600_000);
    expect(desk.follower.state()).toEqual({ limit: 4 * MB });
    desk.stop();
  });

  it('stay where a policy sets them', () => {
    const desk = createDesk(pause, 'UTC', startMs, { managed: { upload: { schedule: pause } } });
    expect(desk.follower.lift(true)).toMatchObject({ ok: false, error: { code: 'SETTING_MANAGED' } });
    expect(desk.follower.state()).toMatchObject({ limit: 'pause', isManaged: true });
    desk.stop();
  });
});

it('has a limit of its own on the battery, the stricter one counts, and it goes on when the PC is plugged in', async () => {
  const clock = createManualClock();
  const limits: (number | null)[] = [];
  const told: string[] = [];
  let isOnBattery = false;
  const stopping = new AbortController();
  const follower = createScheduleFollower({
    upload: { maxBytesPerSecond: 4 * MB, schedule: [], onBattery: 'pause' },
    ports: { isOnBattery: () => isOnBattery },
    timeZone: 'UTC',
    clock: { ...clock, now: () => 0 },
    limiter: { setLimit: (limit) => void limits.push(limit) },
    logger: { info: silent, warn: silent, error: silent },
    signals: { changed: (subject) => void told.push(subject) },
    stopping: stopping.signal,
  });
  follower.start({ interrupt: async () => void told.push('interrupt'), wake: () => void told.push('wake') });
  expect([follower.isHeld(), follower.state()]).toEqual([false, { limit: 4 * MB }]);
  isOnBattery = true;
  await clock.advance(10_000);
  expect([follower.isHeld(), follower.state()]).toEqual([true, { limit: 'pause', isOnBattery: true }]);
  isOnBattery = false;
  await clock.advance(10_000);
  expect([follower.isHeld(), follower.limitNow()]).toEqual([false, 4 * MB]);
  expect(told).toEqual(['interrupt', 'health', 'wake', 'health']);
  stopping.abort(new Error('over'));
});

it('takes the lower of two limits, and a pause before both', () => {
  expect(stricterOf(2 * MB, MB)).toBe(MB);
  expect(stricterOf('full', MB)).toBe(MB);
  expect(stricterOf(MB, 'full')).toBe(MB);
  expect(stricterOf(MB, 'pause')).toBe('pause');
});
