import { describe, expect, it } from 'vitest';
import { decideKeyKeeping } from '../../../../electron/desktop/keys/key-store.ts';

const linux = (backend: string | undefined, isAvailable = true) => ({
  platform: 'linux' as const,
  isAvailable,
  ...(backend !== undefined && { backend }),
});

describe('checklist 19: where the key is kept', () => {
  it.each([
    [{ platform: 'darwin' as const, isAvailable: true }, 'keychain', 'Keychain', true],
    [{ platform: 'win32' as const, isAvailable: true }, 'dpapi', 'Windows data protection', false],
    [linux('gnome_libsecret'), 'gnome_libsecret', 'GNOME Keyring', false],
    [linux('kwallet'), 'kwallet', 'KDE Wallet', false],
    [linux('kwallet5'), 'kwallet5', 'KDE Wallet', false],
    [linux('kwallet6'), 'kwallet6', 'KDE Wallet', false],
  ])('%j: encrypted by %s', (facts, backend, keeperName, isGuardedFromPrograms) => {
    expect(decideKeyKeeping(facts)).toEqual({ kind: 'store', backend, keeperName, isGuardedFromPrograms });
  });

  it.each([
    [linux('basic_text'), 'no-password'],
    [linux('unknown'), 'no-password'],
    [linux('a_store_of_tomorrow'), 'no-password'],
    [linux(''), 'no-password'],
    [linux(undefined), 'no-password'],
    [linux('gnome_libsecret', false), 'unavailable'],
    [{ platform: 'darwin' as const, isAvailable: false }, 'unavailable'],
    [{ platform: 'win32' as const, isAvailable: false }, 'unavailable'],
    [{ platform: 'freebsd' as const, isAvailable: true }, 'unavailable'],
  ])('%j: in memory only (%s)', (facts, reason) => {
    expect(decideKeyKeeping(facts)).toEqual({ kind: 'memory', reason });
  });
});
