import { userInfo } from 'node:os';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { layerSettings, type SettingsGroup } from '../../core/settings/layer-settings.ts';
import { countSettings, noPolicy, type Policy } from './policy.ts';
import { checkPart, type PolicyPart } from './policy-part.ts';
import { hostRulesSchema } from './policy-schema.ts';
import { readLinuxPolicy } from './read-linux-policy.ts';
import { readMacPolicy } from './read-mac-policy.ts';
import { readWindowsPolicy } from './read-windows-policy.ts';
import { readGuardedFile, runProgram, type PolicyTools } from './system-tools.ts';

/** Reads the policy of this PC, once, before anything starts. Errors: POLICY_INVALID, all that is wrong at once. */
export function readPolicy(): Promise<Result<Policy, readonly Failure[]>> {
  return readPolicyWith({
    platform: process.platform,
    environment: process.env,
    get userName() {
      return userInfo().username;
    },
    readFile: readGuardedFile,
    run: runProgram,
  });
}

/** The same with the tools that are given. */
export async function readPolicyWith(tools: PolicyTools): Promise<Result<Policy, readonly Failure[]>> {
  const parts = await readParts(tools);
  if (!parts.ok) return parts;
  const failures = parts.value.flatMap((part) => checkPart(part, tools.platform));
  return failures.length > 0 ? err(failures) : ok(combine(parts.value));
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

/** Parts that were checked, as one policy: at each level the first part that says something about a setting counts. */
export function combine(parts: readonly PolicyPart[]): Policy {
  const at = (level: PolicyPart['level']): SettingsGroup =>
    parts
      .filter((part) => part.level === level)
      .reduce<SettingsGroup>(
        (first, { values }) => layerSettings({ managed: first, user: values }).values,
        {},
      );
  const {
    updates: managedUpdates,
    console: managedConsole,
    ...managed
  } = hostRulesSchema.parse(at('managed'));
  const { updates, console, ...recommended } = hostRulesSchema.parse(at('recommended'));
  return {
    places: parts.filter(({ values }) => countSettings(values) > 0).map(({ place }) => place),
    count: countSettings(...parts.map(({ values }) => values)),
    managed,
    recommended,
    updates: { ...noPolicy.updates, ...updates, ...managedUpdates },
    console: { ...said('managed', managedConsole), ...said('recommended', console) },
  };
}

function said(
  level: PolicyPart['level'],
  rule: { readonly enabled?: boolean } | undefined,
): Policy['console'] {
  return rule?.enabled === undefined ? {} : { [level]: rule.enabled };
}
