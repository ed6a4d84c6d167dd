import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../shared/domain/failure.ts';
import { createDesktopSecrets } from '../../../../electron/desktop/host-ports.ts';
import { createKeyStore } from '../../../../electron/desktop/keys/key-store.ts';
import { collectLog, makeFolder } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const KEY = 'canary-key-0123456789';

/** Encrypts by turning the bytes; only the system that encrypted can decrypt. */
function createSystem(backend = 'gnome_libsecret') {
  const calls = { encrypt: 0, decrypt: 0 };
  const system = { backend, isAvailable: true, isLocked: false, isOld: false };
  const turn = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  return {
    system,
    calls,
    safeStorage: {
      isAsyncEncryptionAvailable: async () => system.isAvailable,
      getSelectedStorageBackend: () => system.backend,
      async encryptStringAsync(text: string) {
        calls.encrypt += 1;
        if (system.isLocked) throw new Error('locked');
        return turn(Buffer.from(text));
      },
      async decryptStringAsync(encrypted: Buffer) {
        calls.decrypt += 1;
        if (system.isLocked) throw new Error('locked');
        return { result: turn(encrypted).toString(), shouldReEncrypt: system.isOld };
      },
    },
  };
}

async function openDesk(made = createSystem()) {
  const folder = await makeFolder();
  const file = join(folder, 'key.json');
  const clock = createFakeClock();
  const log = collectLog();
  const registered: string[] = [];
  const open = () =>
    createKeyStore({
      safeStorage: made.safeStorage,
      platform: 'linux',
      file,
      clock,
      logger: log.logger,
      register: (key) => void registered.push(key),
    });
  return { ...made, folder, file, clock, log, registered, open };
}

const failureOf = async (asking: Promise<unknown>) => {
  const error = await asking.catch((caught: unknown) => caught);
  return error instanceof FailureError ? error.failure : undefined;
};

