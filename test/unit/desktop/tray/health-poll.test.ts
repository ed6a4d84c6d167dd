import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createSetupCheck,
  startHealthPoll,
  type DeskState,
} from '../../../../electron/desktop/tray/health-poll.ts';
import { failureSchema } from '../../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { createCaller } from '../../../../shared/ipc/caller.ts';
import type { SettingsView } from '../../../../shared/ipc/calls/settings.ts';
import type { KeyState } from '../../../../shared/ipc/calls/settings.ts';
import type { AgentSignal } from '../../../../shared/ipc/events.ts';
import { collectLog, healthOf, progressOf, say } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const refused = failureSchema.parse({
  code: 'KEY_STORE',
  message: 'GNOME Keyring does not give the key.',
  advice: 'Unlock it.',
  retryable: true,
});
const { apiKeyFile: _, ...settings } = settingsSchema.parse({ watch: [] });
const withService: SettingsView = {
  settings: { ...settings, baseUrl: 'https://api.example' },
  needsRestart: false,
};
let view: SettingsView;
let key: KeyState;
let asked: number;
let listeners: Set<(signal: AgentSignal) => void>;
let isThere: boolean;

beforeEach(() => {
  [view, key, asked, isThere] = [withService, { isSet: false, keptIn: 'keyStore' }, 0, true];
  listeners = new Set();
});

function start() {
  const { call } = createCaller(async (request) => {
    if (request.call === 'settings.key') asked += 1;
    if (!isThere) throw new Error('not started');
    return { ok: true, value: request.call === 'settings.key' ? key : view };
  });
  const on = (listener: (signal: AgentSignal) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return createSetupCheck({ on }, call, say);
}
const tellOf = (subject: 'settings' | 'uploads') => {
  for (const listener of listeners) listener({ kind: 'changed', subject, version: 1 });
};

describe('what nothing can be sent without', () => {
  it('is a service, then a key for it, then nothing', async () => {
    view = { settings, needsRestart: false };
    const look = start();
    expect(await look.read()).toBe('No service address');
    view = withService;
    expect(await look.read()).toBe('No API key');
    key = { isSet: true, keptIn: 'keyStore' };
    expect(await look.read()).toBeUndefined();
  });

  it('is asked for again when the settings change, and not each time', async () => {
    key = { isSet: true, keptIn: 'file' };
    const look = start();
    for (let times = 0; times < 5; times += 1) await look.read();
    tellOf('uploads');
    await look.read();
    expect(asked).toBe(1);
    key = { isSet: false, keptIn: 'file' };
    tellOf('settings');
    expect(await look.read()).toBe('No API key');
  });

  it('is a key store that refused, which is not asked again and again', async () => {
    key = { isSet: false, keptIn: 'keyStore', failure: refused };
    const look = start();
    for (let times = 0; times < 5; times += 1) expect(await look.read()).toBe(refused.message);
    expect(asked).toBe(1);
  });

  it('is not known before the agent answers', async () => {
    isThere = false;
    const look = start();
    expect(await look.read()).toBeUndefined();
    isThere = true;
    expect(await look.read()).toBe('No API key');
  });

  it('is looked at once more when the settings change during the look', async () => {
    key = { isSet: true, keptIn: 'file' };
    const look = start();
    const reading = look.read();
    tellOf('settings');
    await reading;
    key = { isSet: false, keptIn: 'file' };
    expect(await look.read()).toBe('No API key');
  });

  it('is not listened for after the stop', () => {
    const look = start();
    look.stop();
    expect(listeners.size).toBe(0);
  });
});

describe('the poll of the health', () => {
  it('runs every two seconds, at once when asked, and not after its stop', async () => {
    const clock = createFakeClock();
    const seen: DeskState[] = [];
    const health = healthOf({ isPaused: true });
    const poll = startHealthPoll({
      say,
      agent: {
        call: async (request) =>
          isDeepStrictEqual(request, { call: 'health.get', input: {} })
            ? { ok: true, value: health }
            : { ok: false, error: refused },
        progress: () => progressOf({ clips: 1 }),
        signals: { on: () => () => undefined },
      },
      clock,
      logger: collectLog().logger,
      onState: (state) => void seen.push(state),
    });
    await expect.poll(() => seen).toEqual([{ health, progress: progressOf({ clips: 1 }) }]);
    await clock.advance(2_000);
    expect(seen).toHaveLength(2);
    await poll.pollNow();
    expect(seen).toHaveLength(3);
    poll.stop();
    await poll.pollNow();
    expect(seen).toHaveLength(3);
    expect(clock.sleepers()).toBe(0);
  });

  it('says nothing of a health that it does not get', async () => {
    const seen: DeskState[] = [];
    const poll = startHealthPoll({
      say,
      agent: {
        call: () => Promise.reject(new Error('not there')),
        progress: () => progressOf(),
        signals: { on: () => () => undefined },
      },
      clock: createFakeClock(),
      logger: collectLog().logger,
      onState: (state) => void seen.push(state),
    });
    await expect.poll(() => seen[0]).toEqual({ health: undefined, progress: progressOf() });
    poll.stop();
  });
});
