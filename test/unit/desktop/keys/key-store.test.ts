import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../shared/domain/failure.ts';
import { createDesktopSecrets } from '../../../../electron/desktop/desk-agent.ts';
import { createSystem, lock, openDesk } from '../../../helpers/key-desk.ts';

const KEY = 'canary-key-0123456789';

const failureOf = async (asking: Promise<unknown>) => {
  const error = await asking.catch((caught: unknown) => caught);
  return error instanceof FailureError ? error.failure : undefined;
};

/** Puts a socket there: it can be renamed and replaced like a file but not be read, even by the superuser. */
async function unreadableAt(path: string): Promise<AsyncDisposable> {
  const server = createServer();
  await once(server.listen(path), 'listening');
  return server;
}

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
    desk.system.prefix = 'v10';
    expect(await desk.open().keeper.describe()).toEqual({ keptIn: 'memory' });
  });

  it('never writes a key that only a known password would encrypt: it is kept until the app ends', async () => {
    const desk = await openDesk(createSystem('v10'));
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
    Object.assign(desk.system, { backend: 'kwallet6', store: 0x91 });
    const store = desk.open();
    expect(await failureOf(store.apiKey())).toMatchObject({
      code: 'KEY_STORE',
      message: expect.stringContaining('KDE Wallet'),
    });
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

  it('encrypts again what the system asks for', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    desk.system.isOld = true;
    expect(await desk.open().apiKey()).toBe(KEY);
    expect(desk.calls.encrypt).toBe(2);
  });

  it('goes on with what is stored when it cannot be encrypted again', async () => {
    const made = createSystem();
    const desk = await openDesk(made);
    await desk.open().keeper.store(KEY);
    made.system.isOld = true;
    const { encryptStringAsync } = made.safeStorage;
    made.safeStorage.encryptStringAsync = (text) =>
      text === 'probe' ? encryptStringAsync(text) : Promise.reject(new Error('busy'));
    expect(await desk.open().apiKey()).toBe(KEY);
    expect(desk.log.lines.at(-1)).toBe('warn: The key could not be re-encrypted; it stays as it was');
  });

  it('refuses what is no key after the decryption', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store('two\r\nlines: of a header');
    expect(await failureOf(desk.open().apiKey())).toMatchObject({ code: 'KEY_STORE' });
  });

  it('says that a key could not be stored, and does not use it', async () => {
    const made = createSystem();
    const desk = await openDesk(made);
    const store = desk.open();
    await store.keeper.describe();
    made.safeStorage.encryptStringAsync = () => Promise.reject(new Error('locked'));
    const stored = await store.keeper.store(KEY);
    expect(stored).toMatchObject({ ok: false, error: { code: 'KEY_STORE' } });
    expect(JSON.stringify(stored)).not.toContain(KEY);
    expect(await store.apiKey()).toBeUndefined();
  });

  it('reads a key on after the desktop got another name, as long as the same keyring answers', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    desk.system.backend = 'basic_text';
    expect(await desk.open().apiKey()).toBe(KEY);
  });

  it('never uses a key that was stored under a public password, and replaces its file', async () => {
    const desk = await openDesk();
    const key = Buffer.from('v10anything').toString('base64');
    await writeFile(desk.file, JSON.stringify({ version: 1, backend: 'basic_text', key }));
    const store = desk.open();
    expect(await failureOf(store.apiKey())).toMatchObject({ code: 'KEY_STORE', retryable: false });
    expect(desk.calls.decrypt).toBe(0);
    await store.keeper.store(KEY);
    expect(await readdir(desk.folder)).toEqual(['key.json']);
    expect(await desk.open().apiKey()).toBe(KEY);
  });

  it('writes nothing when the store goes away after it was asked', async () => {
    const desk = await openDesk();
    const store = desk.open();
    await store.keeper.describe();
    desk.system.prefix = 'v10';
    expect(await store.keeper.store(KEY)).toMatchObject({ ok: false });
    expect(await readdir(desk.folder)).toEqual([]);
  });

  it('goes on without a locked key store that nobody unlocks, says so, and takes the key up when it answers', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    const unlock = lock(desk);
    const store = desk.open();
    const asking = failureOf(store.apiKey());
    await desk.clock.untilAsleep();
    await desk.clock.advance(10_000);
    expect(await asking).toMatchObject({
      code: 'KEY_STORE',
      retryable: true,
      message: expect.stringContaining('has not responded'),
    });
    expect(await store.keeper.describe()).toEqual({ keptIn: 'memory' });
    unlock();
    await expect.poll(() => store.keeper.describe()).toMatchObject({ keptIn: 'keyStore' });
    expect(await store.apiKey()).toBe(KEY);
  });

  it.each([
    ['encrypts a key', ['key.json']],
    ['does not save a removed key', []],
  ])('%s that was entered before its system answered', async (_what, files) => {
    const desk = await openDesk();
    const unlock = lock(desk);
    const store = desk.open();
    const storing = store.keeper.store(KEY);
    await desk.clock.advance(10_000);
    expect([await storing, await store.keeper.describe()]).toMatchObject([
      { ok: true },
      { keptIn: 'memory' },
    ]);
    if (files.length === 0) await store.keeper.forget();
    unlock();
    await expect.poll(() => store.keeper.describe()).toMatchObject({ keptIn: 'keyStore' });
    expect(await readdir(desk.folder)).toEqual(files);
    expect(await desk.open().apiKey()).toBe(files.length === 0 ? undefined : KEY);
  });

  it('checklist 24: forgets a key in memory and on the disk', async () => {
    const desk = await openDesk();
    const store = desk.open();
    await store.keeper.store(KEY);
    await writeFile(`${desk.file}.other`, 'old');
    // Left behind by a save that was killed
    await writeFile(join(desk.folder, `.key.json.${randomUUID()}`), await readFile(desk.file));
    expect(await store.keeper.forget()).toEqual({ ok: true, value: undefined });
    expect(await store.apiKey()).toBeUndefined();
    expect(await readdir(desk.folder)).toEqual([]);
    expect(await store.keeper.forget()).toEqual({ ok: true, value: undefined });
  });

  it('does not use a key again that could not be deleted, until another one is saved', async () => {
    const desk = await openDesk();
    const store = desk.open();
    await store.keeper.store(KEY);
    const file = await readFile(desk.file);
    // A folder cannot be deleted like a file
    await mkdir(`${desk.file}.other`);
    await writeFile(`${desk.file}.broken`, file);
    expect(await store.keeper.forget()).toMatchObject({
      ok: false,
      error: { code: 'KEY_STORE', message: expect.stringContaining(`${desk.file}.other`) },
    });
    expect(await readdir(desk.folder)).toEqual(['key.json.other']);
    await writeFile(desk.file, file);
    expect(await store.apiKey()).toBeUndefined();
    await store.keeper.store('another-key');
    expect(await store.apiKey()).toBe('another-key');
  });

  it('keeps a file aside that it cannot understand', async () => {
    const desk = await openDesk();
    await writeFile(desk.file, '{"version": 2}');
    expect(await desk.open().apiKey()).toBeUndefined();
    expect(await readdir(desk.folder)).toEqual(['key.json.broken']);
  });

  it('does not take a file that cannot be read for a missing one, and keeps it aside from the next key', async () => {
    const desk = await openDesk();
    await using _ = await unreadableAt(desk.file);
    expect(await failureOf(desk.open().apiKey())).toMatchObject({ code: 'KEY_STORE', retryable: true });
    expect(await desk.open().keeper.store(KEY)).toMatchObject({ ok: true });
    expect(await desk.open().apiKey()).toBe(KEY);
    expect((await stat(`${desk.file}.broken`)).isSocket()).toBe(true);
  });

  it('reads the key on when its file can be read again', async () => {
    const desk = await openDesk();
    await desk.open().keeper.store(KEY);
    await rename(desk.file, `${desk.file}.away`);
    await mkdir(desk.file);
    const store = desk.open();
    expect(await failureOf(store.apiKey())).toMatchObject({ code: 'KEY_STORE' });
    await rmdir(desk.file);
    await rename(`${desk.file}.away`, desk.file);
    expect(await store.apiKey()).toBe(KEY);
  });

  it('overwrites no file that can neither be read nor be set aside', async () => {
    const desk = await openDesk();
    await using _ = await unreadableAt(desk.file);
    await mkdir(`${desk.file}.broken`);
    expect(await desk.open().keeper.store(KEY)).toMatchObject({ ok: false, error: { code: 'KEY_STORE' } });
    expect((await stat(desk.file)).isSocket()).toBe(true);
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
