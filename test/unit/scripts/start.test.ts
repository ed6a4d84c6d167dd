import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  chooseHost,
  type HostFacts,
  headlessArguments,
  whyItDied,
  type DesktopEnd,
} from '../../../scripts/start.ts';

/** A system where the runtime is there after this many fetches; 0: from the start. */
function system(comesWith: number, change: Partial<HostFacts> = {}) {
  let fetches = 0;
  const facts: HostFacts = {
    platform: 'linux',
    environment: { DISPLAY: ':0' },
    find: () => (fetches >= comesWith ? '/electron' : undefined),
    async fetch() {
      fetches += 1;
      return fetches >= comesWith ? undefined : 'TypeError: fetch failed';
    },
    ...change,
  };
  return { facts, fetches: () => fetches };
}
const NEVER = Infinity;

describe('npm start', () => {
  test('opens the desktop app where the runtime is, without fetching anything', async () => {
    const { facts, fetches } = system(0);
    expect(await chooseHost(facts)).toEqual({ kind: 'desktop', executable: '/electron' });
    expect(fetches()).toBe(0);
  });

  test('opens the desktop app once the runtime was fetched', async () => {
    const { facts } = system(1);
    expect(await chooseHost(facts)).toEqual({ kind: 'desktop', executable: '/electron' });
  });

  test('says in one line that the runtime is missing, and why, before it starts without it', async () => {
    const { facts, fetches } = system(NEVER);
    const host = await chooseHost(facts);
    expect(host).toEqual({
      kind: 'headless',
      notice:
        'The Electron runtime is missing and could not be downloaded (TypeError: fetch failed): the agent runs without the desktop app; open its console in a browser.',
    });
    expect(fetches()).toBe(1);
  });

  test('fetches nothing on a server without a screen, and says both', async () => {
    const { facts, fetches } = system(NEVER, { environment: {} });
    const host = await chooseHost(facts);
    expect(host.kind === 'headless' && host.notice).toMatch(
      /^The Electron runtime is missing, and there is no screen/,
    );
    expect(fetches()).toBe(0);
  });

  test('starts without the desktop app where the runtime is and a screen is not', async () => {
    const { facts } = system(0, { environment: {} });
    const host = await chooseHost(facts);
    expect(host.kind === 'headless' && host.notice).toMatch(/^There is no screen here/);
  });

  test.each(['win32', 'darwin'] as const)('takes it for granted that %s has a screen', async (platform) => {
    const { facts } = system(0, { platform, environment: {} });
    expect((await chooseHost(facts)).kind).toBe('desktop');
  });
});

const end = (change: Partial<DesktopEnd>): DesktopEnd => ({
  code: null,
  signal: null,
  ranMs: 300,
  said: '',
  ...change,
});

describe('a desktop app that does not come up', () => {
  test.each([
    [
      'user namespaces',
      { signal: 'SIGTRAP', said: '[1:FATAL:zygote_host_impl_linux.cc] No usable sandbox! If' },
    ],
    ['not run as root', { code: 1, said: 'ERROR: Running as root without --no-sandbox is not supported.' }],
    [
      'libgtk-3.so.0',
      { code: 127, said: 'electron: error while loading shared libraries: libgtk-3.so.0: cannot' },
    ],
    ['does not respond', { code: 1, said: 'Missing X server or $DISPLAY' }],
    ['ended by SIGSEGV', { signal: 'SIGSEGV', ranMs: 60_000 }],
    ['exited with code 133', { code: 133 }],
  ] as const)('is told with what helps: %s', (words, change) => {
    expect(whyItDied(end(change))).toContain(words);
  });

  test.each([
    ['a person quit it', { code: 0 }],
    ['a switch was refused', { code: 64 }],
    ['its start failed, and it said so itself', { code: 1 }],
    ['it had a fault later', { code: 1, ranMs: 60_000, said: 'No usable sandbox' }],
    ['somebody ended it', { signal: 'SIGTERM' }],
  ] as const)('is not what happened when %s', (_what, change) => {
    expect(whyItDied(end(change))).toBeUndefined();
  });
});

test('the agent in its place gets none of the arguments that only the desktop app knows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const args = [
    '--hidden',
    folder,
    'vms-export-agent://incident/1',
    '--console',
    '47900',
    '--config',
    'c.json',
  ];
  expect(headlessArguments(args)).toEqual(['--console', '47900', '--config', 'c.json']);
});
