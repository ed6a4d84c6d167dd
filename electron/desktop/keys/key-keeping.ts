import { assertNever } from '../../../shared/lib/result.ts';

/** What the system says and shows of its key store. `backend` and `prefix` are known on Linux only. */
interface KeyStoreFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable?: boolean;
  /** Guessed by Chromium from the name of the desktop: it says nothing about what answers. */
  readonly backend?: string;
  /** How what was encrypted begins. */
  readonly prefix?: string;
}

/** Where a key is kept: encrypted by the system, or in memory till the app ends because nothing there can be trusted. */
export type KeyKeeping =
  | {
      readonly kind: 'store';
      /** Stands beside the encrypted key: another one may not be able to decrypt it. */
      readonly backend: string;
      /** As people know it. */
      readonly keeperName: string;
      /** Other programs of the same account are kept away too. */
      readonly isGuardedFromPrograms: boolean;
    }
  | { readonly kind: 'memory'; readonly reason: 'unavailable' | 'no-password' | 'waiting' };

/** How Chromium on Linux marks what it encrypted with a key from the Secret Service or KWallet, and from the portal. */
const KEYRING = 'v11';
const PORTAL = 'v12';
const PREFIX_BYTES = 3;

/** Names of the key stores; on Linux Chromium knows some by the desktop. */
const storeNames: ReadonlyMap<string, string> = new Map([
  ['keychain', 'Keychain'],
  ['dpapi', 'Windows data protection'],
  ['portal', "this desktop's secret portal"],
  ['gnome_libsecret', 'GNOME Keyring'],
  ['kwallet', 'KDE Wallet'],
  ['kwallet5', 'KDE Wallet'],
  ['kwallet6', 'KDE Wallet'],
]);

/** A key store as people know it. */
export const keeperNameOf = (backend: string): string => storeNames.get(backend) ?? "this desktop's keyring";

/** Decides where the key is kept. There is no way from here to a key in plain text on a disk. */
export function decideKeyKeeping({
  platform,
  isAvailable = false,
  backend,
  prefix,
}: KeyStoreFacts): KeyKeeping {
  if (!isAvailable) return { kind: 'memory', reason: 'unavailable' };
  switch (platform) {
    case 'darwin':
      return store('keychain', true);
    case 'win32':
      // It keeps other accounts away, not other programs of this one
      return store('dpapi', false);
    case 'linux':
      if (prefix === PORTAL) return store('portal', false);
      if (prefix !== KEYRING) return { kind: 'memory', reason: 'no-password' };
      // Under a desktop that Chromium does not know, the name is basic_text whatever answers
      return store(backend ?? '', false);
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

/** How the system marked the key that it encrypted with. */
export const prefixOf = (encrypted: Buffer): string => encrypted.toString('latin1', 0, PREFIX_BYTES);

/**
 * Whether anyone can decrypt it: without a key store Chromium on Linux takes a password that stands in its source, and
 * marks that as `v10`. Elsewhere the same mark means the system's own key.
 */
export const isKnownToAll = (platform: NodeJS.Platform, encrypted: Buffer): boolean =>
  platform === 'linux' && prefixOf(encrypted) === 'v10';

const store = (backend: string, isGuardedFromPrograms: boolean): KeyKeeping => ({
  kind: 'store',
  backend,
  keeperName: keeperNameOf(backend),
  isGuardedFromPrograms,
});
