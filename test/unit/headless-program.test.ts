import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createPrompt } from '../../electron/headless-program.ts';

const headless = pathToFileURL(join(import.meta.dirname, '../../electron/headless-program.ts')).href;

/** Runs a program in a process of its own: `body` uses `deps` and returns the exit code. */
function program(body: string) {
  const code = `
    import { createProcessDeps, runToEnd } from '${headless}';
    const deps = createProcessDeps();
    await runToEnd(async () => { ${body} }, deps);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (written.stdout += String(text)));
  child.stderr.on('data', (text) => (written.stderr += String(text)));
  const ended = once(child, 'close').then(([exit]) => exit);
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      const look = (): void => void (written.stdout.includes(text) && resolve());
      child.stdout.on('data', look);
      look();
    });
  return { child, written, ended, said };
}

const waitForStop = `
  const stop = deps.listenForStop();
  deps.output.line('listening');
  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));`;

test('a program that only waits lives until its signal comes, and ends with its own exit code', async () => {
  const { child, ended, said } = program(`${waitForStop} return 14;`);
  await said('listening');
  child.kill('SIGTERM');
  expect(await ended).toBe(14);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends at once at a second %s', async (name, exit) => {
  const { child, ended, said } = program(
    `${waitForStop} deps.output.line('stopping'); await new Promise(() => {});`,
  );
  await said('listening');
  child.kill('SIGTERM');
  await said('stopping');
  child.kill(name);
  expect(await ended).toBe(exit);
});

test('writes all of its output before it ends, though something still hangs', async () => {
  const { written, ended } = program(
    `setInterval(() => {}, 1000); for (let i = 0; i < 3000; i += 1) deps.output.line('x'.repeat(99)); return 10;`,
  );
  expect(await ended).toBe(10);
  expect(written.stdout).toHaveLength(300_000);
});

test('fault 10: says a fault of its own in one line and ends with 1', async () => {
  for (const body of [
    `throw new Error('bug\\nhere');`,
    `setTimeout(() => { throw new Error('bug\\nhere'); }); await new Promise(() => {});`,
  ]) {
    const { written, ended } = program(body);
    expect(await ended).toBe(1);
    expect(written.stderr).toMatch(/^Internal error: \{"name":"Error","message":"bug\\nhere".*\n$/);
  }
});

test('goes on when the reader of its output goes away', async () => {
  const { child, ended, said } = program(`
    deps.output.line('begin');
    for (let i = 0; i < 50; i += 1) { deps.output.line('x'.repeat(9999)); await new Promise((r) => setTimeout(r, 1)); }
    return 0;`);
  await said('begin');
  child.stdout.destroy();
  expect(await ended).toBe(0);
});

function terminal() {
  const input = new PassThrough();
  const asked: string[] = [];
  const stop = new AbortController();
  const ask = createPrompt(input, (text) => void asked.push(text));
  return { input, asked, stop, answer: (question: string) => ask(question, stop.signal) };
}

test('asks a person once and answers with the line that was typed', async () => {
  const { input, asked, answer } = terminal();
  const answered = answer('Name: ');
  input.write('Ada Love');
  input.write('lace\nand more\n');
  expect(await answered).toBe('Ada Lovelace');
  expect(asked).toEqual(['Name: ']);
});

test('has no answer of a person when the input ends or a signal comes, before or meanwhile', async () => {
  const ended = terminal();
  const noLine = ended.answer('Name: ');
  ended.input.end();
  expect(await noLine).toBeUndefined();
  expect(ended.asked).toEqual(['Name: ', '\n']);

  const stopped = terminal();
  const noAnswer = stopped.answer('Name: ');
  stopped.stop.abort();
  expect(await noAnswer).toBeUndefined();
  expect(await stopped.answer('Again: ')).toBeUndefined();
});

test('fault 10: the system service starts the agent again, and stops after five faults in ten minutes', () => {
  const unit = readFileSync('build/systemd/vms-export-agent.service', 'utf8');
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  expect(valueOf('Restart')).toBe('on-failure');
  expect(valueOf('StartLimitBurst')).toBe('5');
  // Five starts and their pauses must fit well into the interval, or the limit would never be reached
  expect(Number(valueOf('StartLimitIntervalSec'))).toBeGreaterThan(5 * 2 * Number(valueOf('RestartSec')));
});
