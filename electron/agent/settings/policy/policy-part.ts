import { posix, win32 } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../../shared/domain/failure.ts';
import type { SettingsGroup } from '../../core/settings/layer-settings.ts';
import { describeIssue, rangeFailure } from '../describe-issue.ts';
import { checkMeaning } from '../load-settings.ts';
import { asPolicyFailure } from './policy-failure.ts';
import { policyShape, policyValuesSchema } from './policy-schema.ts';

/** What one place says at one level; of several places at a level the first one counts. */
export interface PolicyPart {
  /** As administrators know it: a file, a key of the registry. */
  readonly place: string;
  readonly level: 'managed' | 'recommended';
  readonly values: SettingsGroup;
}

/** All that is wrong with a part; values must be whole, since half a policy is none. */
export function checkPart({ place, values }: PolicyPart, platform: NodeJS.Platform): readonly Failure[] {
  const parsed = policyValuesSchema.safeParse(values);
  const issues = parsed.success ? [] : parsed.error.issues;
  const shape = policyShape();
  const failures = [
    ...issues.flatMap((issue) => describeIssue(issue, values, place, shape)),
    ...checkMeaning(values, place),
    ...checkPaths(values, place, platform),
  ];
  return failures.map((failure) => asPolicyFailure(failure, place));
}

const pathsSchema = z.object({
  apiKeyFile: z.string().optional().catch(undefined),
  proxyCredentialsFile: z.string().optional().catch(undefined),
  watch: z.array(z.object({ path: z.string().optional() }).catch({})).catch([]),
});

/** A policy has no folder of its own that a relative path could mean. */
function checkPaths(values: SettingsGroup, place: string, platform: NodeJS.Platform): readonly Failure[] {
  const { apiKeyFile, proxyCredentialsFile, watch } = pathsSchema.parse(values);
  const named = [
    ['apiKeyFile', apiKeyFile] as const,
    ['proxyCredentialsFile', proxyCredentialsFile] as const,
    ...watch.map(({ path }, index) => [`watch[${index}].path`, path] as const),
  ];
  const { isAbsolute } = platform === 'win32' ? win32 : posix;
  return named.flatMap(([name, path]) =>
    path === undefined || path === '' || isAbsolute(path)
      ? []
      : [rangeFailure(name, 'is a relative path; a policy needs whole ones', place)],
  );
}
