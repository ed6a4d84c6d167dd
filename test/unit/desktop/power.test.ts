import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startDeskPulse, type DeskState } from '../../../electron/desktop/tray/desk-pulse.ts';
import { followPower } from '../../../electron/desktop/power.ts';
import { collectLog, healthOf, progressOf } from '../../helpers/desk-tools.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

function openDesk() {
  const steps: string[] = [];
  const powerMonitor = new EventEmitter();
  const clock = createFakeClock();
  const { logger } = collectLog();
  let blockers = 0;
  const power = followPower({
    powerMonitor,
    powerSaveBlocker: {
      start(type) {
        blockers += 1;
        steps.push(`${type} ${blockers}`);
        return blockers;
      },
      stop: (id) => void steps.push(`let sleep ${id}`),
    },
    agent: {
      suspend: async () => void steps.push('suspend'),
      resume: async () => void steps.push('resume'),
    },
    clock,
    logger,
  });
  const look = (bytesUploaded: number, bytesInFlight = 0): void =>
    power.look({ health: healthOf(), progress: progressOf({ bytesUploaded, bytesInFlight }) });
  return { steps, powerMonitor, clock, power, look };
}

describe('power', () => {
  it('takes the agent through a sleep', () => {
    const desk = openDesk();
    desk.powerMonitor.emit('suspend');
    desk.powerMonitor.emit('resume');
    expect(desk.steps).toEqual(['suspend', 'resume']);
  });

  it.each(['lock-screen', 'on-battery', 'unlock-screen', 'on-ac', 'user-did-resign-active'])(
    'goes on at %s',
    (event) => {
      const desk = openDesk();
      desk.powerMonitor.emit(event);
      expect(desk.steps).toEqual([]);
      expect(desk.powerMonitor.listenerCount(event)).toBe(0);
    },
  );

  it('keeps the PC awake while bytes move, and for a minute after', async () => {
    const desk = openDesk();
    desk.look(0);
    desk.look(0);
    expect(desk.steps).toEqual([]);
    desk.look(0, 500);
    desk.look(1000);
    expect(desk.steps).toEqual(['prevent-app-suspension 1']);
    await desk.clock.advance(59_000);
    desk.look(1000);
    expect(desk.steps).toHaveLength(1);
    await desk.clock.advance(1_000);
    desk.look(1000);
    expect(desk.steps).toEqual(['prevent-app-suspension 1', 'let sleep 1']);
    desk.look(2000);
    expect(desk.steps.at(-1)).toBe('prevent-app-suspension 2');
  });

  it('what was sent before the start is no movement', () => {
    const desk = openDesk();
    desk.look(5_000_000);
    expect(desk.steps).toEqual([]);
  });

  it.each(['stop', 'suspend'])('lets it sleep at its %s', (what) => {
    const desk = openDesk();
    desk.look(0);
    desk.look(1);
    if (what === 'stop') desk.power.stop();
    else desk.powerMonitor.emit('suspend');
    expect(desk.steps).toContain('let sleep 1');
  });
});

describe('the pulse of the desk', () => {
  it('looks every two seconds, at once when asked, and not after its stop', async () => {
    const clock = createFakeClock();
    const seen: DeskState[] = [];
    const health = healthOf({ isPaused: true });
    const pulse = startDeskPulse({
      agent: {
        call: async () => ({ ok: true, value: health }),
        progress: () => progressOf({ clips: 1 }),
        signals: { on: () => () => undefined },
      },
      clock,
      logger: collectLog().logger,
      onLook: (state) => void seen.push(state),
    });
    await expect.poll(() => seen).toEqual([{ health, progress: progressOf({ clips: 1 }) }]);
    await clock.advance(2_000);
    expect(seen).toHaveLength(2);
    await pulse.lookNow();
    expect(seen).toHaveLength(3);
    pulse.stop();
    await pulse.lookNow();
    expect(seen).toHaveLength(3);
    expect(clock.sleepers()).toBe(0);
  });

  it('says nothing of a health that it does not get', async () => {
    const seen: DeskState[] = [];
    const pulse = startDeskPulse({
      agent: {
        call: () => Promise.reject(new Error('not there')),
        progress: () => progressOf(),
        signals: { on: () => () => undefined },
      },
      clock: createFakeClock(),
      logger: collectLog().logger,
      onLook: (state) => void seen.push(state),
    });
    await expect.poll(() => seen[0]).toEqual({ health: undefined, progress: progressOf() });
    pulse.stop();
  });
});
