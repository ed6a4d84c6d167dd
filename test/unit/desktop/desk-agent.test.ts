import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { createSystemClock, type Agent, type Policy } from '../../../electron/agent/index.ts';
import { startDeskAgent, type DeskAgent } from '../../../electron/desktop/desk-agent.ts';
import { reportStartFailure } from '../../../electron/desktop/quitting/end-on-fault.ts';
import { say } from '../../helpers/desk-tools.ts';

const silent = (): void => undefined;
const ports = {
  clock: createSystemClock(),
  logger: { debug: silent, info: silent, warn: silent, error: silent },
  secrets: { apiKey: async () => undefined },
};
const folders: string[] = [];
const agents: DeskAgent[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function createPlaces(settings?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'desk-agent-'));
  folders.push(folder);
  const settingsFile = join(folder, 'vms-export-agent.json');
  if (settings !== undefined) await writeFile(settingsFile, settings);
  return { settingsFile, dataDir: join(folder, 'queue') };
}

const free: Policy = {
  places: [],
  count: 0,
  managed: {},
  recommended: {},
  updates: { enabled: true, channel: 'stable' },
  console: {},
};

function start(
  places: Awaited<ReturnType<typeof createPlaces>>,
  policy: Result<Policy, readonly Failure[]> = ok(free),
  programProblem?: Failure,
  faults = 0,
) {
  const made: Agent[] = [];
  const agent = startDeskAgent({
    proxyVariables: { named: { variable: 'HTTPS_PROXY', url: 'http://127.0.0.1:9' } },
    trusted: Promise.resolve(),
    places,
    version: '0.1.0',
    policy: Promise.resolve(policy),
    programProblem: Promise.resolve(programProblem),
    faults,
    ports,
    onMade: (each) => void made.push(each),
  });
  agents.push(agent);
  return { agent, made };
}

const plain = '{"baseUrl": "http://127.0.0.1:9"}';

