import { posix } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { SettingsGroup } from '../../core/settings/layer-settings.ts';
import { parseConfig } from '../config-file.ts';
import { describeIssue } from '../describe-issue.ts';
import {
  asPolicyFailure,
  type GuardedFile,
  policyFailure,
  type PolicyPart,
  type PolicyTools,
} from './policy-part.ts';
import { readGroup } from './policy-values.ts';

/** Where an organisation puts its policy on Linux. */
export const LINUX_POLICY_FILE = '/etc/vms-export-agent/policy.json';

const groupSchema = z.record(z.string(), z.unknown());
const policyFileSchema = z.strictObject({ managed: groupSchema, recommended: groupSchema }).partial();

/** Bits of group and others that allow writing. */
const OTHERS_WRITE = 0o022;

/** The parts of the policy file. Only root may have written it: whoever may is who sets the policy. */
export async function readLinuxPolicy({
  readFile,
}: Pick<PolicyTools, 'readFile'>): Promise<Result<readonly PolicyPart[], readonly Failure[]>> {
  const place = LINUX_POLICY_FILE;
  const file = await readFile(place);
  if (!file.ok)
    return err([
      policyFailure(
        `The policy ${place} cannot be read (${file.error}).`,
        'Make it a file that every account may read.',
      ),
    ]);
  if (file.value === undefined) return ok([]);
  const open = openPlace(file.value);
  if (open !== undefined) return err([open]);
  return parsePolicyFile(file.value.bytes, place);
}

/** A place that others than root can change; undefined: there is none. */
function openPlace({ guards }: GuardedFile): Failure | undefined {
  const open = guards.find(isOpen);
  if (open === undefined) return undefined;
  return policyFailure(
    `${open.path} can be changed by others than root.`,
    `Give it to root (chown root ${open.path}; chmod go-w ${open.path}).`,
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

/** The parts of the managed preferences; those of the account count before the machine's, as everywhere on macOS. */
export async function readMacPolicy(tools: MacTools): Promise<ReadParts> {
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
    return err([unreadable(file, `plutil ended with ${answer.value.exitCode}`)]);
  return parsePreferences(answer.value.printed, file);
}

const preferencesSchema = z.looseObject({ Recommended: z.record(z.string(), z.unknown()).optional() });

/** All keys are managed settings, but for the group `Recommended`. */
function parsePreferences(printed: Uint8Array, file: string): ReadParts {
  const json = parseConfig(printed, file);
  if (!json.ok) return err([unreadable(file, 'what plutil makes of it is not JSON')]);
  const preferences = preferencesSchema.safeParse(json.value);
  if (!preferences.success)
    return err([unreadable(file, 'it is no group of settings, or Recommended is none')]);
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
    policyFailure(`${values.error} in ${place} is a value and a group at once.`, 'Keep one of the two.'),
  ]);
}

const unreadable = (file: string, reason: string): Failure =>
  policyFailure(
    `The managed preferences ${file} cannot be read: ${reason}.`,
    'Correct the profile that they come from.',
  );
