import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, posix } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { layerSettings, type SettingsGroup } from '../../core/settings/layer-settings.ts';
import { asPolicyFailure, checkPart, hostRulesSchema, policyFailure, readGroup } from './policy-values.ts';
import {
  cleanUpOf,
  countSettings,
  type GuardedFile,
  noPolicy,
  consoleRule,
  type Policy,
  type PolicyPart,
  type PolicyTools,
  type SignedSource,
} from './policy.ts';
import type { KeptPolicy } from './signed-policy.ts';
import { readWindowsPolicy } from './read-windows-policy.ts';
import { parseConfig } from '../config-file.ts';
import { describeIssue } from '../describe-issue.ts';
import { systemCode } from '../file-advice.ts';
import { quoted } from '../guarded-path.ts';

/** Time limit for a system program, milliseconds: the agent's start waits for it. */
const DEADLINE_MS = 10_000;

/** Largest output of a program, and largest file, bytes: the largest sensible policy has a few KB. */
const LARGEST_BYTES = 1024 * 1024;

/** System access needed to read a policy, including one from a signed address. */
export interface DeskTools extends PolicyTools {
  /** Gets the policy from the address that the PC's policy names; `local` is the PC's own policy. */
  readSigned(source: SignedSource, local: Policy): Promise<Result<KeptPolicy, readonly Failure[]>>;
}

/**
 * Reads the policy of this PC, before anything starts, and that of its signed address. Errors: POLICY_INVALID, with all
 * problems at once; those of `readSigned`.
 */
export function readPolicy(readSigned: DeskTools['readSigned']): Promise<Result<Policy, readonly Failure[]>> {
  return readPolicyWith({
    platform: process.platform,
    environment: process.env,
    get userName() {
      return userInfo().username;
    },
    readFile: readWithGuards,
    run: runProgram,
    readSigned,
  });
}

/** The same with the given tools. */
export async function readPolicyWith(tools: DeskTools): Promise<Result<Policy, readonly Failure[]>> {
  const parts = await readParts(tools);
  if (!parts.ok) return parts;
  const failures = parts.value.flatMap((part) => checkPart(part, tools.platform));
  if (failures.length > 0) return err(failures);
  const { policy: local, source, cleanUp } = combine(parts.value);
  if (!cleanUp.ok) return err([policyFailure(cleanUp.error, 'Set it, or remove cleanUp.')]);
  if (source === undefined) return ok(local);
  const signed = await tools.readSigned(source, local);
  return signed.ok ? ok(withSigned(source, parts.value, signed.value)) : signed;
}

/** The PC's own policy, with that of its signed address below it. */
export function withSigned(
  { url, publicKey }: SignedSource,
  local: readonly PolicyPart[],
  { sequence, issuedAt, validUntil, checkedAt, parts }: KeptPolicy,
): Policy {
  const signed = { url, publicKey, local, sequence, issuedAt, checkedAt };
  const { policy } = combine([...local, ...parts]);
  return { ...policy, signed: { ...signed, ...(validUntil !== undefined && { validUntil }) } };
}

function readParts(tools: PolicyTools): Promise<Result<readonly PolicyPart[], readonly Failure[]>> {
  switch (tools.platform) {
    case 'win32':
      return readWindowsPolicy(tools);
    case 'darwin':
      return readMacPolicy(tools);
    default:
      return readLinuxPolicy(tools);
  }
}

/** A policy, and the source of the one below it. */
interface Combined {
  readonly policy: Policy;
  readonly source: SignedSource | undefined;
  readonly cleanUp: ReturnType<typeof cleanUpOf>;
}

