import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DoubleOptions, PowerEvent } from './control.ts';
import { preventable, strict } from './strict.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** The system's services around the app. */
export function createSystem({ home, keyBackend }: Pick<DoubleOptions, 'home' | 'keyBackend'>) {
  const opened: string[] = [];
  const revealed: string[] = [];
  const awake = new Set<number>();
  let lastBlocker = 0;
  const power = new EventEmitter();
  let isOnBattery = false;
  const display = strict<Electron.Display>('display', {
    id: 1,
    scaleFactor: 1,
    bounds: { x: 0, y: 0, width: 1920, height: 1080 },
    workArea: { x: 0, y: 0, width: 1920, height: 1040 },
  });
  return {
    opened: () => opened,
    revealed: () => revealed,
    isKeptAwake: () => awake.size > 0,
    tellPower(event: PowerEvent) {
      if (event === 'on-battery' || event === 'on-ac') isOnBattery = event === 'on-battery';
      power.emit(event, preventable({}));
    },
    shell: strict<Electron.Shell>('shell', {
      openExternal: (url) => Promise.resolve(void opened.push(url)),
      showItemInFolder: (path) => void revealed.push(path),
    }),
    powerMonitor: strict<Electron.PowerMonitor>(
      'powerMonitor',
      {
        isOnBatteryPower: () => isOnBattery,
        get onBatteryPower() {
          return isOnBattery;
        },
      },
      power,
    ),
    powerSaveBlocker: strict<Electron.PowerSaveBlocker>('powerSaveBlocker', {
      start() {
        lastBlocker += 1;
        awake.add(lastBlocker);
        return lastBlocker;
      },
      stop: (id) => awake.delete(id),
    }),
    nativeTheme: strict<Electron.NativeTheme>(
      'nativeTheme',
      { shouldUseDarkColors: true, themeSource: 'system' },
      new EventEmitter(),
    ),
    screen: strict<Electron.Screen>(
      'screen',
      {
        getAllDisplays: () => [display],
        getPrimaryDisplay: () => display,
      },
      new EventEmitter(),
    ),
    nativeImage: strict<typeof Electron.NativeImage>('nativeImage', {
      // Electron makes an empty image of a file that is missing, without a word
      createFromPath(path) {
        readFileSync(path);
        return strict<Electron.NativeImage>('nativeImage', {});
      },
    }),
    safeStorage: createKeyStore(join(home, 'key-store', 'key'), keyBackend),
  };
}

/** A key store that keeps its key apart from what it encrypts, as the system's does; a restart finds it again. */
function createKeyStore(file: string, backend: DoubleOptions['keyBackend']): Electron.SafeStorage {
  function key(): Buffer {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, randomBytes(KEY_BYTES));
    }
    return readFileSync(file);
  }
  const isAvailable = backend !== 'unknown';
  return strict<Electron.SafeStorage>('safeStorage', {
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: () => Promise.resolve(isAvailable),
    encryptStringAsync(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key(), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Promise.resolve(Buffer.concat([iv, cipher.getAuthTag(), body]));
    },
    async decryptStringAsync(bytes) {
      const decipher = createDecipheriv(CIPHER, key(), bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return { shouldReEncrypt: false, result: text.toString('utf8') };
    },
  });
}
