import { assertNever } from '../../../shared/lib/result.ts';

/** Facts about the system's key store. `backend` and `prefix` are known on Linux only. */
interface KeyStoreFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable?: boolean;
  /** Chromium's guess from the name of the desktop; it does not tell which key store responds. */
  readonly backend?: string;
  /** First characters of an encrypted text. */
  readonly prefix?: string;
}

/**
 * Where a key is kept: encrypted by the system or, if no key store can be trusted or responds, in memory until the app
 * ends.
 */
export type KeyKeeping =
  | {
      readonly kind: 'store';
      /** Saved next to the encrypted key: another backend may not be able to decrypt it. */
      readonly backend: string;
      /** Name of the key store as people know it. */
      readonly keeperName: string;
      /** The key is also protected from other programs of the same account. */
      readonly isGuardedFromPrograms: boolean;
    }
  | { readonly kind: 'memory'; readonly reason: 'unavailable' | 'no-password' | 'waiting' };

/** How Chromium on Linux marks a text encrypted with a key from the Secret Service or KWallet, and from the portal. */
const KEYRING = 'v11';
const PORTAL = 'v12';
const PREFIX_BYTES = 3;

/** Names of the key stores; on Linux, Chromium infers some from the desktop. */
const storeNames: ReadonlyMap<string, string> = new Map([
  ['keychain', 'Keychain'],
  ['dpapi', 'Windows data protection'],
  ['portal', "this desktop's secret portal"],
  ['gnome_libsecret', 'GNOME Keyring'],
  ['kwallet', 'KDE Wallet'],
  ['kwallet5', 'KDE Wallet'],
  ['kwallet6', 'KDE Wallet'],
]);

/** The name of a key store as people know it. */
export const keeperNameOf = (backend: string): string => storeNames.get(backend) ?? "this desktop's keyring";

/** Decides where the key is kept. No outcome puts a plain-text key on a disk. */
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
      // Protects the key from other accounts, not from other programs of this one
      return store('dpapi', false);
    case 'linux':
      if (prefix === PORTAL) return store('portal', false);
      if (prefix !== KEYRING) return { kind: 'memory', reason: 'no-password' };
      // On a desktop that Chromium does not know, the name is basic_text whichever key store responds
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

/** The mark of the key that the system encrypted with. */
export const prefixOf = (encrypted: Buffer): string => encrypted.toString('latin1', 0, PREFIX_BYTES);

/**
 * Whether anyone can decrypt it: without a key store, Chromium on Linux uses a password from its own source code and
 * marks the text `v10`. Elsewhere the same mark means the system's own key.
 */
export const isKnownToAll = (platform: NodeJS.Platform, encrypted: Buffer): boolean =>
  platform === 'linux' && prefixOf(encrypted) === 'v10';

const store = (backend: string, isGuardedFromPrograms: boolean): KeyKeeping => ({
  kind: 'store',
  backend,
  keeperName: keeperNameOf(backend),
  isGuardedFromPrograms,
});
