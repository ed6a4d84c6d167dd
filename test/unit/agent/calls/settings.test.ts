import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { settingsViewSchema, type SettingsChange } from '../../../../shared/ipc/calls/settings.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { loadSettings } from '../../../../electron/agent/settings/load-settings.ts';
import { createSettingsFile } from '../../../../electron/agent/settings/settings-file.ts';
import { createSettingsCalls } from '../../../../electron/agent/calls/settings.ts';
import { runCalls } from '../../../helpers/run-calls.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';

async function startDesk(config: Readonly<Record<string, unknown>> = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'settings-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config.json');
  const put = (more: Readonly<Record<string, unknown>>) =>
    writeFile(
      file,
      JSON.stringify({
        baseUrl: 'https://api.example.com/v1',
        apiKeyFile: 'canary-key.txt',
        watch: [{ path: 'exports' }],
        ...more,
      }),
    );
  await put(config);
  const loaded = await loadSettings(file);
  if (!loaded.ok) throw new Error('The settings are wrong');
  const trusted: string[] = [];
  const trust = async (_: string, origin: string) => {
    trusted.push(origin);
    return ok(undefined);
  };
  const calls = createSettingsCalls({
    applySettings: () => undefined,
    config: {
      settings: loaded.value.settings,
      settingsFile: file,
      dataDir: join(folder, 'data'),
      version: '1',
    },
    file: createSettingsFile(file, { settings: loaded.value.settings }),
    keyFile: { path: () => loaded.value.apiKeyPath },
    clock: createSystemClock(),
    secrets: { apiKey: async () => 'key-12345678', origins: { check: async () => undefined, trust } },
  });
  const { run, announced } = runCalls(calls);
  const read = () => run('settings.get', {});
  const save = (change: SettingsChange, before?: SettingsChange) =>
    run('settings.save', { change, ...(before && { before }) });
  return { folder, file, put, read, save, announced, trusted };
}

describe('the key', () => {
  it('goes to the address that a person saves, and not to one that was written into the file', async () => {
    const { put, save, trusted } = await startDesk();
    await put({ baseUrl: 'https://planted.example.com' });
    await save({ users: { updateMethod: 'PUT' } });
    await save({ baseUrl: 'https://planted.example.com' });
    expect(trusted).toEqual([]);
    await save({ baseUrl: 'https://chosen.example.com/v1' });
    expect(trusted).toEqual(['https://chosen.example.com']);
  });
});

describe('the settings', () => {
  it('are shown with their file, complete, and without the place of the key', async () => {
    const { folder, file, read } = await startDesk();
    const view = await read();
    expect(view).toMatchObject({
      ok: true,
      value: { file, needsRestart: false, settings: { watch: [{ path: join(folder, 'exports') }] } },
    });
    expect(view.ok && settingsViewSchema.parse(view.value)).toEqual(view.ok && view.value);
    expect(JSON.stringify(view)).not.toContain('canary-key');
  });

  it('that are saved need a restart, until they are again what the agent runs with', async () => {
    const { read, save, announced } = await startDesk();
    const saved = await save({ users: { updateMethod: 'PUT' } });
    expect(saved).toMatchObject({
      ok: true,
      value: { needsRestart: true, settings: { users: { updateMethod: 'PUT' } } },
    });
    expect(JSON.stringify(saved)).not.toContain('canary-key');
    expect(await read()).toEqual(saved);
    expect(announced).toEqual(['settings']);
    expect(await save({ users: { updateMethod: 'POST' } })).toMatchObject({ value: { needsRestart: false } });
  });

  it('that were changed elsewhere since a page read them are not overwritten', async () => {
    const { put, read, save } = await startDesk();
    const view = await read();
    if (!view.ok) throw new Error(view.error.message);
    const seen = view.value.settings;
    expect(await save({ users: { updateMethod: 'PUT' } }, seen)).toMatchObject({ ok: true });
    await put({ retention: { ...seen.retention, incidentsDays: 77 } });
    const { retention, users } = seen;
    expect(await save({ retention }, { retention })).toMatchObject({
      ok: false,
      error: { code: 'CHANGED_ELSEWHERE' },
    });
    expect(await read()).toMatchObject({ value: { settings: { retention: { incidentsDays: 77 } } } });
    // It does not concern other sections
    expect(await save({ users }, { users })).toMatchObject({ ok: true });
  });

  it('input F11: that someone edited by hand are shown, and need a restart', async () => {
    const { put, read } = await startDesk();
    await put({ apiKeyFile: 'other.txt' });
    expect(await read()).toMatchObject({ ok: true, value: { needsRestart: true } });
  });

  it('that are broken by hand are one failure with all its places', async () => {
    const { put, read, save, announced } = await startDesk();
    await put({ upload: { concurrentFiles: 0 }, incident: { publish: 'never' } });
    const broken = { ok: false, error: { code: 'CONFIG_RANGE', fields: [{}, {}] } };
    expect(await read()).toMatchObject(broken);
    expect(await save({ users: { updateMethod: 'PUT' } })).toMatchObject(broken);
    expect(announced).toEqual([]);
  });

  it('with a folder that must not be watched are refused: the agent could not start with them', async () => {
    const { file, save, announced } = await startDesk();
    const before = await readFile(file, 'utf8');
    const watch = settingsSchema.parse({ baseUrl: 'x', watch: [{ path: '/srv/a' }, { path: '/etc' }] }).watch;
    expect(await save({ watch })).toMatchObject({
      ok: false,
      error: { code: 'ROOT_FORBIDDEN', fields: [{ name: 'watch[1].path' }] },
    });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(announced).toEqual([]);
  });

  it('saved by several at once are all saved', async () => {
    const { save, read } = await startDesk();
    const { upload } = settingsSchema.parse({ baseUrl: 'x' });
    await Promise.all([
      save({ users: { updateMethod: 'PUT' } }),
      save({ incident: { publish: 'whenComplete', unknownTimes: 'omit' } }),
      save({ baseUrl: 'https://other.example.com' }),
      save({ upload: { ...upload, concurrentFiles: 7 } }),
    ]);
    expect(await read()).toMatchObject({
      value: {
        settings: {
          baseUrl: 'https://other.example.com',
          users: { updateMethod: 'PUT' },
          incident: { publish: 'whenComplete' },
          upload: { concurrentFiles: 7 },
        },
      },
    });
  });

  it('that come from no file are shown and cannot be saved', async () => {
    const settings = settingsSchema.parse({ baseUrl: 'https://api.example.com', apiKeyFile: '/canary-key' });
    const calls = createSettingsCalls({
      applySettings: () => undefined,
      config: { settings, dataDir: '/none', version: '1' },
      file: undefined,
      keyFile: { path: () => undefined },
      clock: createSystemClock(),
      secrets: { apiKey: async () => undefined },
    });
    const { run } = runCalls(calls);
    const view = await run('settings.get', {});
    expect(view).toMatchObject({ ok: true, value: { needsRestart: false } });
    expect(JSON.stringify(view)).not.toMatch(/canary-key|"file"/);
    expect(await run('settings.save', { change: {} })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_MISSING' },
    });
  });
});
