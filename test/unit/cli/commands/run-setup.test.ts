import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import { noPolicy, type Policy } from '../../../../electron/agent/settings/policy/policy.ts';
import type { StartConsole } from '../../../../electron/cli/deps.ts';
import { run, type RunInput } from '../../../../electron/cli/commands/run.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

const once: RunInput = { once: true, console: undefined, isDemo: false, logLevel: 'warn', json: true };

describe('without a configuration', () => {
  const attended: RunInput = { ...once, once: false, json: false };

  /** Runs until the console was opened, then stops. */
  async function runNew(command: RunInput, settings: unknown = null, policy: Policy = noPolicy) {
    const fake = createFakeAgent();
    const around = await createFakeDeps(fake.agent, settings, { policy: ok(policy) });
    let opened = 0;
    const startConsole: StartConsole = async () => {
      opened += 1;
      setImmediate(() => around.signals.emit('SIGTERM'));
      return ok({ origin: 'http://127.0.0.1:1', createLaunchUrl: () => '', stop: async () => undefined });
    };
    const exit = await run.run(command, { ...around.deps, startConsole });
    return { exit, opened, calls: fake.calls, ...around };
  }

  test.each<[string, unknown]>([
    ['no file', null],
    ['a file without a service', { watch: [] }],
  ])('input F1: %s: the agent runs, and the console is there to set it up', async (_, settings) => {
    const { exit, opened, calls, made, written, folder } = await runNew(attended, settings);
    expect([exit, opened, calls]).toEqual([0, 1, ['start', 'stop']]);
    expect(written.stderr).toContain('This desk is not set up yet. Open the console');
    expect(made.configs).toMatchObject([
      { settings: { watch: [] }, settingsFile: expect.stringContaining(folder) },
    ]);
  });

  test.each<[string, Partial<RunInput>, unknown, string]>([
    ['--once', { once: true }, null, 'CONFIG_MISSING'],
    ['--json', { json: true }, null, 'CONFIG_MISSING'],
    ['--json with a port', { json: true, console: 8080 }, null, 'CONFIG_MISSING'],
    ['--console off', { console: 'off' }, null, 'CONFIG_MISSING'],
    ['--once and a file without a service', { once: true }, {}, 'NOT_SET_UP'],
    ['--console off and a file without a service', { console: 'off' }, {}, 'NOT_SET_UP'],
  ])('%s ends with 10: nobody is there to set it up', async (_, command, settings, code) => {
    const { exit, made, written } = await runNew({ ...attended, ...command }, settings);
    expect([exit, made.configs]).toEqual([10, []]);
    expect(written.stderr).toContain(code);
  });

  test('a policy may say all that is needed', async () => {
    const policy = { ...noPolicy, places: ['/p'], managed: { baseUrl: 'https://api.example.com' } };
    const { exit, made } = await runNew({ ...once, json: false }, null, policy);
    expect(exit).toBe(0);
    expect(made.configs).toMatchObject([{ settings: { baseUrl: 'https://api.example.com' }, policy }]);
  });

  test('a console that the policy switches off stays closed, and nobody is left to set the desk up', async () => {
    const policy = { ...noPolicy, places: ['/p'], console: { managed: false } };
    const { exit, opened, written } = await runNew({ ...attended, console: 8080 }, null, policy);
    expect([exit, opened]).toEqual([10, 0]);
    expect(written.stderr).toContain('NOT_SET_UP');
  });
});

test('a policy whose address does not respond is waited for, which is said once', async () => {
  const answers = [err([failure('NETWORK')]), err([failure('NETWORK')]), ok(noPolicy)];
  const { deps, made, written, signals } = await createFakeDeps(createFakeAgent().agent);
  const waits: number[] = [];
  const exit = await run.run(
    { ...once, once: false },
    {
      ...deps,
      clock: { ...deps.clock, sleep: async (delayMs) => void waits.push(delayMs) },
      readPolicy: async () => answers.shift() ?? ok(noPolicy),
      createAgent: (...by) => {
        setImmediate(() => signals.emit('SIGTERM'));
        return deps.createAgent(...by);
      },
    },
  );
  expect([exit, made.configs.length]).toEqual([0, 1]);
  expect(waits.slice(0, 2)).toEqual([30_000, 30_000]);
  expect(written.stderr.match(/starts as soon as it has its policy/g)).toHaveLength(1);
});

test('a run that ends by itself does not wait for a policy', async () => {
  const policy = err([failure('NETWORK')]);
  const { deps, made } = await createFakeDeps(createFakeAgent().agent, undefined, { policy });
  expect(await run.run(once, deps)).toBe(12);
  expect(made.configs).toEqual([]);
});

test('a policy that cannot be used ends with 10 before anything starts', async () => {
  const policy = err([failure('POLICY_INVALID')]);
  const { deps, made } = await createFakeDeps(createFakeAgent().agent, undefined, { policy });
  expect(await run.run(once, deps)).toBe(10);
  expect(made.configs).toEqual([]);
});

test('the agent learns that it is a demo from that option alone', async () => {
  const isDemo: unknown[] = [];
  for (const command of [once, { ...once, isDemo: true }]) {
    const { deps, made } = await createFakeDeps(createFakeAgent().agent);
    await run.run(command, deps);
    isDemo.push(made.configs[0]?.isDemo);
  }
  expect(isDemo).toEqual([undefined, true]);
});
