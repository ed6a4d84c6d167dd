import { join } from 'node:path';
import { createKeyStore } from '../../electron/desktop/keys/key-store.ts';
import { collectLog, makeFolder } from './desk-tools.ts';
import { createFakeClock } from './fake-clock.ts';

/** Encrypts by flipping bits, with the prefix of Chromium on Linux; only the store that encrypted can decrypt. */
export function createSystem(prefix = 'v11') {
  const calls = { encrypt: 0, decrypt: 0 };
  const system = {
    prefix,
    backend: 'gnome_libsecret',
    store: 0x5a,
    isAvailable: true,
    isLocked: false,
    isOld: false,
    /** Settles when a person unlocks the store with its password. */
    unlocked: Promise.resolve(),
  };
  const turn = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ system.store));
  return {
    system,
    calls,
    safeStorage: {
      isAsyncEncryptionAvailable: () => system.unlocked.then(() => system.isAvailable),
      getSelectedStorageBackend: () => system.backend,
      async encryptStringAsync(text: string) {
        if (text !== 'probe') calls.encrypt += 1;
        return Buffer.concat([Buffer.from(system.prefix), turn(Buffer.from(text))]);
      },
      async decryptStringAsync(encrypted: Buffer) {
        calls.decrypt += 1;
        if (system.isLocked) throw new Error('locked');
        return { result: turn(encrypted.subarray(3)).toString(), shouldReEncrypt: system.isOld };
      },
    },
  };
}

/** A desk whose key is kept by that system; `open` is a start of the app. */
export async function openDesk(made = createSystem()) {
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

/** Locks the key store; returns a function that unlocks it. */
export function lock({ system }: ReturnType<typeof createSystem>): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  system.unlocked = promise;
  return resolve;
}
