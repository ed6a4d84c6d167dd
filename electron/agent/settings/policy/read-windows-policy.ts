import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { windowsProgram } from '../guarded-path.ts';
import { policyFailure, groupValues } from './policy-values.ts';
import type { PolicyPart, PolicyTools } from './policy.ts';

const POLICY_KEY = 'SOFTWARE\\Policies\\VmsExportAgent';
const RECOMMENDED = 'Recommended';
/** The machine's policy takes precedence over the account's. */
const keys = [`HKLM\\${POLICY_KEY}`, `HKCU\\${POLICY_KEY}`] as const;

type WindowsTools = Pick<PolicyTools, 'run' | 'environment'>;
type ReadParts = Result<readonly PolicyPart[], readonly Failure[]>;

/** The parts of the policy in the registry, the machine's first. */
export async function readWindowsPolicy(tools: WindowsTools): Promise<ReadParts> {
  const parts: PolicyPart[] = [];
  for (const key of keys) {
    const found = await readKey(key, tools);
    if (!found.ok) return found;
    parts.push(...found.value);
  }
  return ok(parts);
}

async function readKey(key: string, tools: WindowsTools): Promise<ReadParts> {
  const answer = await query(key, ['/s'], tools);
  if (!answer.ok) return err([unreadable(key, answer.error)]);
  const { exitCode, printed } = answer.value;
  if (exitCode !== 0)
    return (await isMissing(key, tools))
      ? ok([])
      : err([unreadable(key, `reg.exe exited with code ${exitCode}`)]);
  const values = parseRegistry(printed, key);
  if (!values.ok) return err([unreadable(key, values.error)]);
  const odd = values.value.find(({ subkey }) => subkey !== '' && !isRecommended(subkey));
  if (odd !== undefined) return err([unknownSubkey(key, odd.subkey)]);
  return partsOf(key, values.value);
}

function partsOf(key: string, values: readonly RegistryValue[]): ReadParts {
  const own = toPart(
    key,
    'managed',
    values.filter(({ subkey }) => subkey === ''),
  );
  if (!own.ok) return own;
  const below = toPart(
    `${key}\\${RECOMMENDED}`,
    'recommended',
    values.filter(({ subkey }) => isRecommended(subkey)),
  );
  return below.ok ? ok([own.value, below.value]) : below;
}

function toPart(
  place: string,
  level: PolicyPart['level'],
  values: readonly RegistryValue[],
): Result<PolicyPart, readonly Failure[]> {
  const grouped = groupValues(values.map(({ name, value }) => [name, value]));
  if (grouped.ok) return ok({ place, level, values: grouped.value });
  const message = `${grouped.error} in ${place} is both a value and a group.`;
  return err([policyFailure(message, 'Remove one of them.')]);
}

/**
 * Whether a key is missing. `reg.exe` reports errors in the system's language, so check whether the parent key lists
 * it.
 */
async function isMissing(key: string, tools: WindowsTools): Promise<boolean> {
  const cut = key.lastIndexOf('\\');
  if (cut === -1) return false;
  const parent = key.slice(0, cut);
  const answer = await query(parent, [], tools);
  if (!answer.ok) return false;
  if (answer.value.exitCode !== 0) return isMissing(parent, tools);
  const name = key.slice(cut + 1).toLowerCase();
  return parseSubkeys(answer.value.printed, parent).every((each) => each.toLowerCase() !== name);
}

function query(
  key: string,
  more: readonly string[],
  { run, environment }: WindowsTools,
): ReturnType<PolicyTools['run']> {
  return run(windowsProgram('reg.exe', environment), ['query', key, ...more]);
}

const isRecommended = (subkey: string): boolean => subkey.toLowerCase() === RECOMMENDED.toLowerCase();

const unreadable = (key: string, reason: string): Failure =>
  policyFailure(
    `The policy ${key} cannot be read: ${reason}.`,
    "Correct it, or allow the agent's account to use reg.exe.",
  );

const unknownSubkey = (key: string, subkey: string): Failure =>
  policyFailure(
    `${key}\\${subkey} is not a known part of the policy.`,
    `Values belong in ${key} itself, with dots in their names (upload.concurrentFiles), or in its subkey ${RECOMMENDED}.`,
  );

