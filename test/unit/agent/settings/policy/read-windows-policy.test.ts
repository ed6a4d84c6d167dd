import { describe, expect, it } from 'vitest';
import { noPolicy } from '../../../../../electron/agent/settings/policy/policy.ts';
import { readPolicyWith } from '../../../../../electron/agent/settings/policy/read-policy.ts';
import { createPolicyTools } from './policy-tools.ts';

const REG = 'C:\\Windows\\System32\\reg.exe query';
const POLICIES = 'SOFTWARE\\Policies';
const KEY = `${POLICIES}\\VmsExportAgent`;
const query = (key: string) => `${REG} ${key}`;
const all = (hive: string) => `${query(`${hive}\\${KEY}`)} /s`;
const names = { HKLM: 'HKEY_LOCAL_MACHINE', HKCU: 'HKEY_CURRENT_USER' } as const;
const printed = (hive: keyof typeof names, ...values: readonly string[]) =>
  `\r\n${names[hive]}\\${KEY}\r\n${values.map((value) => `    ${value}\r\n`).join('')}`;
/** A key that is missing, as the one above it shows. */
const missing = (hive: keyof typeof names) => ({
  [all(hive)]: 1,
  [query(`${hive}\\${POLICIES}`)]: `\r\n${names[hive]}\\${POLICIES}\\Microsoft\r\n`,
});
const read = (programs: Readonly<Record<string, string | number>>) =>
  readPolicyWith(createPolicyTools('win32', { programs }).tools);
async function reasonsOf(programs: Readonly<Record<string, string | number>>): Promise<string> {
  const policy = await read(programs);
  return policy.ok
    ? 'taken'
    : policy.error.map(({ code, message, advice }) => `${code}: ${message} ${advice}`).join('\n');
}

describe('the policy of a Windows PC', () => {
  it('is none when neither key is there', async () => {
    expect(await read({ ...missing('HKLM'), ...missing('HKCU') })).toEqual({ ok: true, value: noPolicy });
  });

  it('is none when the account has no policies at all', async () => {
    const programs = {
      ...missing('HKLM'),
      [all('HKCU')]: 1,
      [query(`HKCU\\${POLICIES}`)]: 1,
      [query('HKCU\\SOFTWARE')]: '\r\nHKEY_CURRENT_USER\\SOFTWARE\\Microsoft\r\n',
    };
    expect(await read(programs)).toEqual({ ok: true, value: noPolicy });
  });

  it('is that of the machine before that of the account', async () => {
    const policy = await read({
      [all('HKLM')]: printed(
        'HKLM',
        'users.updateMethod    REG_SZ    PUT',
        'updates.enabled    REG_DWORD    0x0',
      ),
      [all('HKCU')]:
        `${printed('HKCU', 'Users.UpdateMethod    REG_SZ    POST', 'upload.concurrentFiles    REG_DWORD    0x3')}\r\n${names.HKCU}\\${KEY}\\Recommended\r\n    watch    REG_SZ    [{"path": "D:\\\\exports"}]\r\n`,
    });
    expect(policy).toMatchObject({
      ok: true,
      value: {
        places: [`HKLM\\${KEY}`, `HKCU\\${KEY}`, `HKCU\\${KEY}\\Recommended`],
        managed: { users: { updateMethod: 'PUT' }, upload: { concurrentFiles: 3 } },
        recommended: { watch: [{ path: 'D:\\exports' }] },
        updates: { enabled: false },
      },
    });
  });

  it.each<[string, Readonly<Record<string, string | number>>, RegExp]>([
    [
      'a value that cannot be',
      { [all('HKLM')]: printed('HKLM', 'upload.concurrentFiles    REG_DWORD    0x63') },
      /upload\.concurrentFiles is 99; it must be .* Correct upload\.concurrentFiles in HKLM\\/,
    ],
    [
      'a name that is none',
      { [all('HKLM')]: printed('HKLM', 'upload.concurentFiles    REG_DWORD    0x1') },
      /Did you mean upload\.concurrentFiles\?/,
    ],
    [
      'a folder of another system',
      { [all('HKLM')]: printed('HKLM', 'watch    REG_SZ    [{"path": "exports"}]') },
      /watch\[0\]\.path is a relative path/,
    ],
    [
      'a subkey that is not known',
      {
        [all('HKLM')]: `${printed('HKLM')}\r\n${names.HKLM}\\${KEY}\\Recomended\r\n    a    REG_SZ    b\r\n`,
      },
      /VmsExportAgent\\Recomended is not a known part/,
    ],
    [
      'a value and a group of one name',
      { [all('HKLM')]: printed('HKLM', 'upload    REG_SZ    {}', 'upload.hosts    REG_SZ    []') },
      /upload in HKLM\\.* is a value and a group at once/,
    ],
    [
      'a key that is there and cannot be read',
      {
        [all('HKLM')]: 1,
        [query(`HKLM\\${POLICIES}`)]: `\r\n${names.HKLM}\\${POLICIES}\\vmsexportagent\r\n`,
      },
      /HKLM\\.* cannot be read: reg\.exe ended with 1/,
    ],
    [
      'a registry that nothing may be asked of',
      { [all('HKLM')]: 1, [query(`HKLM\\${POLICIES}`)]: 1, [query('HKLM\\SOFTWARE')]: 1, [query('HKLM')]: 1 },
      /cannot be read: reg\.exe ended with 1.*allow reg\.exe/,
    ],
    ['no reg.exe', {}, /cannot be read: ENOENT/],
  ])('is refused with %s', async (_, programs, reason) => {
    expect(await reasonsOf({ ...missing('HKCU'), ...programs })).toMatch(reason);
  });
});
