import { win32 } from 'node:path';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { parseRegistry, parseSubkeys, type RegistryValue } from './parse-registry.ts';
import { policyFailure } from './policy-failure.ts';
import type { PolicyPart } from './policy-part.ts';
import { groupValues } from './policy-values.ts';
import type { PolicyTools } from './system-tools.ts';

const POLICY_KEY = 'SOFTWARE\\Policies\\VmsExportAgent';
const RECOMMENDED = 'Recommended';
/** The machine's policy counts before that of the account. */
const keys = [`HKLM\\${POLICY_KEY}`, `HKCU\\${POLICY_KEY}`] as const;

type WindowsTools = Pick<PolicyTools, 'run' | 'environment'>;
type Parts = Result<readonly PolicyPart[], readonly Failure[]>;

/** The parts of the policy in the registry, those of the machine first. */
export async function readWindowsPolicy(tools: WindowsTools): Promise<Parts> {
  const parts: PolicyPart[] = [];
  for (const key of keys) {
    const found = await readKey(key, tools);
    if (!found.ok) return found;
    parts.push(...found.value);
  }
  return ok(parts);
}

async function readKey(key: string, tools: WindowsTools): Promise<Parts> {
  const answer = await query(key, ['/s'], tools);
  if (!answer.ok) return err([unreadable(key, answer.error)]);
  const { exitCode, printed } = answer.value;
  if (exitCode !== 0)
    return (await isMissing(key, tools)) ? ok([]) : err([unreadable(key, `reg.exe ended with ${exitCode}`)]);
  const values = parseRegistry(printed, key);
  if (!values.ok) return err([unreadable(key, values.error)]);
  const odd = values.value.find(({ subkey }) => subkey !== '' && !isRecommended(subkey));
  if (odd !== undefined) return err([unknownSubkey(key, odd.subkey)]);
  return partsOf(key, values.value);
}

function partsOf(key: string, values: readonly RegistryValue[]): Parts {
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
  const message = `${grouped.error} in ${place} is a value and a group at once.`;
  return err([policyFailure(message, 'Keep one of the two.')]);
}

/** `reg.exe` says in its own language why it failed: a key is missing when the next one above does not list it. */
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
  const named = environment['SystemRoot'];
  const root = named !== undefined && win32.isAbsolute(named) ? named : 'C:\\Windows';
  return run(win32.join(root, 'System32', 'reg.exe'), ['query', key, ...more]);
}

const isRecommended = (subkey: string): boolean => subkey.toLowerCase() === RECOMMENDED.toLowerCase();

const unreadable = (key: string, reason: string): Failure =>
  policyFailure(
    `The policy ${key} cannot be read: ${reason}.`,
    'Correct it, or allow reg.exe for the account that runs this program.',
  );

const unknownSubkey = (key: string, subkey: string): Failure =>
  policyFailure(
    `${key}\\${subkey} is not a known part of the policy.`,
    `Values stand in ${key} itself, with dots in their names (upload.concurrentFiles), or in its subkey ${RECOMMENDED}.`,
  );