/** Combines checked parts into one policy: at each level, the first part that sets a value wins. */
function combine(parts: readonly PolicyPart[]): Combined {
  const at = (level: PolicyPart['level']): SettingsGroup =>
    parts
      .filter((part) => part.level === level)
      .reduce<SettingsGroup>((top, { values }) => layerSettings({ managed: top, user: values }).values, {});
  const {
    updates: managedUpdates,
    console: managedConsole,
    cleanUp: rule,
    signedPolicy: source,
    otlp: managedOtlp,
    ...managed
  } = hostRulesSchema.parse(at('managed'));
  const { updates, console, otlp, ...recommended } = hostRulesSchema.parse(at('recommended'));
  const cleanUp = cleanUpOf(rule);
  const policy = {
    places: parts.filter(({ values }) => countSettings(values) > 0).map(({ place }) => place),
    count: countSettings(...parts.map(({ values }) => values)),
    managed,
    recommended,
    updates: { ...noPolicy.updates, ...updates, ...managedUpdates },
    console: { ...consoleRule('managed', managedConsole), ...consoleRule('recommended', console) },
    ...((managedOtlp ?? otlp) && { otlp: managedOtlp ?? otlp }),
    ...(cleanUp.ok && cleanUp.value && { cleanUp: cleanUp.value }),
    ...(!cleanUp.ok && { cleanUpProblem: `${cleanUp.error} Nothing is cleaned up.` }),
  };
  return { policy, source, cleanUp };
}

/** Reads a file once, with the owners and modes that tell who could have written to it. */
export async function readWithGuards(path: string): Promise<Result<GuardedFile | undefined, string>> {
  try {
    // Non-blocking: a pipe with that name must not block the start
    await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return err('it is not a regular file');
    if (facts.size > LARGEST_BYTES) return err('it is larger than 1 MiB');
    const guards = [{ path, ownerId: facts.uid, mode: facts.mode }];
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const around = await stat(folder);
      guards.push({ path: folder, ownerId: around.uid, mode: around.mode });
      if (folder === dirname(folder)) break;
    }
    return ok({ bytes: await handle.readFile(), guards });
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? ok(undefined) : err(code);
  }
}

/** Runs a program without a shell or window, for at most ten seconds. */
export const runProgram: PolicyTools['run'] = (program, args) =>
  new Promise((resolve) => {
    const options = {
      encoding: 'buffer',
      timeout: DEADLINE_MS,
      maxBuffer: LARGEST_BYTES,
      windowsHide: true,
    } as const;
    execFile(program, [...args], options, (error, printed) => {
      if (error === null) resolve(ok({ exitCode: 0, printed }));
      else if (typeof error.code === 'number') resolve(ok({ exitCode: error.code, printed }));
      else
        resolve(
          err(error.killed === true ? `no response within ${DEADLINE_MS / 1000} s` : systemCode(error)),
        );
    });
  });

/** An organisation's policy on Linux. */
const LINUX_POLICY_FILE = '/etc/vms-export-agent/policy.json';

const groupSchema = z.record(z.string(), z.unknown());
const policyFileSchema = z.strictObject({ managed: groupSchema, recommended: groupSchema }).partial();

/** Write bits of group and others. */
const OTHERS_WRITE = 0o022;

/** The parts of the policy file. Only root may be able to write to it: whoever can sets the policy. */
async function readLinuxPolicy({
  readFile,
}: Pick<PolicyTools, 'readFile'>): Promise<Result<readonly PolicyPart[], readonly Failure[]>> {
  const place = LINUX_POLICY_FILE;
  const file = await readFile(place);
  if (!file.ok)
    return err([
      policyFailure(
        `The policy ${place} cannot be read (${file.error}).`,
        "Make it a regular file of at most 1 MiB that the agent's account can read.",
      ),
    ]);
  if (file.value === undefined) return ok([]);
  const open = openPlace(file.value);
  if (open !== undefined) return err([open]);
  return parsePolicyFile(file.value.bytes, place);
}

/** The failure for a place that accounts other than root can change; undefined: there is none. */
function openPlace({ guards }: GuardedFile): Failure | undefined {
  const open = guards.find(isOpen);
  if (open === undefined) return undefined;
  return policyFailure(
    `The policy cannot be trusted: ${open.path} can be changed by accounts other than root.`,
    `Make root its owner and remove write access for others (chown root ${quoted(open.path)}; chmod go-w ${quoted(open.path)}).`,
  );
}

