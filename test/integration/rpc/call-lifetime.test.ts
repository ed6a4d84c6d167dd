import { expect, test, vi } from 'vitest';
import { createAgent } from '../../../electron/agent/index.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { createCaller } from '../../../shared/ipc/caller.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { memoryTransport } from '../../helpers/memory-transport.ts';
import { startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const listPeriods = { call: 'periods.list', input: { range: {} } };
const ignore = (): void => undefined;

test('an agent that was not started says so, and its signals can be heard already', async () => {
  const agent = createAgent(
    { settings: settingsSchema.parse({ baseUrl: 'http://127.0.0.1:1' }), dataDir: '/none', version: '1' },
    {
      clock: createSystemClock(),
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      secrets: { apiKey: async () => undefined },
    },
  );
  agent.signals.on(ignore)();
  const reply = await createCaller(memoryTransport(agent)).call('health.get', {});
  expect(reply).toMatchObject({
    ok: false,
    error: { code: 'CALL_FAULT', message: 'The agent is not running.' },
  });
});

test('a stop breaks off the calls that are under way, and takes no more', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const hold = desk.simulator.faults.hold({ call: 'getPeriods' });
  const calls = [desk.call('periods.list', { range: {} }), desk.call('connection.check', {})];
  await hold.arrived;
  const stopped = desk.agent.stop();
  const late = desk.call('health.get', {});
  expect(await calls[0]).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  await calls[1];
  expect(await late).toMatchObject({ ok: false, error: { message: 'The agent is not running.' } });
  await stopped;
  expect(desk.logs.filter((line) => line.includes('"error"'))).toEqual([]);
});

test('a message that was on its way when the agent stopped may have been posted, and the reply says so', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const hold = desk.simulator.faults.hold({ call: 'addChannelMessage' }, 'after');
  const channelId = desk.simulator.team().channels.find(({ kind }) => kind === 'channel')?.id ?? '';
  const posted = desk.call('messages.post', { message: { kind: 'channel', channelId, content: 'Open' } });
  await hold.arrived;
  await desk.agent.stop();
  expect(await posted).toMatchObject({ ok: false, error: { code: 'CANCELLED', mayHaveHappened: true } });
});

test('fault 9: a caller that goes away ends its own call and no other', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const hold = desk.simulator.faults.hold({ call: 'getPeriods' });
  const leaving = new AbortController();
  const left = desk.agent.call(listPeriods, leaving.signal);
  const staying = desk.agent.call(listPeriods);
  await desk.until(() => desk.simulator.requests.of('getPeriods').length === 2, 'both calls');
  leaving.abort();
  expect(await left).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  hold.release();
  expect(await staying).toMatchObject({ ok: true });
  const gone = await desk.agent.call(listPeriods, AbortSignal.abort());
  expect(gone).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
});

test('what is no call of the contract never reaches the service', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const requests = [
    { call: '../users', input: {} },
    { call: 'users.get', input: { userId: '../periods' }, extra: 1 },
    { call: 'users.get', input: { userId: {} } },
    { call: 'users.remove', input: {} },
    { call: 'constructor', input: {} },
    'GET /users',
  ];
  for (const request of requests) expect(await desk.agent.call(request)).toMatchObject({ ok: false });
  expect(await desk.agent.call({ call: 'users.get', input: { userId: '..' } })).toMatchObject({
    ok: false,
    error: { code: 'VALIDATION' },
  });
  const { requests: seen } = desk.simulator;
  expect([...seen.of('getUser'), ...seen.of('getUsers'), ...seen.of('deleteUser')]).toEqual([]);
});
