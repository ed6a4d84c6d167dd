import { expect, it } from 'vitest';
import type { Watcher } from '../../../../electron/agent/watch/watcher.ts';
import { endWhenSettled } from '../../../../electron/agent/watch/watched-folders.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

/** A watcher of one folder whose state the test sets. */
function folder() {
  const state = { idle: false, held: 0 };
  let stops = 0;
  const rest = {
    settling: 0,
    online: true,
    failure: undefined,
    firstScanDone: true,
    lastScanAt: undefined,
    lastEventAt: undefined,
  };
  const watcher: Watcher = {
    start: () => undefined,
    stop: async () => void (stops += 1),
    requestRescan: () => undefined,
    state: () => ({ ...rest, ...state }),
    held: () => [],
  };
  return { watcher, state, stops: () => stops };
}

function pushed(waitsForHeld = true) {
  const clock = createFakeClock();
  const { watcher, state, stops } = folder();
  const running = { watchers: [watcher], stopping: new AbortController() };
  return {
    clock,
    state,
    stops,
    running,
    ending: endWhenSettled(clock, running.watchers, watcher, running.stopping.signal, waitsForHeld),
  };
}

it('a pushed folder is let go once it has settled and stayed so', async () => {
  const { clock, state, stops, running, ending } = pushed();
  await clock.advance(5_000);
  state.idle = true;
  await clock.advance(1_000);
  state.idle = false;
  await clock.advance(1_000);
  expect(stops()).toBe(0);
  state.idle = true;
  await clock.advance(2_000);
  await ending;
  expect([stops(), running.watchers]).toEqual([1, []]);
});

it('a pushed folder with a file that is held is watched on', async () => {
  const { clock, state, stops, running, ending } = pushed();
  Object.assign(state, { idle: true, held: 1 });
  await clock.advance(60_000);
  expect([stops(), running.watchers.length]).toEqual([0, 1]);
  state.held = 0;
  await clock.advance(2_000);
  await ending;
  expect(stops()).toBe(1);
});

it('one incident of a watched folder is let go although files of others are held back', async () => {
  const { clock, state, stops, ending } = pushed(false);
  Object.assign(state, { idle: true, held: 1 });
  await clock.advance(2_000);
  await ending;
  expect(stops()).toBe(1);
});

it('the end of the agent is the end of waiting', async () => {
  const { running, ending } = pushed();
  running.stopping.abort(new Error('The agent is stopping'));
  await expect(ending).rejects.toThrow('stopping');
});