describe('the key store', () => {
  it('keeps a key over starts, encrypted, for this account only', async () => {
    const desk = await openDesk();
    expect(await desk.open().apiKey()).toBeUndefined();
    expect(await desk.open().keeper.store(KEY)).toEqual({ ok: true, value: undefined });
    const text = await readFile(desk.file, 'utf8');
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY).toString('base64'));
    expect((await stat(desk.file)).mode & 0o777).toBe(0o600);
    expect(await readdir(desk.folder)).toEqual(['key.json']);
    expect(await desk.open().apiKey()).toBe(KEY);
    expect(desk.log.lines.join()).not.toContain(KEY);
  });

  it('decrypts once, and registers the key before it hands it out', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    const store = desk.open();
    expect(await Promise.all([store.apiKey(), store.apiKey()])).toEqual([KEY, KEY]);
    expect(await store.apiKey()).toBe(KEY);
    expect(desk.calls.decrypt).toBe(1);
    expect(desk.registered).toEqual([KEY, KEY]);
  });

  it('tells how the key is kept', async () => {
    const desk = await openDesk();
    const kept = { keptIn: 'keyStore', keeperName: 'GNOME Keyring', isGuardedFromPrograms: false };
    expect(await desk.open().keeper.describe()).toEqual(kept);
    desk.system.backend = 'basic_text';
    expect(await desk.open().keeper.describe()).toEqual({ keptIn: 'memory' });
  });

  it('never writes a key that only a known password would encrypt: it is kept until the app ends', async () => {
    const desk = await openDesk(createSystem('basic_text'));
    const store = desk.open();
    expect(await store.keeper.store(KEY)).toEqual({ ok: true, value: undefined });
    expect(await store.apiKey()).toBe(KEY);
    expect(await readdir(desk.folder)).toEqual([]);
    expect(desk.calls.encrypt).toBe(0);
    expect(await desk.open().apiKey()).toBeUndefined();
  });

  it('asks for the key again when the account got another key store, and keeps the old file', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    const before = await readFile(desk.file, 'utf8');
    desk.system.backend = 'kwallet6';
    const store = desk.open();
    expect(await failureOf(store.apiKey())).toMatchObject({
      code: 'KEY_STORE',
      message: expect.stringContaining('KDE Wallet'),
    });
    expect(desk.calls.decrypt).toBe(0);
    expect(await readFile(desk.file, 'utf8')).toBe(before);

    await store.keeper.store('another-key-42');
    expect(await desk.open().apiKey()).toBe('another-key-42');
    expect(await readFile(`${desk.file}.other`, 'utf8')).toBe(before);
  });

  it('says that the key store is away, keeps what is stored, and takes a key until the app ends', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    desk.system.isAvailable = false;
    const store = desk.open();
    expect(await failureOf(store.apiKey())).toMatchObject({ code: 'KEY_STORE', retryable: true });
    await store.keeper.store('for-now-only-42');
    expect(await store.apiKey()).toBe('for-now-only-42');
    desk.system.isAvailable = true;
    expect(await desk.open().apiKey()).toBe(KEY);
  });

  it('asks a locked key store once a minute, not at each question', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    desk.system.isLocked = true;
    const store = desk.open();
    expect(await failureOf(store.apiKey())).toMatchObject({ code: 'KEY_STORE', retryable: true });
    expect(await failureOf(store.apiKey())).toMatchObject({ code: 'KEY_STORE' });
    expect(desk.calls.decrypt).toBe(1);
    desk.system.isLocked = false;
    await desk.clock.advance(60_000);
    expect(await store.apiKey()).toBe(KEY);
  });

  it('encrypts anew what the system asks for', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    desk.system.isOld = true;
    expect(await desk.open().apiKey()).toBe(KEY);
    expect(desk.calls.encrypt).toBe(2);
  });

  it('goes on with what is stored when it cannot be encrypted anew', async () => {
    const made = createSystem();
    const desk = await openDesk(made);
    await desk.open().keeper.store(KEY);
    made.system.isOld = true;
    made.safeStorage.encryptStringAsync = () => Promise.reject(new Error('busy'));
    expect(await desk.open().apiKey()).toBe(KEY);
    expect(desk.log.lines.at(-1)).toBe('warn: The key could not be encrypted anew; it stays as it was');
  });

  it('refuses what is no key after the decryption', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store('two\r\nlines: of a header');
    expect(await failureOf(desk.open().apiKey())).toMatchObject({ code: 'KEY_STORE' });
  });

  it('says that a key could not be stored, and does not use it', async () => {
    const desk = await openDesk();
    desk.system.isLocked = true;
    const store = desk.open();
    const stored = await store.keeper.store(KEY);
    expect(stored).toMatchObject({ ok: false, error: { code: 'KEY_STORE' } });
    expect(JSON.stringify(stored)).not.toContain(KEY);
    expect(await store.apiKey()).toBeUndefined();
  });

  it('checklist 24: forgets a key in memory and on the disk', async () => {
    const desk = await openDesk();
    const store = desk.open();
    await store.keeper.store(KEY);
    await writeFile(`${desk.file}.other`, 'old');
    expect(await store.keeper.forget()).toEqual({ ok: true, value: undefined });
    expect(await store.apiKey()).toBeUndefined();
    expect(await readdir(desk.folder)).toEqual([]);
    expect(await store.keeper.forget()).toEqual({ ok: true, value: undefined });
  });

  it('keeps a file aside that it cannot understand', async () => {
    const desk = await openDesk();
    await writeFile(desk.file, '{"version": 2}');
    expect(await desk.open().apiKey()).toBeUndefined();
    expect(await readdir(desk.folder)).toEqual(['key.json.broken']);
  });
});

describe('the key of the desktop app', () => {
  it('comes from the key file while the settings name one, else from the key store', async () => {
    const desk = await openDesk();
    const keyStore = desk.open();
    await keyStore.keeper.store(KEY);
    const told: (string | undefined)[] = [];
    const secrets = createDesktopSecrets({
      keyFile: { apiKey: async () => 'from-the-file', useFile: (file) => void told.push(file) },
      keyStore,
    });
    expect(await secrets.apiKey()).toBe(KEY);
    secrets.useFile?.('/etc/key.txt');
    expect(await secrets.apiKey()).toBe('from-the-file');
    secrets.useFile?.(undefined);
    expect(await secrets.apiKey()).toBe(KEY);
    expect(told).toEqual(['/etc/key.txt', undefined]);
  });
});
