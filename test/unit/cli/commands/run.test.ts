import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FailureError } from '../../../../shared/domain/failure.ts';
import type { AgentEvent } from '../../../../electron/agent/events.ts';
import { run, type RunInput } from '../../../../electron/cli/commands/run.ts';
import { createFakeAgent, createFakeDeps, failure, idle } from '../fake-deps.ts';

const once: RunInput = {
  once: true,
  console: undefined,
  isDemo: false,
  logLevel: 'warn',
  json: true,
};
const endless: RunInput = { ...once, once: false };

const found: AgentEvent = {
  event: 'incident.found',
  incidentId: 'i1',
  title: 'Gate 4',
  folder: '/e/g',
  clips: 2,
};
const uploaded: AgentEvent = {
  event: 'clip.uploaded',
  incidentId: 'i1',
  clipId: 'c1',
  file: 'a.mp4',
  bytes: 1234,
  sha256: 'ab',
  storageKey: 'k',
};
const failed: AgentEvent = {
  event: 'clip.failed',
  incidentId: 'i1',
  clipId: 'c2',
  file: 'b\u202e.mp4',
  code: 'FILE_TOO_LARGE',
  message: 'Too large.',
  advice: 'Cut it.',
};
const synced: AgentEvent = {
  event: 'incident.synced',
  incidentId: 'i1',
  title: 'Gate 4',
  uploaded: 1,
  failed: 0,
  pending: 0,
};
const held = (code: 'FILE_LINK' | 'FILE_SKIPPED' | 'FILE_INCOMPLETE', file = 'x.mp4'): AgentEvent => ({
  event: 'file.held',
  folder: '/e/g',
  file,
  code,
  message: 'Held.',
  advice: 'Export it again.',
});

/** Runs `run --once` with an agent that emits these events before it is idle. */
async function runWith(events: readonly AgentEvent[], clipsFailed = 0, command = once) {
  const fake = createFakeAgent({
    untilIdle: () => {
      for (const event of events) fake.events.emit(event);
      return Promise.resolve(undefined);
    },
    progressNow: () => ({ ...idle, clipsFailed }),
  });
  const around = await createFakeDeps(fake.agent);
  const exit = await run.run(command, around.deps);
  return { ...around, ...fake, exit };
}

