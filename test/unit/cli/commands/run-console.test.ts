import { expect, test } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import type { StartConsole } from '../../../../electron/cli/deps.ts';
import { run, type RunInput } from '../../../../electron/cli/commands/run.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

const input: RunInput = { once: false, console: undefined, isDemo: false, logLevel: 'warn', json: false };

/** Runs until the console was opened or refused, then stops; returns what was requested and written. */
async function runWith(
  command: Partial<RunInput>,
  refusals: readonly FailureCode[] = [],
  lines: readonly string[] = [],
  isTerminal = true,
) {
  const ports: number[] = [];
  let addresses = 0;
  let isStopped = false;
  const fake = createFakeAgent();
  const around = await createFakeDeps(fake.agent);
  const deps = { ...around.deps, prompt: isTerminal ? async () => undefined : undefined };
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
  const running = run.run({ ...input, ...command }, { ...deps, startConsole });
  const listenersOf = (name: string) => around.signals.listenerCount(name);
  await expect.poll(() => listenersOf('SIGTERM')).toBe(1);
  if (lines.length > 0) await expect.poll(() => listenersOf('line')).toBe(1);
  for (const line of lines) around.signals.emit('line', line);
  around.signals.emit('SIGTERM');
  return { exit: await running, ports, isStopped, calls: fake.calls, ...around.written };
}

test('a run writes the address of its console, and ends it with the agent', async () => {
  const { exit, stdout, isStopped, ports, calls } = await runWith({});
  expect([exit, ports, isStopped]).toEqual([0, [47_800], true]);
  expect(stdout).toContain('Console: http://127.0.0.1:1/launch/code1\n');
  expect(calls).toEqual(['start', 'stop']);
});

test('a program gets the address when it asked for a port', async () => {
  const { stdout } = await runWith({ json: true, console: 8080 });
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
    event: 'console',
    url: 'http://127.0.0.1:1/launch/code1',
  });
});

test.each<[Partial<RunInput>]>([[{ console: 'off' }], [{ json: true }], [{ json: true, console: 'off' }]])(
  'nothing is opened for %o',
  async (command) => {
    const { ports, stdout } = await runWith(command);
    expect([ports, stdout.includes('launch')]).toEqual([[], false]);
  },
);

test('input F13: a taken usual port is no reason to go without: any free one will do', async () => {
  const { ports, stdout } = await runWith({}, ['PORT_IN_USE']);
  expect(ports).toEqual([47_800, 0]);
  expect(stdout).toContain('Console: ');
});

test.each<[Partial<RunInput>, FailureCode, readonly number[]]>([
  [{ console: 8080 }, 'PORT_IN_USE', [8080]],
  [{}, 'PAGES_MISSING', [47_800]],
])('for %o and %s the agent runs without a console and says why', async (command, code, asked) => {
  const { exit, ports, stderr, calls } = await runWith(command, [code]);
  expect([exit, ports, calls]).toEqual([0, asked, ['start', 'stop']]);
  expect(stderr).toContain(`${code}: `);
});

test('a program is told on stdout that there is no console', async () => {
  const { exit, stdout } = await runWith({ json: true, console: 8080 }, ['PORT_IN_USE']);
  expect(exit).toBe(0);
  const line = stdout.split('\n').find((each) => each.includes('PORT_IN_USE'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ event: 'warning', message: expect.any(String) });
});

test.each([
  [{}, ['', ''], 3],
  [{ json: true, console: 8080 }, ['', 'console', 'other'], 2],
] as const)('for %o the lines %o bring the addresses written to %i', async (command, lines, written) => {
  const { stdout } = await runWith(command, [], lines);
  expect(stdout.match(/\/launch\//g)).toHaveLength(written);
});

test('an address that opens the console is not written where nobody reads it, such as a journal', async () => {
  const { stdout, ports } = await runWith({}, [], [], false);
  expect(ports).toEqual([47_800]);
  expect(stdout).toContain('Console: http://127.0.0.1:1. ');
  expect(stdout).not.toContain('launch');
});
