import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../shared/lib/result.ts';
import { noPolicy, type Policy } from '../../../electron/agent/config/policy/policy.ts';
import type { RunCommand } from '../../../electron/cli/command.ts';
import type { StartConsole } from '../../../electron/cli/open-console.ts';
import { runCommand } from '../../../electron/cli/commands/run.ts';
import { createFakeAgent, createFakeHost, failure } from './fake-deps.ts';

const once: RunCommand = { kind: 'run', once: true, console: undefined, logLevel: 'warn', json: true };
const noConsole = { startConsole: () => Promise.reject(new Error('no console was asked for')) };

describe('without a configuration', () => {
  const attended: RunCommand = { ...once, once: false, json: false };

  /** Runs until the console was opened, and stops. */
  async function runNew(command: RunCommand, settings: unknown = null, policy: Policy = noPolicy) {
    const fake = createFakeAgent();
    const around = await createFakeHost(fake.agent, settings, { policy: ok(policy) });
    let opened = 0;
    const startConsole: StartConsole = async () => {
      opened += 1;
      setImmediate(() => around.signals.emit('SIGTERM'));
      return ok({ origin: 'http://127.0.0.1:1', createLaunchUrl: () => '', stop: async () => undefined });
    };
    const exit = await runCommand(command, around.host, { startConsole });
    return { exit, opened, calls: fake.calls, ...around };
  }

  test.each<[string, unknown]>([
    ['no file', null],
    ['a file without a service', { watch: [] }],
  ])('%s: the agent runs, and the console is there to set it up', async (_, settings) => {
    const { exit, opened, calls, made, written, folder } = await runNew(attended, settings);
    expect([exit, opened, calls]).toEqual([0, 1, ['start', 'stop']]);
    expect(written.stderr).toContain('No service is configured yet: open the console');
    expect(made.configs).toMatchObject([
      { settings: { watch: [] }, settingsFile: expect.stringContaining(folder) },
    ]);
  });

  test.each<[string, Partial<RunCommand>, unknown, string]>([
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

test('a policy that cannot be used ends with 10 before anything starts', async () => {
  const policy = err([failure('POLICY_INVALID')]);
  const { host, made } = await createFakeHost(createFakeAgent().agent, undefined, { policy });
  expect(await runCommand(once, host, noConsole)).toBe(10);
  expect(made.configs).toEqual([]);
});

test('the demo says so to the agent, and nothing else does', async () => {
  const said: unknown[] = [];
  for (const command of [once, { ...once, demo: true as const }]) {
    const { host, made } = await createFakeHost(createFakeAgent().agent);
    await runCommand(command, host, noConsole);
    said.push(made.configs[0]?.isDemo);
  }
  expect(said).toEqual([undefined, true]);
});
