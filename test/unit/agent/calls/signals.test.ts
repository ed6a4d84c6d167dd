import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { agentSignalSchema, type AgentSignal } from '../../../../shared/ipc/events.ts';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createSignals } from '../../../../electron/agent/calls/signals.ts';
import { createTransferMeter } from '../../../../electron/agent/upload/transfer-meter.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { createCollectedLog } from './collected-log.ts';

const TOTAL = 10_000_000;

function createDesk() {
  const clock = createFakeClock();
  const events = new AgentEvents();
  const meter = createTransferMeter(createFakeClock());
  const { logger, lines } = createCollectedLog();
  let doneBytes = 0;
  let reads = 0;
  const transfer = {
    sentBytes: () => meter.totalSentBytes(),
    read: () => {
      reads += 1;
      const clips = meter.inFlight();
      return { bytesTotal: TOTAL, bytesDone: doneBytes + meter.inFlightBytes(), clips };
    },
  };
  const signals = createSignals({ clock, logger, events, transfer });
  meter.onSent(() => signals.moved());
  const heard: AgentSignal[] = [];
  const hear = () => signals.on((signal) => void heard.push(agentSignalSchema.parse(signal)));
  return {
    clock,
    events,
    meter,
    signals,
    heard,
    hear,
    lines,
    reads: () => reads,
    finish(clipId: string, bytes: number) {
      doneBytes += bytes;
      meter.ended(clipId);
    },
  };
}

const synced = (incidentId: string): AgentEvent => ({
  event: 'incident.synced',
  incidentId,
  title: 'Gate 4',
  uploaded: 1,
  failed: 0,
  pending: 1,
});

describe('a change', () => {
  it('is told at once, and those that follow together a quarter of a second later', async () => {
    const { clock, signals, heard, hear } = createDesk();
    hear();
    signals.changed('uploads', ['a']);
    await nextTurn();
    expect(heard).toEqual([{ kind: 'changed', subject: 'uploads', version: 1, incidentIds: ['a'] }]);
    for (const id of ['b', 'c', 'b']) signals.changed('uploads', [id]);
    await clock.advance(249);
    expect(heard).toHaveLength(1);
    await clock.advance(1);
    expect(heard[1]).toEqual({ kind: 'changed', subject: 'uploads', version: 2, incidentIds: ['b', 'c'] });
  });

  it('is told at most four times a second, however many there are', async () => {
    const { clock, signals, heard, hear } = createDesk();
    hear();
    for (let ms = 0; ms < 2000; ms += 50) {
      for (let change = 0; change < 5; change += 1) signals.changed('uploads', ['a']);
      await nextTurn();
      await clock.advance(50);
    }
    expect(heard.length).toBeGreaterThanOrEqual(8);
    expect(heard.length).toBeLessThanOrEqual(9);
    const versions = heard.flatMap((signal) => (signal.kind === 'changed' ? [signal.version] : []));
    expect(versions).toEqual(heard.map((_, index) => index + 1));
  });

  it('of any incident, or of many, names none', async () => {
    const { clock, signals, heard, hear } = createDesk();
    hear();
    signals.changed('uploads', ['a']);
    signals.changed('uploads');
    signals.changed('uploads', ['b']);
    await nextTurn();
    signals.changed(
      'uploads',
      Array.from({ length: 51 }, (_, index) => `incident-${index}`),
    );
    await clock.advance(250);
    expect(heard).toEqual([
      { kind: 'changed', subject: 'uploads', version: 1 },
      { kind: 'changed', subject: 'uploads', version: 2 },
    ]);
  });

  it('of one subject does not hold back another', async () => {
    const { signals, heard, hear } = createDesk();
    hear();
    signals.changed('uploads', ['a']);
    signals.changed('settings');
    await nextTurn();
    expect(heard.map((signal) => signal.kind === 'changed' && signal.subject)).toEqual([
      'uploads',
      'settings',
    ]);
  });

  it('inside a transaction is told after it', async () => {
    const { signals, heard, hear } = createDesk();
    hear();
    signals.changed('uploads', ['a']);
    expect(heard).toEqual([]);
    await nextTurn();
    expect(heard).toHaveLength(1);
  });

  it.each<[AgentEvent, readonly string[]]>([
    [synced('a'), ['uploads', 'health']],
    [{ event: 'incident.found', incidentId: 'a', title: 't', folder: 'f', clips: 1 }, ['uploads']],
    [{ event: 'root.online', root: 'r' }, ['health']],
    [{ event: 'circuit.resumed', circuit: 'service' }, ['uploads', 'health']],
  ])('follows from the event %o', async (event, subjects) => {
    const { events, heard, hear } = createDesk();
    hear();
    events.emit(event);
    await nextTurn();
    const changed = heard.flatMap((signal) => (signal.kind === 'changed' ? [signal] : []));
    expect(changed.map(({ subject }) => subject)).toEqual(subjects);
    const ids = 'incidentId' in event ? [event.incidentId] : undefined;
    expect(changed.map(({ incidentIds }) => incidentIds)).toEqual(subjects.map(() => ids));
  });
});

