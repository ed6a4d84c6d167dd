import { describe, expect, test } from 'vitest';
import { chooseHost, type HostFacts } from '../../../scripts/choose-host.ts';

/** A system in which the runtime comes with the fetch number `comesWith`; 0: it is there already. */
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
        'The Electron runtime is missing and could not be loaded (TypeError: fetch failed): the agent starts without the desktop app, with its console in the browser.',
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
