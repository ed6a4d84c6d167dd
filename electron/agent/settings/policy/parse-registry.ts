import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** One value of the registry as `reg.exe query` prints it; lists are those of REG_MULTI_SZ. */
export interface RegistryValue {
  /** The key below the one that was asked for: empty for that one itself, `Recommended`. */
  readonly subkey: string;
  readonly name: string;
  readonly value: string | number | readonly string[];
}

/** Four spaces stand between the columns; a value may be empty. */
const VALUE_LINE = /^ {4}(.+?) {4}(REG_[A-Z_0-9]+)(?: {4}(.*))?$/;
const KEY_LINE = /^HKEY_[A-Z_]+\\/;
/** The value of a key that has no name, "(Default)" in the language of the system: no setting can be meant by it. */
const UNNAMED = /^\(.*\)$/;
/** What a text becomes that was printed in a code page nobody named. */
const REPLACEMENT = '\uFFFD';

/**
 * Reads what `reg.exe query KEY /s` printed. Everything that was printed is understood, or the error says what was not,
 * as a sentence's end after the key: half a policy is none.
 */
export function parseRegistry(printed: Uint8Array, key: string): Result<readonly RegistryValue[], string> {
  const values: RegistryValue[] = [];
  let subkey: string | undefined;
  for (const line of textOf(printed).split(/\r?\n|\r/)) {
    if (line.trim() === '') continue;
    if (KEY_LINE.test(line)) {
      subkey = subkeyOf(line, key);
      if (subkey === undefined) return err('it has a part that was not asked for');
      continue;
    }
    // Before the first key stand greetings of some systems; after it everything belongs to a value
    if (subkey === undefined) continue;
    const [, name = '', type = '', data = ''] = VALUE_LINE.exec(line) ?? [];
    if (name === '') return err('a value has several lines; write it in one');
    if (UNNAMED.test(name)) continue;
    const value = readData(type, data);
    if (!value.ok) return err(`${name} ${value.error}`);
    values.push({ subkey, name, value: value.value });
  }
  return ok(values);
}

/** Names of the keys right below `key`, from what `reg.exe query` printed for it. */
export function parseSubkeys(printed: Uint8Array, key: string): readonly string[] {
  return textOf(printed)
    .split(/\r?\n|\r/)
    .filter((line) => KEY_LINE.test(line))
    .map((line) => subkeyOf(line, key) ?? '')
    .filter((name) => name !== '');
}

/** Short names of the hives, as they are asked for, and long ones, as they are printed. */
const hives: Readonly<Record<string, string>> = { HKLM: 'HKEY_LOCAL_MACHINE', HKCU: 'HKEY_CURRENT_USER' };

function subkeyOf(line: string, key: string): string | undefined {
  const asked = key.replace(/^[^\\]+/, (hive) => hives[hive] ?? hive).toLowerCase();
  const printed = line.trim();
  if (printed.toLowerCase() === asked) return '';
  return printed.toLowerCase().startsWith(`${asked}\\`) ? printed.slice(asked.length + 1) : undefined;
}

function readData(type: string, data: string): Result<RegistryValue['value'], string> {
  if (data.includes(REPLACEMENT))
    return err('has characters that cannot be passed on here; within JSON text write them like \\u00e9');
  switch (type) {
    case 'REG_SZ':
      return ok(data);
    case 'REG_MULTI_SZ':
      return ok(data.split('\\0').filter((each) => each !== ''));
    case 'REG_DWORD':
    case 'REG_QWORD':
      return /^0x[0-9a-f]{1,13}$/i.test(data) ? ok(Number(data)) : err('is no number that can be used');
    default:
      return err(`has the type ${type}; REG_SZ, REG_DWORD, REG_QWORD and REG_MULTI_SZ are read`);
  }
}

/** UTF-16 with or without its mark, else UTF-8; what is in a code page becomes replacement characters. */
function textOf(printed: Uint8Array): string {
  const isUtf16 =
    (printed[0] === 0xff && printed[1] === 0xfe) ||
    printed.subarray(0, 64).filter((byte) => byte === 0).length > 8;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(printed);
}
