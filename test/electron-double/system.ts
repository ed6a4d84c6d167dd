import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { DoubleOptions, PowerEvent } from './control.ts';
import { createSafeStorage } from './safe-storage.ts';
import { preventable, strict } from './strict.ts';

/** How long systems wait for a program that asks them to (logind's InhibitDelayMaxSec, Windows' HungAppTimeout). */
export const SYSTEM_PATIENCE_MS = 5_000;

/** The system shuts down without the app: immediately, or after its patience if the app asked it to wait. */
export function endSoon(isHeldUp: boolean): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), isHeldUp ? SYSTEM_PATIENCE_MS : 0).unref();
}

/** The system's services for the app. */
export function createSystem(options: Pick<DoubleOptions, 'home' | 'keyBackend' | 'keyStore'>) {
  const keys = createSafeStorage(options);
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
      const told = preventable({});
      power.emit(event, told);
      if (event === 'shutdown') endSoon(told.defaultPrevented);
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
      isStarted: (id) => awake.has(id),
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
      // Electron silently makes an empty image of a missing file
      createFromPath(path) {
        readFileSync(path);
        return strict<Electron.NativeImage>('nativeImage', {});
      },
    }),
    safeStorage: keys.safeStorage,
    unlockKeyStore: keys.unlock,
  };
}
