import { z } from 'zod';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { SettingsGroup } from '../../core/settings/layer-settings.ts';
import { describeIssue } from '../describe-issue.ts';
import { parseConfig } from '../read-config-file.ts';
import { asPolicyFailure, policyFailure } from './policy-failure.ts';
import type { PolicyPart } from './policy-part.ts';
import type { GuardedFile, PolicyTools } from './system-tools.ts';

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
  const open = file.value.guards.find(isOpen);
  if (open !== undefined)
    return err([
      policyFailure(
        `${open.path} can be changed by others than root.`,
        `Give it to root (chown root ${open.path}; chmod go-w ${open.path}).`,
      ),
    ]);
  return parsePolicyFile(file.value.bytes, place);
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
