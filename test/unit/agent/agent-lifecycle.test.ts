import { expect, it } from 'vitest';
import { createAgentLifecycle, type AgentHost } from '../../../electron/agent/agent-lifecycle.ts';
import { type BuiltAgent, noProgress } from '../../../electron/agent/agent.ts';
import type { AgentEvent } from '../../../electron/agent/events.ts';
import type { Ports } from '../../../electron/agent/ports.ts';
import type { AgentConfig } from '../../../electron/agent/settings/load-settings.ts';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';
import { createKeptLog, failureOf } from '../../helpers/queue-fixture.ts';

const settingsOf = (name: string): Settings => ({ site: name }) as unknown as Settings;

/** An agent whose builds after the first end as in `ends`, in order. */
async function startWith(...ends: readonly ('runs' | Error)[]) {
  const clock = createFakeClock();
  const built: Settings[] = [];
  const told: AgentEvent[] = [];
  const left = [...ends];
  let host: AgentHost | undefined;
  const config = { settings: settingsOf('old') } as unknown as AgentConfig;
  const ports = { clock, logger: createKeptLog() } as unknown as Ports;
  const agent = createAgentLifecycle(config, ports, async ({ settings }, _ports, given) => {
    const end = host === undefined ? 'runs' : (left.shift() ?? 'runs');
    host = given;
    if (end !== 'runs') throw end;
    built.push(settings);
    return {
      stop: async () => undefined,
      call: async () => ({ ok: true, value: 'here' }),
    } as unknown as BuiltAgent;
  });
  agent.events.on((event) => told.push(event));
  await agent.start();
  host?.applySettings(settingsOf('new'));
  /** Waits until every build was tried, skipping the pauses between them. */
  async function untilTried(): Promise<void> {
    for (let second = 0; left.length > 0 && second < 20; second += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1_000);
    }
    await eventually(() => left.length === 0, 'all builds were tried');
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
  const call = () => agent.call({ call: 'health.get' });
  return {
    agent,
    built,
    told,
    untilTried,
    call,
    apply: (name: string) => host?.applySettings(settingsOf(name)),
  };
}

const inUse = () => new FailureError(failureOf('DATA_FOLDER'));

it('goes on with the settings of before when the new ones cannot be used', async () => {
  const desk = await startWith(inUse());
  await desk.untilTried();
  await eventually(() => desk.built.length === 2, 'it runs again');
  expect(desk.built).toEqual([settingsOf('old'), settingsOf('old')]);
  expect(desk.told).toMatchObject([{ event: 'warning', code: 'DATA_FOLDER' }]);
  await desk.agent.stop();
});

it('tries them again where the queue cannot be opened for a moment, or a fault of the program comes in between', async () => {
  const desk = await startWith(new Error('a fault'), inUse());
  await desk.untilTried();
  await eventually(() => desk.built.length === 2, 'it runs again');
  expect(await desk.call()).toEqual({ ok: true, value: 'here' });
  desk.apply('newer');
  await eventually(() => desk.built.length === 3, 'it takes other settings again');
  await desk.agent.stop();
});

it('ends, and says why, when nothing can be started any more', async () => {
  const desk = await startWith(inUse(), inUse(), inUse(), inUse());
  await desk.untilTried();
  expect(await desk.agent.ended).toMatchObject({ code: 'DATA_FOLDER', retryable: false });
  expect(await desk.call()).toMatchObject({ ok: false, error: { code: 'DATA_FOLDER' } });
  await desk.agent.stop();
});

it('counts again once a run is over: what failed last is not missing', async () => {
  let clipsFailed = 0;
  const built = {
    stop: async () => undefined,
    progress: () => ({ ...noProgress, clipsFailed }),
    meter: { inFlightBytes: () => 0 },
    untilIdle: async () => void (clipsFailed = 1),
  } as unknown as BuiltAgent;
  const ports = { clock: createFakeClock(), logger: createKeptLog() } as unknown as Ports;
  const agent = createAgentLifecycle({} as unknown as AgentConfig, ports, async () => built);
  await agent.start();
  expect(agent.progress().clipsFailed).toBe(0);
  await agent.untilIdle();
  expect(agent.progress().clipsFailed).toBe(1);
  await agent.stop();
});