/** One registry value as `reg.exe query` prints it; lists come from REG_MULTI_SZ. */
interface RegistryValue {
  /** The subkey of the requested key: empty for the key itself, or `Recommended`. */
  readonly subkey: string;
  readonly name: string;
  readonly value: string | number | readonly string[];
}

/** Columns are separated by four spaces; a value may be empty. */
const VALUE_LINE = /^ {4}(.+?) {4}(REG_[A-Z_0-9]+)(?: {4}(.*))?$/;

const KEY_LINE = /^HKEY_[A-Z_]+\\/;

/** A key's unnamed value, "(Default)" in the system's language: it cannot be a setting. */
const UNNAMED = /^\(.*\)$/;

/** Appears in text that was printed in an unknown code page. */
const REPLACEMENT = '\uFFFD';

/**
 * Parses the output of `reg.exe query KEY /s`. All of it must be understood, since half a policy is no policy. Error:
 * what was not, as the end of a sentence that starts with the key.
 */
export function parseRegistry(printed: Uint8Array, key: string): Result<readonly RegistryValue[], string> {
  const values: RegistryValue[] = [];
  let subkey: string | undefined;
  for (const line of textOf(printed).split(/\r?\n|\r/)) {
    if (line.trim() === '') continue;
    if (KEY_LINE.test(line)) {
      subkey = subkeyOf(line, key);
      if (subkey === undefined) return err('reg.exe listed a key outside it');
      continue;
    }
    // Some systems print a greeting before the first key; after it, everything belongs to a value
    if (subkey === undefined) continue;
    const [, name = '', type = '', data = ''] = VALUE_LINE.exec(line) ?? [];
    if (name === '') return err('a value spans several lines; write it on one line');
    if (UNNAMED.test(name)) continue;
    const value = readData(type, data);
    if (!value.ok) return err(`${name} ${value.error}`);
    values.push({ subkey, name, value: value.value });
  }
  return ok(values);
}

/** Names of the direct subkeys of `key`, from the output of `reg.exe query`. */
export function parseSubkeys(printed: Uint8Array, key: string): readonly string[] {
  return textOf(printed)
    .split(/\r?\n|\r/)
    .filter((line) => KEY_LINE.test(line))
    .map((line) => subkeyOf(line, key) ?? '')
    .filter((name) => name !== '');
}

/** Short names of the hives, as in queries, and long ones, as in the output. */
const hives: Readonly<Record<string, string>> = { HKLM: 'HKEY_LOCAL_MACHINE', HKCU: 'HKEY_CURRENT_USER' };

function subkeyOf(line: string, key: string): string | undefined {
  const asked = key.replace(/^[^\\]+/, (hive) => hives[hive] ?? hive).toLowerCase();
  const printed = line.trim();
  if (printed.toLowerCase() === asked) return '';
  return printed.toLowerCase().startsWith(`${asked}\\`) ? printed.slice(asked.length + 1) : undefined;
}

function readData(type: string, data: string): Result<RegistryValue['value'], string> {
  if (data.includes(REPLACEMENT))
    return err(
      'contains characters that cannot be read here; in JSON text, write them as escapes such as \\u00e9',
    );
  switch (type) {
    case 'REG_SZ':
      return ok(data);
    case 'REG_MULTI_SZ':
      return ok(data.split('\\0').filter((each) => each !== ''));
    case 'REG_DWORD':
    case 'REG_QWORD':
      return /^0x[0-9a-f]{1,13}$/i.test(data) ? ok(Number(data)) : err('is not a usable number');
    default:
      return err(`has the type ${type}; only REG_SZ, REG_DWORD, REG_QWORD and REG_MULTI_SZ are supported`);
  }
}

/** UTF-16 with or without a byte order mark, or else UTF-8; text in a code page gets replacement characters. */
function textOf(printed: Uint8Array): string {
  const isUtf16 =
    (printed[0] === 0xff && printed[1] === 0xfe) ||
    printed.subarray(0, 64).filter((byte) => byte === 0).length > 8;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(printed);
}
