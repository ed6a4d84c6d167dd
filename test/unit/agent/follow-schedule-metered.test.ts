import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createMeteredConnection,
  createScheduleFollower,
  meteredQuestion,
} from '../../../electron/agent/follow-schedule.ts';
import { collectLog } from '../../helpers/desk-tools.ts';
import { createManualClock } from './upload/manual-clock.ts';

const MINUTE_MS = 60_000;
const MB = 1_000_000;
/** Time for a program to start on a busy PC, milliseconds. */
const patience = { timeout: 30_000 };
const UNKNOWN =
  'warn: The system does not report whether the connection is metered, so upload.onMetered has no effect';
const ends: (() => unknown)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

/**
 * NetworkManager's bus as a program that prints the test's answer and records how and by which process it was called.
 */
async function createBus(body = 'cat "$folder/answer"') {
  const folder = await mkdtemp(join(tmpdir(), 'vea-bus-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'busctl');
  const text = `#!/bin/sh\nfolder=${folder}\necho "$$ $*" >> "$folder/calls"\n${body}\n`;
  writeFileSync(program, text, { mode: 0o755 });
  const question = meteredQuestion('linux', {});
  if (question === undefined) throw new Error('Linux has somebody to ask');
  const calls = join(folder, 'calls');
  return {
    question: { ...question, program },
    says: (answer: string) => writeFileSync(join(folder, 'answer'), answer),
    // The file may be open with nothing written yet
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').slice(0, -1) : []),
  };
}

function createDesk(question: ReturnType<typeof meteredQuestion>) {
  const clock = createManualClock();
  const { logger, lines } = collectLog();
  const stopping = new AbortController();
  ends.push(() => stopping.abort(new Error('over')));
  let network = 'at home';
  const onChange = vi.fn<() => void>();
  const connection = createMeteredConnection({
    question,
    clock,
    logger,
    stopping: stopping.signal,
    onChange,
    network: () => network,
  });
  return {
    ...{ clock, connection, lines, onChange },
    stop: () => stopping.abort(new Error('over')),
    goTo: (place: string) => void (network = place),
    becomes: (isMetered: boolean) =>
      vi.waitFor(() => expect(connection.isMetered()).toBe(isMetered), patience),
  };
}

describe('a metered connection', () => {
  it('is what NetworkManager says, guesses included, and is asked for again once the network changed', async () => {
    const bus = await createBus();
    const desk = createDesk(bus.question);
    for (const [place, answer, isMetered] of [
      ['behind a modem', 'u 1\n', true],
      ['at home', 'u 2\n', false],
      ['behind a phone', 'u 3\n', true],
      ['in the office', 'u 4\n', false],
    ] as const) {
      bus.says(answer);
      desk.goTo(place);
      desk.connection.look();
      await desk.becomes(isMetered);
    }
    expect(desk.onChange).toHaveBeenCalledTimes(4);
    expect(bus.calls()[0]).toContain('--system get-property org.freedesktop.NetworkManager');
    expect(desk.lines).toEqual([]);
  });

  it('is asked for once a minute at the most while the network stays', async () => {
    const bus = await createBus();
    const desk = createDesk(bus.question);
    bus.says('u 1\n');
    desk.connection.look();
    await desk.becomes(true);
    await desk.clock.advance(MINUTE_MS - 1);
    desk.connection.look();
    // Once another desk has its answer, this one would have had it as well
    const other = createDesk(bus.question);
    other.connection.look();
    await other.becomes(true);
    expect(bus.calls()).toHaveLength(2);
    bus.says('u 2\n');
    await desk.clock.advance(1);
    desk.connection.look();
    await desk.becomes(false);
    expect(bus.calls()).toHaveLength(3);
  });

  it.each([
    ['NetworkManager does not know', 'echo u 0'],
    ['there is no NetworkManager', 'echo "Call failed" >&2; exit 1'],
    ['something else answers', 'echo "u 11"; echo "u 1"'],
  ])('is none where %s, which is said once', async (_, body) => {
    const bus = await createBus(`if test -e "$folder/answer"; then cat "$folder/answer"; else ${body}; fi`);
    const desk = createDesk(bus.question);
    desk.connection.look();
    await vi.waitFor(() => expect(desk.lines).toEqual([UNKNOWN]), patience);
    expect(desk.connection.isMetered()).toBe(false);
    bus.says('u 1');
    desk.goTo('behind a modem');
    desk.connection.look();
    await desk.becomes(true);
    await rm(join(bus.question.program, '..', 'answer'));
    desk.goTo('at home');
    desk.connection.look();
    await desk.becomes(false);
    expect(desk.lines).toEqual([UNKNOWN]);
  });

  it.each([
    ['without the program', { ...meteredQuestion('linux', {}), program: '/nowhere/busctl' }],
    ['on macOS', meteredQuestion('darwin', {})],
  ])('is none %s, which is said once', async (_, question) => {
    const desk = createDesk(question as ReturnType<typeof meteredQuestion>);
    desk.connection.look();
    await vi.waitFor(() => expect(desk.lines).toEqual([UNKNOWN]), patience);
    desk.connection.look();
    expect([desk.connection.isMetered(), desk.lines.length]).toEqual([false, 1]);
  });

  it('waits for one answer at a time, and a question that hangs ends with the agent', async () => {
    const bus = await createBus('exec sleep 600');
    const desk = createDesk(bus.question);
    desk.connection.look();
    await vi.waitFor(() => expect(bus.calls()).toHaveLength(1), patience);
    desk.goTo('elsewhere');
    await desk.clock.advance(2 * MINUTE_MS);
    desk.connection.look();
    const pid = Number(bus.calls()[0]?.split(' ')[0]);
    expect(() => process.kill(pid, 0)).not.toThrow();
    desk.stop();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience);
    expect(bus.calls()).toHaveLength(1);
    expect(desk.lines).toEqual([]);
  });

  it.each([
    ['Unrestricted\r\n', false],
    ['Fixed\r\n', true],
    ['Variable\r\n', true],
    ['Unknown\r\n', undefined],
    ['', undefined],
  ])('is what Windows says: %j', (printed, isMetered) => {
    const question = meteredQuestion('win32', { SystemRoot: 'D:\\Windows' });
    expect(question?.program).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    expect(meteredQuestion('win32', { SystemRoot: 'here' })?.program).toMatch(/^C:\\Windows\\System32\\/);
    expect(question?.read(printed)).toBe(isMetered);
  });
});

it('has a limit of its own while the connection is metered, and the schedule still counts where it is stricter', async () => {
  const bus = await createBus();
  bus.says('u 1\n');
  const clock = createManualClock();
  const stopping = new AbortController();
  ends.push(() => stopping.abort(new Error('over')));
  const limits: (number | null)[] = [];
  const told: string[] = [];
  const startMs = Date.parse('2026-05-06T11:59:00Z') - clock.monotonic();
  const follower = createScheduleFollower({
    upload: {
      maxBytesPerSecond: 4 * MB,
      schedule: [{ days: ['wed'], from: '12:00', to: '12:05', limit: 'pause' }],
      onMetered: MB,
    },
    metered: bus.question,
    timeZone: 'UTC',
    clock: { ...clock, now: () => startMs + clock.monotonic() },
    limiter: { setLimit: (limit) => void limits.push(limit) },
    logger: collectLog().logger,
    signals: { changed: (subject) => void told.push(subject) },
    stopping: stopping.signal,
  });
  follower.start({ interrupt: async () => void told.push('interrupt'), wake: () => void told.push('wake') });
  await vi.waitFor(() => expect(follower.state()).toEqual({ limit: MB, isMetered: true }), patience);
  await clock.advance(MINUTE_MS);
  expect(follower.state()).toEqual({ limit: 'pause', until: '2026-05-06T12:05:00.000Z' });
  await clock.advance(5 * MINUTE_MS);
  expect(follower.limitNow()).toBe(MB);
  expect(limits).toEqual([4 * MB, MB, MB]);
  expect(told).toEqual(['health', 'interrupt', 'health', 'wake', 'health']);
});
