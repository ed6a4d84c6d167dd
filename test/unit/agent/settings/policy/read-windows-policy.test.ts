import { describe, expect, it } from 'vitest';
import { noPolicy } from '../../../../../electron/agent/settings/policy/policy.ts';
import { readPolicyWith } from '../../../../../electron/agent/settings/policy/read-policy.ts';
import { createPolicyTools } from './policy-tools.ts';
import {
  parseRegistry,
  parseSubkeys,
} from '../../../../../electron/agent/settings/policy/read-windows-policy.ts';

const REG = 'C:\\Windows\\System32\\reg.exe query';
const POLICIES = 'SOFTWARE\\Policies';
const KEY = `${POLICIES}\\VmsExportAgent`;
const query = (key: string) => `${REG} ${key}`;
const all = (hive: string) => `${query(`${hive}\\${KEY}`)} /s`;
const names = { HKLM: 'HKEY_LOCAL_MACHINE', HKCU: 'HKEY_CURRENT_USER' } as const;
const printed = (hive: keyof typeof names, ...values: readonly string[]) =>
  `\r\n${names[hive]}\\${KEY}\r\n${values.map((value) => `    ${value}\r\n`).join('')}`;
/** A missing key, as a query of its parent shows it. */
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
      /upload in HKLM\\.* is both a value and a group/,
    ],
    [
      'a key that is there and cannot be read',
      {
        [all('HKLM')]: 1,
        [query(`HKLM\\${POLICIES}`)]: `\r\n${names.HKLM}\\${POLICIES}\\vmsexportagent\r\n`,
      },
      /HKLM\\.* cannot be read: reg\.exe exited with code 1/,
    ],
    [
      'a registry that nothing may be asked of',
      { [all('HKLM')]: 1, [query(`HKLM\\${POLICIES}`)]: 1, [query('HKLM\\SOFTWARE')]: 1, [query('HKLM')]: 1 },
      /cannot be read: reg\.exe exited with code 1.*to use reg\.exe/,
    ],
    ['no reg.exe', {}, /cannot be read: ENOENT/],
  ])('is refused with %s', async (_, programs, reason) => {
    expect(await reasonsOf({ ...missing('HKCU'), ...programs })).toMatch(reason);
  });
});

describe('what reg.exe prints', () => {
  const KEY = 'HKLM\\SOFTWARE\\Policies\\VmsExportAgent';
  const FULL = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\VmsExportAgent';
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
  const lines = (...each: readonly string[]) => bytes(`\r\n${FULL}\r\n${each.join('\r\n')}\r\n\r\n`);
  const one = (line: string) => parseRegistry(lines(line), KEY);

  describe('what reg.exe printed', () => {
    it('is read with all its kinds of values and its subkeys', () => {
      const printed = bytes(
        `\r\n${FULL}\r\n    baseUrl    REG_SZ    https://api.example.com/v1\r\n` +
          '    upload.concurrentFiles    REG_DWORD    0x10\r\n    upload.maxBytesPerSecond    REG_QWORD    0x1DCD6500\r\n' +
          `    upload.hosts    REG_MULTI_SZ    a.example.com\\0*.b.example.com\r\n\r\n${FULL}\\Recommended\r\n` +
          '    users.updateMethod    REG_SZ    PUT\r\n\r\n',
      );
      expect(parseRegistry(printed, KEY)).toEqual({
        ok: true,
        value: [
          { subkey: '', name: 'baseUrl', value: 'https://api.example.com/v1' },
          { subkey: '', name: 'upload.concurrentFiles', value: 16 },
          { subkey: '', name: 'upload.maxBytesPerSecond', value: 500_000_000 },
          { subkey: '', name: 'upload.hosts', value: ['a.example.com', '*.b.example.com'] },
          { subkey: 'Recommended', name: 'users.updateMethod', value: 'PUT' },
        ],
      });
    });

    it.each([
      ['an empty text', '    baseUrl    REG_SZ    ', ''],
      ['a text without its last blanks', '    baseUrl    REG_SZ', ''],
      ['a text with the separator in it', '    a    REG_SZ    one    two', 'one    two'],
      ['JSON', '    watch    REG_SZ    [{"path": "C:\\\\exports"}]', '[{"path": "C:\\\\exports"}]'],
      ['a list with empty ends', '    a    REG_MULTI_SZ    one\\0\\0', ['one']],
      ['a key spelled in another case', '    a    REG_SZ    b', 'b'],
    ])('may be %s', (_, line, value) => {
      expect(one(line)).toMatchObject({ ok: true, value: [{ value }] });
    });

    it.each([['(Default)    REG_SZ    x'], ['(Standard)    REG_SZ    x'], ['(par défaut)    REG_SZ    x']])(
      'has an unnamed value %s, which no setting can be meant by',
      (line) => {
        expect(one(`    ${line}`)).toEqual({ ok: true, value: [] });
      },
    );

    it.each([
      ['another type', '    a    REG_EXPAND_SZ    %TEMP%', 'a has the type REG_EXPAND_SZ; only REG_SZ'],
      ['binary', '    a    REG_BINARY    00FF', 'a has the type REG_BINARY'],
      ['a number that is none', '    a    REG_DWORD    twelve', 'a is not a usable number'],
      ['a value of two lines', '    a    REG_SZ    one\r\ntwo', 'a value spans several lines'],
      ['a key that was not asked for', 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Other', 'a key outside it'],
    ])('is refused with %s', (_, line, reason) => {
      expect(one(line)).toEqual({ ok: false, error: expect.stringContaining(reason) });
    });

    it('is refused with letters in a code page that nobody named, instead of guessing them', () => {
      const printed = Buffer.concat([
        bytes(`\r\n${FULL}\r\n    a    REG_SZ    K`),
        Buffer.from([0x94]),
        bytes('ln\r\n'),
      ]);
      expect(parseRegistry(printed, KEY)).toEqual({
        ok: false,
        error: expect.stringMatching(/^a contains characters .*\\u00e9$/),
      });
    });

    it.each([
      ['UTF-8', bytes(`${FULL}\r\n    a    REG_SZ    Köln\r\n`)],
      ['UTF-8 with its mark', bytes(`\uFEFF${FULL}\r\n    a    REG_SZ    Köln\r\n`)],
      ['UTF-16', bytes(`${FULL}\r\n    a    REG_SZ    Köln\r\n`, 'utf16le')],
      ['UTF-16 with its mark', bytes(`\uFEFF${FULL}\r\n    a    REG_SZ    Köln\r\n`, 'utf16le')],
    ])('may be in %s', (_, printed) => {
      expect(parseRegistry(printed, KEY)).toMatchObject({ ok: true, value: [{ value: 'Köln' }] });
    });

    it('of nothing is nothing, whatever stands before the first key', () => {
      expect(parseRegistry(bytes(''), KEY)).toEqual({ ok: true, value: [] });
      expect(parseRegistry(bytes('Gruß vom System\r\n'), KEY)).toEqual({ ok: true, value: [] });
    });

    it('names the keys right below', () => {
      const printed = bytes(
        '\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\r\nHKEY_LOCAL_MACHINE\\software\\policies\\VmsExportAgent\r\n',
      );
      expect(parseSubkeys(printed, 'HKLM\\SOFTWARE\\Policies')).toEqual(['Google', 'VmsExportAgent']);
    });
  });
});
