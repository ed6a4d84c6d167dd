import { createHash } from 'node:crypto';
import { access, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKeyFileSecrets } from '../../../../electron/agent/settings/key-file.ts';
import { loadSettings } from '../../../../electron/agent/settings/load-settings.ts';
import { createSettingsFile } from '../../../../electron/agent/settings/settings-file.ts';
import type { KeyKeeper, Secrets } from '../../../../electron/agent/ports.ts';
import { createKeyCalls, createKeyFileInUse } from '../../../../electron/agent/calls/keys.ts';
import { runCalls } from '../../../helpers/run-calls.ts';
import { createCollectedLog } from './collected-log.ts';

const KEY = 'canary-8f3e1d-0815';
const fingerprint = createHash('sha256').update(KEY).digest('hex').slice(0, 8);

interface DeskOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly secrets?: (fromFile: Secrets) => Secrets;
}

async function startDesk({ settings: more = {}, secrets: change = (same) => same }: DeskOptions = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'key-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settingsFile = join(folder, 'config.json');
  await writeFile(settingsFile, JSON.stringify({ baseUrl: 'https://api.example.com/v1', ...more }));
  const loaded = await loadSettings(settingsFile);
  if (!loaded.ok) throw new Error('The settings are wrong');
  const { apiKeyPath } = loaded.value;
  const secrets = change(
    createKeyFileSecrets({ ...(apiKeyPath && { apiKeyPath }), originFile: join(folder, 'origins') }),
  );
  const stopped: string[] = [];
  const { logger, lines } = createCollectedLog();
  const calls = createKeyCalls({
    file: createSettingsFile(settingsFile, loaded.value),
    keyFile: createKeyFileInUse(apiKeyPath, secrets),
    savedBaseUrl: async () => loaded.value.settings.baseUrl,
    ports: { secrets, logger },
    stopUploads: async ({ code }) => void stopped.push(code),
  });
  const { run, announced } = runCalls(calls);
  return {
    folder,
    announced,
    stopped,
    lines,
    secrets,
    read: () => run('settings.key', {}),
    store: (key: string) => run('settings.setKey', { key }),
    forget: () => run('settings.forgetKey', {}),
  };
}

/** A key store like that of the desktop app. */
function createKeeper(deletes: Awaited<ReturnType<KeyKeeper['forget']>> = { ok: true, value: undefined }) {
  let kept: string | undefined;
  const keeper: KeyKeeper = {
    async store(key) {
      kept = key;
      return { ok: true, value: undefined };
    },
    async forget() {
      kept = undefined;
      return deletes;
    },
    describe: async () => ({ keptIn: 'keyStore', keeperName: 'Keychain', isGuardedFromPrograms: true }),
  };
  const secrets = (fromFile: Secrets): Secrets => ({
    ...fromFile,
    apiKey: async () => kept ?? fromFile.apiKey(),
    keeper,
  });
  return { secrets, kept: () => kept };
}

describe('a key that is stored', () => {
  it('counts at once, and only its fingerprint is shown', async () => {
    const { read, store, announced, lines } = await startDesk({ settings: { apiKeyFile: 'key.txt' } });
    expect(await read()).toEqual({ ok: true, value: { isSet: false, keptIn: 'file' } });
    const stored = await store(KEY);
    expect(stored).toEqual({ ok: true, value: { isSet: true, fingerprint, keptIn: 'file' } });
    expect(await read()).toEqual(stored);
    expect(announced).toEqual(['settings']);
    expect(JSON.stringify(lines)).toContain('A key was saved');
    // Log lines are part of the diagnostics bundle
    for (const each of [KEY, fingerprint]) expect(JSON.stringify(lines)).not.toContain(each);
  });

  it('counts at once also where the settings named no file before', async () => {
    const { store, secrets } = await startDesk();
    expect(await store(KEY)).toMatchObject({ ok: true, value: { isSet: true, fingerprint, keptIn: 'file' } });
    expect(await secrets.apiKey()).toBe(KEY);
  });

  it('is refused without being repeated when it cannot be one', async () => {
    const keyStore = createKeeper();
    for (const options of [{ settings: { apiKeyFile: 'key.txt' } }, { secrets: keyStore.secrets }]) {
      const { store, announced } = await startDesk(options);
      const refused = await store(`Bearer ${KEY}`);
      expect(refused).toMatchObject({ ok: false, error: { code: 'KEY_FORMAT' } });
      expect(JSON.stringify(refused)).not.toContain(KEY);
      expect(announced).toEqual([]);
    }
    expect(keyStore.kept()).toBeUndefined();
  });

  it('goes into the key store of a host that has one, and into no file', async () => {
    const keyStore = createKeeper();
    const { folder, store, read } = await startDesk({ secrets: keyStore.secrets });
    const state = {
      isSet: true,
      fingerprint,
      keptIn: 'keyStore',
      keeperName: 'Keychain',
      isGuardedFromPrograms: true,
    };
    expect(await store(` ${KEY}\n`)).toEqual({ ok: true, value: state });
    expect(await read()).toEqual({ ok: true, value: state });
    expect(keyStore.kept()).toBe(KEY);
    await expect(access(join(folder, 'api-key.txt'))).rejects.toThrow('ENOENT');
  });

  it('goes into the file that the settings name, also where a key store is', async () => {
    const keyStore = createKeeper();
    const settings = { apiKeyFile: 'key.txt' };
    const { store } = await startDesk({ settings, secrets: keyStore.secrets });
    expect(await store(KEY)).toMatchObject({ ok: true, value: { isSet: true, keptIn: 'file' } });
    expect(keyStore.kept()).toBeUndefined();
  });
});

describe('a key that is forgotten', () => {
  it('is deleted with its file, and uploads are told to stop', async () => {
    const { folder, store, forget, secrets, announced, stopped } = await startDesk();
    await store(KEY);
    expect(await forget()).toEqual({ ok: true, value: { isSet: false, keptIn: 'file' } });
    await expect(access(join(folder, 'api-key.txt'))).rejects.toThrow('ENOENT');
    await expect(secrets.apiKey()).rejects.toThrow('KEY_MISSING');
    expect(announced).toEqual(['settings', 'settings']);
    expect(stopped).toEqual(['KEY_MISSING']);
    expect(await forget(), 'a second time').toMatchObject({ ok: true, value: { isSet: false } });
  });

  it('is deleted from the key store', async () => {
    const keyStore = createKeeper();
    const { store, forget } = await startDesk({ secrets: keyStore.secrets });
    await store(KEY);
    expect(await forget()).toMatchObject({ ok: true, value: { isSet: false, keptIn: 'keyStore' } });
    expect(keyStore.kept()).toBeUndefined();
  });

  it('stops uploads also when its file could not be deleted, which is said', async () => {
    const failure = {
      code: 'KEY_STORE',
      message: 'Not deleted.',
      advice: 'Delete it.',
      retryable: true,
    } as const;
    const keyStore = createKeeper({ ok: false, error: failure });
    const { store, forget, stopped } = await startDesk({ secrets: keyStore.secrets });
    await store(KEY);
    expect(await forget()).toEqual({ ok: false, error: failure });
    expect(stopped).toEqual(['KEY_MISSING']);
  });

  it('stays when the service manager hands it over, and the refusal says where to take it away', async () => {
    const { read, forget, announced } = await startDesk({ secrets: () => ({ apiKey: async () => KEY }) });
    expect(await read()).toMatchObject({ ok: true, value: { isSet: true, keptIn: 'credentials' } });
    expect(await forget()).toMatchObject({ ok: false, error: { code: 'SETTING_MANAGED' } });
    expect(announced).toEqual([]);
  });
});
