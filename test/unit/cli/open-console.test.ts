import { expect, test } from 'vitest';
import { err, ok } from '../../../shared/lib/result.ts';
import type { FailureCode } from '../../../shared/domain/failure.ts';
import type { RunCommand } from '../../../electron/cli/command.ts';
import type { StartConsole } from '../../../electron/cli/open-console.ts';
import { runCommand } from '../../../electron/cli/commands/run.ts';
import { createFakeAgent, createFakeHost, failure } from './fake-deps.ts';

const run: RunCommand = { kind: 'run', once: false, console: undefined, logLevel: 'warn', json: false };

/** Runs until the console was opened, or refused, and stops; answers what was asked and said. */
async function runWith(
  command: Partial<RunCommand>,
  refusals: readonly FailureCode[] = [],
  lines: readonly string[] = [],
  isTerminal = true,
) {
  const ports: number[] = [];
  let addresses = 0;
  let isStopped = false;
  const fake = createFakeAgent();
  const around = await createFakeHost(fake.agent);
  const host = { ...around.host, askPerson: isTerminal ? async () => undefined : undefined };
  const startConsole: StartConsole = async ({ port }) => {
    ports.push(port);
    const refusal = refusals[ports.length - 1];
    if (refusal !== undefined) return err(failure(refusal));
    return ok({
      origin: 'http://127.0.0.1:1',
      createLaunchUrl() {
        addresses += 1;
        return `http://127.0.0.1:1/launch/code${addresses}`;
      },
      stop: async () => void (isStopped = true),
    });
  };
  const running = runCommand({ ...run, ...command }, host, { startConsole });
  for (const line of lines) setTimeout(() => around.signals.emit('line', line), 25);
  setTimeout(() => around.signals.emit('SIGTERM'), 50);
  return { exit: await running, ports, isStopped, calls: fake.calls, ...around.written };
}

test('a run tells the address of its console, and ends it with the agent', async () => {
  const { exit, stdout, isStopped, ports, calls } = await runWith({});
  expect([exit, ports, isStopped]).toEqual([0, [47_800], true]);
  expect(stdout).toContain('Console: http://127.0.0.1:1/launch/code1\n');
  expect(calls).toEqual(['start', 'stop']);
});

test('a program is told the address when it asked for a port', async () => {
  const { stdout } = await runWith({ json: true, console: 8080 });
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
    event: 'console',
    url: 'http://127.0.0.1:1/launch/code1',
  });
});

test.each<[Partial<RunCommand>]>([[{ console: 'off' }], [{ json: true }], [{ json: true, console: 'off' }]])(
  'nothing is opened for %o',
  async (command) => {
    const { ports, stdout } = await runWith(command);
    expect([ports, stdout.includes('launch')]).toEqual([[], false]);
  },
);

test('a taken usual port is no reason to go without: any free one will do', async () => {
  const { ports, stdout } = await runWith({}, ['PORT_IN_USE']);
  expect(ports).toEqual([47_800, 0]);
  expect(stdout).toContain('Console: ');
});

test.each<[Partial<RunCommand>, FailureCode, readonly number[]]>([
  [{ console: 8080 }, 'PORT_IN_USE', [8080]],
  [{}, 'PAGES_MISSING', [47_800]],
])('for %o and %s the agent runs without a console and says why', async (command, code, asked) => {
  const { exit, ports, stderr, calls } = await runWith(command, [code]);
  expect([exit, ports, calls]).toEqual([0, asked, ['start', 'stop']]);
  expect(stderr).toContain(`${code}: `);
});

test.each([
  [{}, ['', ''], 3],
  [{ json: true, console: 8080 }, ['', 'console', 'other'], 2],
] as const)('for %o the lines %o bring the addresses told to %i', async (command, lines, told) => {
  const { stdout } = await runWith(command, [], lines);
  expect(stdout.match(/\/launch\//g)).toHaveLength(told);
});

test('an address that opens the console is not told where nobody reads it, such as a journal', async () => {
  const { stdout, ports } = await runWith({}, [], [], false);
  expect(ports).toEqual([47_800]);
  expect(stdout).toContain('Console: http://127.0.0.1:1. ');
  expect(stdout).not.toContain('launch');
});
