import { describe, expect, it } from 'vitest';
import { decideKeyKeeping, isKnownToAll } from '../../../../electron/desktop/keys/key-keeping.ts';

const linux = (backend: string, prefix: string, isAvailable = true) => ({
  platform: 'linux' as const,
  isAvailable,
  backend,
  prefix,
});

describe('checklist 19: where the key is kept', () => {
  it.each([
    [{ platform: 'darwin' as const, isAvailable: true }, 'keychain', 'Keychain', true],
    [{ platform: 'win32' as const, isAvailable: true }, 'dpapi', 'Windows data protection', false],
    [linux('gnome_libsecret', 'v11'), 'gnome_libsecret', 'GNOME Keyring', false],
    [linux('kwallet', 'v11'), 'kwallet', 'KDE Wallet', false],
    [linux('kwallet5', 'v11'), 'kwallet5', 'KDE Wallet', false],
    [linux('kwallet6', 'v11'), 'kwallet6', 'KDE Wallet', false],
    [linux('basic_text', 'v11'), 'basic_text', "this desktop's keyring", false],
    [linux('gnome_libsecret', 'v12'), 'portal', "this desktop's secret portal", false],
  ])('%j: encrypted by %s', (facts, backend, keeperName, isGuardedFromPrograms) => {
    expect(decideKeyKeeping(facts)).toEqual({ kind: 'store', backend, keeperName, isGuardedFromPrograms });
  });

  it.each([
    [linux('gnome_libsecret', 'v10'), 'no-password'],
    [linux('kwallet6', 'v10'), 'no-password'],
    [linux('basic_text', 'v10'), 'no-password'],
    [linux('gnome_libsecret', 'v13'), 'no-password'],
    [linux('gnome_libsecret', ''), 'no-password'],
    [linux('gnome_libsecret', 'v11', false), 'unavailable'],
    [{ platform: 'darwin' as const, isAvailable: false }, 'unavailable'],
    [{ platform: 'win32' as const, isAvailable: false }, 'unavailable'],
    [{ platform: 'freebsd' as const, isAvailable: true }, 'unavailable'],
  ])('%j: in memory only (%s)', (facts, reason) => {
    expect(decideKeyKeeping(facts)).toEqual({ kind: 'memory', reason });
  });

  it('knows a public password by its mark on Linux, and nowhere else', () => {
    const encrypted = Buffer.from('v10....');
    expect(isKnownToAll('linux', encrypted)).toBe(true);
    expect(isKnownToAll('darwin', encrypted)).toBe(false);
    expect(isKnownToAll('win32', encrypted)).toBe(false);
    expect(isKnownToAll('linux', Buffer.from('v11....'))).toBe(false);
  });
});