describe('progress', () => {
  it('is told four times a second while bytes move, and ends with a still line', async () => {
    const { clock, meter, heard, hear, finish } = createDesk();
    hear();
    for (let step = 0; step < 20; step += 1) {
      meter.sent('clip', 250_000);
      await clock.untilAsleep();
      await clock.advance(250);
    }
    expect(heard).toHaveLength(20);
    expect(heard.at(-1)).toMatchObject({
      bytesTotal: TOTAL,
      bytesDone: 5_000_000,
      clips: [{ id: 'clip', bytesSent: 5_000_000 }],
    });
    const speed = heard.at(-1);
    expect(speed?.kind === 'progress' && speed.bytesPerSecond / 1_000_000).toBeCloseTo(1, 1);
    finish('clip', 5_000_000);
    await clock.advance(10_000);
    expect(heard).toHaveLength(21);
    expect(heard.at(-1)).toMatchObject({ bytesPerSecond: 0, bytesDone: 5_000_000, clips: [] });
    expect(clock.sleepers()).toBe(0);
  });

  it('of a line that stands still falls, and ends after three seconds though a clip is in flight', async () => {
    const { clock, meter, heard, hear } = createDesk();
    hear();
    for (let step = 0; step < 8; step += 1) {
      meter.sent('clip', 250_000);
      await clock.untilAsleep();
      await clock.advance(250);
    }
    const before = heard.length;
    await clock.advance(20_000);
    const speeds = heard.flatMap((signal) => (signal.kind === 'progress' ? [signal.bytesPerSecond] : []));
    expect(heard.length - before).toBe(12);
    expect(speeds.slice(before - 1)).toEqual(speeds.slice(before - 1).toSorted((a, b) => b - a));
    expect(speeds.at(-1)).toBe(0);
    expect(clock.sleepers()).toBe(0);
    meter.sent('clip', 1);
    await clock.untilAsleep();
    await clock.advance(250);
    expect(heard.length - before).toBe(13);
  });

  it('is not read while bytes go onto the line, only when it is told', async () => {
    const { clock, meter, hear, reads } = createDesk();
    hear();
    for (let piece = 0; piece < 1000; piece += 1) meter.sent('clip', 1000);
    expect(reads()).toBe(0);
    await clock.untilAsleep();
    await clock.advance(250);
    expect(reads()).toBe(1);
  });
});

describe('without listeners', () => {
  it('nothing is collected, nothing is read and no timer runs', async () => {
    const { clock, events, meter, signals, reads } = createDesk();
    events.emit(synced('a'));
    signals.changed('uploads');
    meter.sent('clip', 5);
    await nextTurn();
    expect(clock.sleepers()).toBe(0);
    expect(reads()).toBe(0);
  });

  it('timers end with the last one, and versions go on with the next', async () => {
    const { clock, meter, signals, heard, hear } = createDesk();
    const leave = hear();
    const leaveToo = hear();
    signals.changed('uploads');
    await nextTurn();
    signals.changed('uploads');
    meter.sent('clip', 5);
    await clock.untilAsleep(2);
    leave();
    leave();
    expect(clock.sleepers()).toBe(2);
    leaveToo();
    await nextTurn();
    expect(clock.sleepers()).toBe(0);
    await clock.advance(5000);
    expect(heard).toHaveLength(2);
    hear();
    signals.changed('uploads');
    await nextTurn();
    expect(heard.at(-1)).toMatchObject({ version: 2 });
  });

  it('what was to be told is not counted, and who comes back hears everything once', async () => {
    const { events, signals, heard, hear } = createDesk();
    const leave = hear();
    signals.changed('uploads');
    leave();
    await nextTurn();
    hear();
    events.emit({
      event: 'root.offline',
      root: 'r',
      code: 'ROOT_OFFLINE',
      message: 'r is offline.',
      advice: '',
    });
    signals.changed('uploads');
    await nextTurn();
    expect(heard.map(({ kind }) => kind)).toEqual(['notice', 'changed', 'changed']);
    expect(heard.at(-1)).toMatchObject({ subject: 'uploads', version: 1 });
  });

  it('and after the stop nothing is heard any more', async () => {
    const { clock, events, meter, signals, heard, hear } = createDesk();
    hear();
    meter.sent('clip', 5);
    signals.stop();
    events.emit(synced('a'));
    await clock.advance(1000);
    expect(heard).toEqual([]);
    expect(clock.sleepers()).toBe(0);
  });
});

it('a listener that throws is logged and does not keep the news from others', async () => {
  const { signals, heard, hear, lines } = createDesk();
  signals.on(() => {
    throw new Error('window gone');
  });
  hear();
  signals.changed('health');
  await nextTurn();
  expect(heard).toHaveLength(1);
  expect(lines).toEqual([expect.stringContaining('window gone')]);
});
