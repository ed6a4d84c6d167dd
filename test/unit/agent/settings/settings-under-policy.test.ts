import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { settingsChangeSchema, type SettingsChange } from '../../../../shared/ipc/calls/settings.ts';
import { loadSettings, loadSettingsOrDefaults } from '../../../../electron/agent/settings/load-settings.ts';
import { noPolicy, type Policy } from '../../../../electron/agent/settings/policy/policy.ts';
import { createSettingsFile } from '../../../../electron/agent/settings/settings-file.ts';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'));
  file = join(folder, 'desk', 'config.json');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const place = '/etc/vms-export-agent/policy.json';
const policyOf = (managed: Policy['managed'], recommended: Policy['recommended'] = {}): Policy => ({
  ...noPolicy,
  places: [place],
  managed,
  recommended,
});

/** A desk whose settings file contains `written`; undefined: it has no file. */
async function openDesk(policy: Policy, written?: unknown) {
  file = join(folder, 'config.json');
  if (written !== undefined) await writeFile(file, JSON.stringify(written));
  const loaded = await loadSettingsOrDefaults(file, policy);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const { settings, origins } = loaded.value;
  const desk = createSettingsFile(file, { settings, policy });
  const save = (change: unknown) => desk.save(settingsChangeSchema.parse(change), async () => []);
  const readBack = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
  return { settings, origins, desk, save, written: readBack };
}

describe('settings under a policy', () => {
  it('are managed, then of the file, then recommended, then defaults', async () => {
    const policy = policyOf(
      { upload: { concurrentFiles: 1 }, watch: [{ path: '/managed' }] },
      { upload: { concurrentParts: 9, maxBytesPerSecond: 5000 }, users: { updateMethod: 'PUT' } },
    );
    const { settings, origins } = await openDesk(policy, {
      baseUrl: 'https://api.example.com/v1/',
      watch: [{ path: 'own' }, { path: 'more' }],
      upload: { concurrentFiles: 8, concurrentParts: 8 },
    });
    expect(settings).toMatchObject({
      baseUrl: 'https://api.example.com/v1',
      watch: [{ path: '/managed', settleSeconds: 30 }],
      upload: { concurrentFiles: 1, concurrentParts: 8, maxBytesPerSecond: 5000 },
      users: { updateMethod: 'PUT' },
      incident: { publish: 'progressive' },
    });
    expect(Object.fromEntries(origins)).toEqual({
      'upload.concurrentFiles': 'managed',
      watch: 'managed',
      baseUrl: 'user',
      'upload.concurrentParts': 'user',
      'upload.maxBytesPerSecond': 'recommended',
      'users.updateMethod': 'recommended',
    });
  });

  it('of the file must be right though the policy overrules them', async () => {
    await writeFile(join(folder, 'config.json'), '{"upload": {"concurrentFiles": 0}}');
    const loaded = await loadSettings(
      join(folder, 'config.json'),
      policyOf({ upload: { concurrentFiles: 1 } }),
    );
    expect(loaded).toMatchObject({ ok: false, error: [{ code: 'CONFIG_RANGE' }] });
  });
});

describe('saving under a policy', () => {
  const complete = {
    multipartThresholdBytes: 100_000_000,
    maxBytesPerSecond: null,
    schedule: [],
    hosts: [],
    whileWriting: 'off' as const,
    wastedBytesPerDay: 5_000_000_000,
  };

  it.each<[SettingsChange, readonly string[]]>([
    [{ baseUrl: 'https://other.example.com' }, ['baseUrl']],
    [{ upload: { ...complete, concurrentFiles: 2, concurrentParts: 5 } }, ['upload.concurrentFiles']],
    [{ auth: { scheme: 'query', name: 'key' } }, ['auth']],
  ])('refuses %j and names what is managed', async (change, paths) => {
    const managed = {
      baseUrl: 'https://api.example.com',
      upload: { concurrentFiles: 1 },
      auth: { scheme: 'bearer' },
    };
    const { save, written } = await openDesk(policyOf(managed), { users: { updateMethod: 'PUT' } });
    const refused = await save(change);
    expect(refused).toMatchObject({ ok: false, error: [{ code: 'SETTING_MANAGED' }] });
    const [failure] = refused.ok ? [] : refused.error;
    expect(failure?.fields?.map(({ name }) => name)).toEqual(paths);
    expect(failure?.message).toContain(place);
    expect(await written()).toEqual({ users: { updateMethod: 'PUT' } });
  });

  it('keeps what only the policy says out of the file, and what the file says about it in', async () => {
    const policy = policyOf(
      { upload: { concurrentFiles: 1 } },
      { upload: { concurrentParts: 9 }, users: { updateMethod: 'PUT' } },
    );
    const { save, settings, written } = await openDesk(policy, { upload: { concurrentFiles: 6 } });
    const upload = { ...settings.upload, maxBytesPerSecond: 4096 };
    expect(await save({ upload, users: settings.users })).toMatchObject({ ok: true });
    expect(await written()).toEqual({
      upload: { ...complete, concurrentFiles: 6, maxBytesPerSecond: 4096 },
      users: {},
    });
  });

  it('writes what a person chose against a recommendation, and keeps it when the two agree later', async () => {
    const { save, written } = await openDesk(policyOf({}, { users: { updateMethod: 'PUT' } }), {});
    await save({ users: { updateMethod: 'POST' } });
    expect(await written()).toEqual({ users: { updateMethod: 'POST' } });
    await save({ users: { updateMethod: 'PUT' } });
    expect(await written()).toEqual({ users: { updateMethod: 'PUT' } });
  });

  it('takes a managed list as it is shown, with its defaults, for unchanged', async () => {
    const policy = policyOf({ watch: [{ path: '/managed' }], baseUrl: 'https://api.example.com/' });
    const { save, settings, written } = await openDesk(policy, { users: { updateMethod: 'PUT' } });
    expect(await save({ watch: settings.watch, baseUrl: settings.baseUrl })).toMatchObject({ ok: true });
    expect(await written()).toEqual({ users: { updateMethod: 'PUT' } });
  });
});

describe('a desk without a file', () => {
  it('runs with the defaults, and its first save makes the file with its folder', async () => {
    const path = join(folder, 'new', 'config.json');
    const loaded = await loadSettingsOrDefaults(path);
    expect(loaded).toMatchObject({ ok: true, value: { configPath: path, settings: { watch: [] } } });
    expect(await loadSettings(path)).toMatchObject({ ok: false, error: [{ code: 'CONFIG_MISSING' }] });
    if (!loaded.ok) return;
    const desk = createSettingsFile(path, loaded.value);
    expect(await desk.load()).toEqual(loaded);
    expect(await desk.save({ baseUrl: 'https://api.example.com' }, async () => [])).toMatchObject({
      ok: true,
    });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ baseUrl: 'https://api.example.com' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('that had one before says that it is gone, and writes no other over the loss', async () => {
    const { desk } = await openDesk(noPolicy, { baseUrl: 'https://api.example.com' });
    await rm(file);
    const gone = { ok: false, error: [{ code: 'CONFIG_MISSING' }] };
    expect(await desk.load()).toMatchObject(gone);
    expect(await desk.save({ users: { updateMethod: 'PUT' } }, async () => [])).toMatchObject(gone);
    expect(await desk.storeKey('canary-8f3e1d-0815')).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_MISSING' },
    });
  });
});
