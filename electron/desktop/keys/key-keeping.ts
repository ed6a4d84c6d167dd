import { assertNever } from '../../../shared/lib/assert-never.ts';

/** What Electron says about the system's key store. `backend` is known on Linux only. */
export interface KeyStoreFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable: boolean;
  readonly backend?: string;
}

/** Where a key is kept: encrypted by the system, or in memory till the app ends because nothing there can be trusted. */
export type KeyKeeping =
  | {
      readonly kind: 'store';
      /** Stands beside the encrypted key: another one cannot decrypt it. */
      readonly backend: string;
      /** As people know it. */
      readonly keeperName: string;
      /** Other programs of the same account are kept away too. */
      readonly isGuardedFromPrograms: boolean;
    }
  | { readonly kind: 'memory'; readonly reason: 'unavailable' | 'no-password' };

/** Key stores of Linux desktops that encrypt with a secret of their own; any other is a password that everyone knows. */
const linuxStores: ReadonlyMap<string, string> = new Map([
  ['gnome_libsecret', 'GNOME Keyring'],
  ['kwallet', 'KDE Wallet'],
  ['kwallet5', 'KDE Wallet'],
  ['kwallet6', 'KDE Wallet'],
]);

/** Decides where the key is kept. There is no way from here to a key in plain text on a disk. */
export function decideKeyKeeping({ platform, isAvailable, backend }: KeyStoreFacts): KeyKeeping {
  if (!isAvailable) return { kind: 'memory', reason: 'unavailable' };
  switch (platform) {
    case 'darwin':
      return store('keychain', 'Keychain', true);
    case 'win32':
      // It keeps other accounts away, not other programs of this one
      return store('dpapi', 'Windows data protection', false);
    case 'linux': {
      const keeperName = linuxStores.get(backend ?? '');
      if (backend === undefined || keeperName === undefined) return { kind: 'memory', reason: 'no-password' };
      return store(backend, keeperName, false);
    }
    case 'aix':
    case 'android':
    case 'cygwin':
    case 'freebsd':
    case 'haiku':
    case 'netbsd':
    case 'openbsd':
    case 'sunos':
      return { kind: 'memory', reason: 'unavailable' };
    default:
      return assertNever(platform);
  }
}

const store = (backend: string, keeperName: string, isGuardedFromPrograms: boolean): KeyKeeping => ({
  kind: 'store',
  backend,
  keeperName,
  isGuardedFromPrograms,
});
