import { describe, expect, it } from 'vitest';
import {
  parseRegistry,
  parseSubkeys,
} from '../../../../../electron/agent/settings/policy/read-windows-policy.ts';

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
    ['another type', '    a    REG_EXPAND_SZ    %TEMP%', 'a has the type REG_EXPAND_SZ; REG_SZ'],
    ['binary', '    a    REG_BINARY    00FF', 'a has the type REG_BINARY'],
    ['a number that is none', '    a    REG_DWORD    twelve', 'a is no number'],
    ['a value of two lines', '    a    REG_SZ    one\r\ntwo', 'a value has several lines'],
    ['a key that was not asked for', 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Other', 'was not asked for'],
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
      error: expect.stringMatching(/^a has characters .*\\u00e9$/),
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
