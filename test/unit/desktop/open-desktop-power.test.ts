import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { followPower } from '../../../electron/desktop/open-desktop.ts';
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
  const update = (bytesUploaded: number, bytesInFlight = 0): void =>
    power.update({ health: healthOf(), progress: progressOf({ bytesUploaded, bytesInFlight }) });
  return { steps, powerMonitor, clock, power, update };
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
    desk.update(0);
    desk.update(0);
    expect(desk.steps).toEqual([]);
    desk.update(0, 500);
    desk.update(1000);
    expect(desk.steps).toEqual(['prevent-app-suspension 1']);
    await desk.clock.advance(59_000);
    desk.update(1000);
    expect(desk.steps).toHaveLength(1);
    await desk.clock.advance(1_000);
    desk.update(1000);
    expect(desk.steps).toEqual(['prevent-app-suspension 1', 'let sleep 1']);
    desk.update(2000);
    expect(desk.steps.at(-1)).toBe('prevent-app-suspension 2');
  });

  it('what was sent before the start is no movement', () => {
    const desk = openDesk();
    desk.update(5_000_000);
    expect(desk.steps).toEqual([]);
  });

  it.each(['stop', 'suspend'])('lets it sleep at its %s', (what) => {
    const desk = openDesk();
    desk.update(0);
    desk.update(1);
    if (what === 'stop') desk.power.stop();
    else desk.powerMonitor.emit('suspend');
    expect(desk.steps).toContain('let sleep 1');
  });
});