const isOpen = ({ ownerId, mode }: GuardedFile['guards'][number]): boolean =>
  ownerId !== 0 || (mode & OTHERS_WRITE) !== 0;

function parsePolicyFile(
  bytes: Uint8Array,
  place: string,
): Result<readonly PolicyPart[], readonly Failure[]> {
  const json = parseConfig(bytes, place);
  if (!json.ok) return err([asPolicyFailure(json.error, place)]);
  const file = policyFileSchema.safeParse(json.value);
  if (!file.success) {
    const shape = z.toJSONSchema(policyFileSchema, { io: 'input' });
    const failures = file.error.issues.flatMap((issue) => describeIssue(issue, json.value, place, shape));
    return err(failures.map((failure) => asPolicyFailure(failure, place)));
  }
  const part = (level: PolicyPart['level'], values: SettingsGroup): PolicyPart => ({
    place: `${place}, "${level}"`,
    level,
    values,
  });
  const { managed = {}, recommended = {} } = file.data;
  return ok([part('managed', managed), part('recommended', recommended)]);
}

const FOLDER = '/Library/Managed Preferences';
const FILE = 'com.vms-export-agent.plist';
const PLUTIL = '/usr/bin/plutil';

type MacTools = Pick<PolicyTools, 'run' | 'readFile' | 'userName'>;

type ReadParts = Result<readonly PolicyPart[], readonly Failure[]>;

/** The parts of the managed preferences; the account's take precedence over the machine's, as everywhere on macOS. */
async function readMacPolicy(tools: MacTools): Promise<ReadParts> {
  const parts: PolicyPart[] = [];
  for (const file of [posix.join(FOLDER, posix.basename(tools.userName), FILE), posix.join(FOLDER, FILE)]) {
    const found = await readPreferences(file, tools);
    if (!found.ok) return found;
    parts.push(...found.value);
  }
  return ok(parts);
}

async function readPreferences(file: string, { run, readFile }: MacTools): Promise<ReadParts> {
  const there = await readFile(file);
  if (!there.ok) return err([unreadable(file, there.error)]);
  if (there.value === undefined) return ok([]);
  const open = openPlace(there.value);
  if (open !== undefined) return err([open]);
  const answer = await run(PLUTIL, ['-convert', 'json', '-o', '-', file]);
  if (!answer.ok) return err([unreadable(file, answer.error)]);
  if (answer.value.exitCode !== 0)
    return err([unreadable(file, `plutil exited with code ${answer.value.exitCode}`)]);
  return parsePreferences(answer.value.printed, file);
}

const preferencesSchema = z.looseObject({ Recommended: z.record(z.string(), z.unknown()).optional() });

/** All keys are managed settings, except the group `Recommended`. */
function parsePreferences(printed: Uint8Array, file: string): ReadParts {
  const json = parseConfig(printed, file);
  if (!json.ok) return err([unreadable(file, 'plutil did not return usable JSON')]);
  const preferences = preferencesSchema.safeParse(json.value);
  if (!preferences.success)
    return err([unreadable(file, 'the file, or Recommended in it, is not a group of settings')]);
  const { Recommended: recommended = {}, ...managed } = preferences.data;
  const own = toPart(file, 'managed', managed);
  if (!own.ok) return own;
  const below = toPart(`${file}, Recommended`, 'recommended', recommended);
  return below.ok ? ok([own.value, below.value]) : below;
}

function toPart(
  place: string,
  level: PolicyPart['level'],
  group: SettingsGroup,
): Result<PolicyPart, readonly Failure[]> {
  const values = readGroup(group);
  if (values.ok) return ok({ place, level, values: values.value });
  return err([
    policyFailure(`${values.error} in ${place} is set twice, in different forms.`, 'Remove one of them.'),
  ]);
}

const unreadable = (file: string, reason: string): Failure =>
  policyFailure(
    `The managed preferences file ${file} cannot be read: ${reason}.`,
    'Check the configuration profile that it comes from, then start the agent again.',
  );