describe('the agent of the desktop app', () => {
  it('starts with the settings of its file, and answers calls', async () => {
    const { agent, made } = start(await createPlaces(plain));
    const running = await agent.started;
    if (!running.ok) throw new Error(running.error.message);
    expect(running.value).toBe(made[0]);
    expect(await running.value.call({ call: 'settings.get', input: {} })).toMatchObject({
      ok: true,
      value: { settings: { baseUrl: 'http://127.0.0.1:9' } },
    });
  });

  it('reaches its service through the proxy of the environment', async () => {
    const { agent } = start(await createPlaces('{"baseUrl": "https://api.example.com/v1"}'));
    const running = await agent.started;
    if (!running.ok) throw new Error(running.error.message);
    expect(await running.value.call({ call: 'connection.check', input: {} })).toMatchObject({
      value: {
        lines: expect.arrayContaining([
          expect.objectContaining({
            name: 'address',
            text: expect.stringContaining('the proxy 127.0.0.1:9'),
          }),
          expect.objectContaining({
            name: 'tls',
            text: expect.stringContaining('No usable connection to the proxy'),
          }),
        ]),
      },
    });
  });

  it('says why it does not start when its file is broken, all of it at once', async () => {
    const { agent, made } = start(
      await createPlaces('{"baseUrl": "http://127.0.0.1:9", "wach": [], "uplod": 1}'),
    );
    const running = await agent.started;
    expect(running).toMatchObject({ ok: false, error: { code: 'CONFIG_UNKNOWN_KEY' } });
    expect(running.ok ? '' : running.error.message).toMatch(/wach.*uplod/s);
    expect(made).toEqual([]);
    expect(await agent.locateClip('c1')).toEqual(running);
  });

  it('starts without a file: the desk is set up on its pages', async () => {
    const { agent } = start(await createPlaces());
    const running = await agent.started;
    if (!running.ok) throw new Error(running.error.message);
    const settings = await running.value.call({ call: 'settings.get', input: {} });
    expect(settings).toMatchObject({ ok: true, value: { settings: { watch: [] } } });
  });

  it('follows the policy of the organisation, and does not start with less than it', async () => {
    const managed = { baseUrl: 'http://127.0.0.1:10' };
    const { agent } = start(await createPlaces(plain), ok({ ...free, places: ['here'], count: 1, managed }));
    const running = await agent.started;
    if (!running.ok) throw new Error(running.error.message);
    expect(await running.value.call({ call: 'settings.get', input: {} })).toMatchObject({
      value: { settings: managed, managed: ['baseUrl'] },
    });
    const invalid = {
      code: 'POLICY_INVALID',
      message: 'Broken.',
      advice: 'Mend it.',
      retryable: false,
    } as const;
    const { agent: refused, made } = start(await createPlaces(plain), err([invalid]));
    expect(await refused.started).toEqual(err(invalid));
    expect(made).toEqual([]);
  });

  it('opens nothing when the program is not the one that was installed', async () => {
    const problem = {
      code: 'PROGRAM_CHANGED',
      message: 'Another module.',
      advice: 'Install again.',
      retryable: false,
    } as const;
    const places = await createPlaces(plain);
    const { agent, made } = start(places, ok(free), problem);
    expect(await agent.started).toEqual(err(problem));
    expect([made, existsSync(places.dataDir)]).toEqual([[], false]);
  });

  it('ends the pause after a fault when the app quits, and is not started any more', async () => {
    const places = await createPlaces(plain);
    const { agent, made } = start(places, ok(free), undefined, 3);
    await agent.stop();
    expect(await agent.started).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect([made, existsSync(places.dataDir)]).toEqual([[], false]);
  });

  it('says so when another program works with the queue', async () => {
    const places = await createPlaces(plain);
    await start(places).agent.started;
    expect(await start(places).agent.started).toMatchObject({ ok: false, error: { code: 'DATA_IN_USE' } });
  });

  it('has nothing to lose before it is made', async () => {
    const { agent } = start(await createPlaces('{'));
    expect(agent.progress()).toMatchObject({ clips: 0, bytesTotal: 0 });
    await agent.drain();
    expect(await agent.started).toMatchObject({ ok: false });
  });

  it('is heard by those who listened before it was made, until they leave', async () => {
    const { agent } = start(await createPlaces(plain));
    const told: string[] = [];
    const leave = agent.onSignal(({ kind }) => told.push(kind));
    const gone = agent.onSignal(() => told.push('gone'));
    gone();
    const running = await agent.started;
    if (!running.ok) throw new Error(running.error.message);
    const heard = new Promise((resolve) => void agent.onSignal(resolve));
    await running.value.call({ call: 'uploads.pause', input: { target: { kind: 'all' } } });
    await heard;
    leave();
    expect(told).not.toEqual([]);
    expect(told).not.toContain('gone');
  });
});

describe('a start that failed', () => {
  const failure = {
    code: 'DB_NEWER',
    message: 'A newer\nqueue.',
    advice: 'Update.',
    retryable: false,
  } as const;

  it.each([
    [0, ['comes back', 'exit 1']],
    [1, ['exit 1']],
  ])('is told with what to do; answer %d ends the app', async (answer, expected) => {
    const done: string[] = [];
    const asked: { message: string; detail: string }[] = [];
    await reportStartFailure(failure, {
      app: { exit: (code) => void done.push(`exit ${code}`) },
      say,
      quit: { isEnding: () => false },
      relaunch: async () => void done.push('comes back'),
      dialogs: {
        async ask(question) {
          asked.push(question);
          return answer;
        },
      },
    });
    expect(done).toEqual(expected);
    expect(asked[0]?.message).toBe('A newer␊queue.');
    expect(asked[0]?.detail).toMatch(/^Update\./);
  });

  it('is not told while the app quits, which ends it in order', async () => {
    const done: string[] = [];
    await reportStartFailure(failure, {
      app: { exit: (code) => void done.push(`exit ${code}`) },
      say,
      quit: { isEnding: () => true },
      relaunch: async () => void done.push('comes back'),
      dialogs: {
        async ask() {
          done.push('asked');
          return 0;
        },
      },
    });
    expect(done).toEqual([]);
  });
});
