import { describe, expect, it } from 'vitest';
import { createTransferMeter } from '../../../../electron/agent/upload/transfer-meter.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

describe('createTransferMeter', () => {
  it('tells when bytes of a clip moved last, as long as it is in flight', async () => {
    const clock = createFakeClock();
    const meter = createTransferMeter(clock);
    expect(meter.movedAtMs('a')).toBeUndefined();
    meter.sent('a', 20);
    const movedAtMs = clock.monotonic();
    await clock.advance(5_000);
    meter.sent('a', -20);
    meter.acknowledged('a', 20);
    expect(meter.movedAtMs('a')).toBe(movedAtMs);
    meter.ended('a');
    expect(meter.movedAtMs('a')).toBeUndefined();
  });

  it('adds up what is in flight, clip by clip', () => {
    const meter = createTransferMeter(createFakeClock());
    meter.acknowledged('a', 100);
    meter.sent('a', 20);
    meter.sent('b', 5);
    expect([meter.of('a'), meter.of('b'), meter.of('c'), meter.inFlightBytes()]).toEqual([120, 5, 0, 125]);
  });

  it('takes back what did not arrive, but counts that it left this desk', () => {
    const meter = createTransferMeter(createFakeClock());
    meter.sent('a', 20);
    meter.sent('a', -20);
    meter.sent('a', 20);
    expect([meter.of('a'), meter.totalSentBytes()]).toEqual([20, 40]);
  });

  it('does not count as sent what an earlier run had sent', () => {
    const meter = createTransferMeter(createFakeClock());
    meter.acknowledged('a', 100);
    expect(meter.totalSentBytes()).toBe(0);
  });

  it('counts bytes of clips that are still written as sent, and as no progress of the queue', () => {
    const meter = createTransferMeter(createFakeClock());
    let heard = 0;
    meter.onSent(() => (heard += 1));
    meter.sentBeside(30);
    expect([meter.totalSentBytes(), meter.inFlightBytes(), meter.inFlight(), heard]).toEqual([30, 0, [], 1]);
  });

  it('forgets a clip that ended', () => {
    const meter = createTransferMeter(createFakeClock());
    meter.sent('a', 20);
    meter.ended('a');
    meter.ended('a');
    expect([meter.of('a'), meter.inFlightBytes(), meter.totalSentBytes()]).toEqual([0, 0, 20]);
  });
});