test('starts, waits, stops, and writes one object a line with a summary at the end', async () => {
  const { calls, exit, jsonLines, written, made, folder } = await runWith([found, uploaded, synced]);
  expect(calls).toEqual(['start', 'untilIdle', 'stop']);
  expect(exit).toBe(0);
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(jsonLines()).toEqual([
    { ...found, at },
    { ...uploaded, at },
    { ...synced, at },
    {
      event: 'summary',
      incidents: 1,
      uploaded: 1,
      failed: 0,
      bytes: 1234,
      seconds: expect.any(Number),
      held: 0,
      paused: 0,
      unrecognised: 0,
      altered: 0,
      waiting: 0,
      refused: 0,
    },
  ]);
  expect(written.stdout).toMatch(/^\{"event":"incident.found","at":"/);
  expect(written.stdout).toMatch(
    /"bytes":1234,"seconds":\d+(\.\d{1,3})?,"held":0,"paused":0,"unrecognised":0,"altered":0,"waiting":0,"refused":0\}\n$/,
  );
  expect(written.stderr).toBe('');
  expect(made.configs).toMatchObject([
    { version: '1.2.3', dataDir: join(folder, 'home/.local/share/vms-export-agent') },
  ]);
});

test('says the same in words without --json', async () => {
  const { written } = await runWith([found, uploaded, failed, synced], 1, { ...once, json: false });
  expect(written.stdout.split('\n')).toEqual([
    '○ Found     "Gate 4": 2 clips in /e/g',
    '✓ Sent      a.mp4 (1.2 kB)',
    '✕ Failed    FILE_TOO_LARGE: b<U+202E>.mp4: Too large. Cut it.',
    '✓ Synced    "Gate 4": 1 sent, 0 failed, 0 waiting',
    expect.stringMatching(/^1 incident, 1 clip sent \(1\.2 kB\), 1 failed, in [\d.]+ s\.$/),
    '',
  ]);
});

const altered: AgentEvent = {
  event: 'clip.altered',
  incidentId: 'i1',
  clipId: 'c1',
  file: 'a.mp4',
  code: 'FILE_ALTERED',
  message: 'a.mp4: The file was changed.',
  sentSha256: 'ab',
};

test.each<[string, readonly AgentEvent[], number, number]>([
  ['nothing happened', [], 0, 0],
  ['a clip failed now', [found, failed], 1, 14],
  ['a clip failed in an earlier run', [], 1, 14],
  ['a file is held back', [found, held('FILE_INCOMPLETE')], 0, 14],
  ['a clip changed before it was sent', [found, uploaded, altered], 0, 14],
  ['a link was left out', [found, held('FILE_LINK')], 0, 0],
  ['a file was left out on purpose', [found, held('FILE_SKIPPED')], 0, 0],
  ['a held file was uploaded in the end', [found, held('FILE_INCOMPLETE', 'a.mp4'), uploaded], 0, 0],
])('ends well or with 14 when %s', async (_, events, clipsFailed, code) => {
  expect((await runWith(events, clipsFailed)).exit).toBe(code);
});

test('ends with 14 and says so when only paused clips are left', async () => {
  const left = { ...idle, clips: 3, clipsPaused: 3 };
  for (const json of [true, false]) {
    const { agent } = createFakeAgent({ progressNow: () => left });
    const { deps, written } = await createFakeDeps(agent);
    expect(await run.run({ ...once, json }, deps)).toBe(14);
    expect(written.stdout).toContain(json ? '"paused":3' : '3 clips paused');
  }
});

test.each([
  ['KEY_REFUSED', 11],
  ['VIDEO_PERMISSION_MISSING', 11],
  ['NETWORK', 12],
  ['DB_BROKEN', 1],
] as const)(
  'fault 6: %s while working ends with %d, stops the agent and still sums up',
  async (code, exit) => {
    const { agent, calls } = createFakeAgent({ untilIdle: () => Promise.resolve(failure(code)) });
    const { deps, jsonLines, written } = await createFakeDeps(agent);
    expect(await run.run(once, deps)).toBe(exit);
    expect(calls.at(-1)).toBe('stop');
    expect(jsonLines().map((line) => line['event'])).toEqual(['error', 'summary']);
    expect(jsonLines()[0]).toMatchObject({ code, advice: 'Do something.' });
    expect(written.stderr).toBe(`${code}: ${code} happened. Do something.\n`);
  },
);

test('fault 12: an agent that cannot start because another owns the data ends with 13', async () => {
  const { agent } = createFakeAgent({
    start: () => Promise.reject(new FailureError(failure('DATA_IN_USE'))),
  });
  const { deps, written } = await createFakeDeps(agent);
  expect(await run.run(endless, deps)).toBe(13);
  expect(written.stderr).toContain('DATA_IN_USE');
});

test('a fault of the program is not taken for trouble', async () => {
  const { agent } = createFakeAgent({ start: () => Promise.reject(new TypeError('bug')) });
  const { deps, signals } = await createFakeDeps(agent);
  await expect(run.run(once, deps)).rejects.toThrow('bug');
  expect(signals.listenerCount('SIGINT')).toBe(0);
});

test('a bad configuration ends with 10 before an agent is made, with all that is wrong', async () => {
  const { agent } = createFakeAgent();
  const { deps, made, jsonLines } = await createFakeDeps(agent, {
    baseUrl: 'http://api.example.com',
    wach: [],
  });
  expect(await run.run(once, deps)).toBe(10);
  expect(made.configs).toEqual([]);
  expect(jsonLines().map((line) => line['code'])).toEqual(['CONFIG_UNKNOWN_KEY', 'CONFIG_URL']);
});

test('takes the named configuration and data directory, relative to the working folder', async () => {
  const { agent } = createFakeAgent();
  const { deps, made, folder } = await createFakeDeps(agent);
  const settings = { baseUrl: 'https://other.example.com', apiKeyFile: 'k.txt', watch: [{ path: 'in' }] };
  await writeFile(join(folder, 'other.json'), JSON.stringify(settings));
  expect(await run.run({ ...once, config: 'other.json', dataDir: 'data' }, deps)).toBe(0);
  expect(made.configs[0]).toMatchObject({
    dataDir: join(folder, 'data'),
    settings: { baseUrl: 'https://other.example.com', watch: [{ path: join(folder, 'in') }] },
  });
  const places = { apiKeyPath: join(folder, 'k.txt'), dataDir: join(folder, 'data') };
  expect(made.ports).toEqual([{ logLevel: 'warn', logFormat: 'json', ...places }]);
});

test.each([
  ['SIGINT', endless, 0],
  ['SIGTERM', endless, 0],
  ['SIGINT', once, 130],
  ['SIGTERM', once, 143],
] as const)('stops in order at %s', async (name, command, exit) => {
  const fake = createFakeAgent({ untilIdle: () => new Promise(() => undefined) });
  const { deps, signals, jsonLines } = await createFakeDeps(fake.agent);
  const running = run.run(command, deps);
  await expect.poll(() => fake.calls.length).toBeGreaterThanOrEqual(command.once ? 2 : 1);
  signals.emit(name);
  expect(await running).toBe(exit);
  expect(fake.calls.at(-1)).toBe('stop');
  expect(jsonLines().at(-1)).toMatchObject({ event: 'summary' });
});

test('an agent that rejects its wait because of the signal has stopped in order', async () => {
  const { agent } = createFakeAgent({
    untilIdle: (signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  });
  const { deps, signals } = await createFakeDeps(agent);
  const running = run.run(once, deps);
  await expect.poll(() => signals.listenerCount('SIGINT')).toBe(1);
  signals.emit('SIGINT');
  expect(await running).toBe(130);
});

test('does not wait longer than ten seconds for the agent to stop, nor for a second signal', async () => {
  const { agent, calls } = createFakeAgent({ stop: () => new Promise(() => undefined) });
  const { deps, signals, exits, written } = await createFakeDeps(agent);
  const waits: number[] = [];
  let lapse: () => void = () => undefined;
  const clock = {
    ...deps.clock,
    sleep: (delayMs: number) => {
      waits.push(delayMs);
      return new Promise<void>((resolve) => {
        lapse = resolve;
      });
    },
  };
  const running = run.run(endless, { ...deps, clock });
  await expect.poll(() => calls).toContain('start');
  signals.emit('SIGTERM');
  await expect.poll(() => calls).toContain('stop');
  signals.emit('SIGINT');
  expect(exits).toEqual([130]);
  expect(waits).toEqual([10_000]);
  lapse();
  expect(await running).toBe(0);
  expect(written.stderr).toContain('Stopping took longer than 10 s');
});

const stands = (state: 'unrecognised' | 'writing' | 'settling', folder = 'Only pictures'): AgentEvent => ({
  event: 'export.state',
  root: '/e',
  folder,
  state,
  since: '2026-05-01T19:30:05.000Z',
  files: 2,
  message: 'The folder holds only pictures.',
  advice: 'Export it again.',
});

test.each([
  { why: 'a folder holds no clip', events: [stands('unrecognised')], exit: 14 },
  { why: 'a clip came into it meanwhile', events: [stands('unrecognised'), stands('writing')], exit: 0 },
  {
    why: 'one of two has a clip by now',
    events: [stands('unrecognised'), stands('unrecognised', 'B'), stands('writing')],
    exit: 14,
  },
])('ends with $exit when $why', async ({ events, exit }) => {
  const run = await runWith(events);
  expect(run.exit).toBe(exit);
  expect(run.jsonLines().at(-1)?.['unrecognised']).toBe(exit === 14 ? 1 : 0);
});

test('says at a terminal what a folder without a clip holds, and nothing of what passes by itself', async () => {
  const { written } = await runWith([stands('settling'), stands('unrecognised')], 0, {
    ...once,
    json: false,
  });
  expect(written.stdout.split('\n').slice(0, -1)).toEqual([
    '! Not recognised "Only pictures": The folder holds only pictures. Export it again.',
    expect.stringMatching(/^0 incidents, 0 clips sent .*1 folder not recognised or with files missing/),
  ]);
});
