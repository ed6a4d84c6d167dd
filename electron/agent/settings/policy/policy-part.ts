import { posix, win32 } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../../shared/domain/failure.ts';
import type { Result } from '../../../../shared/lib/result.ts';
import type { SettingsGroup } from '../../core/settings/layer-settings.ts';
import { describeIssue, rangeFailure } from '../describe-issue.ts';
import { checkMeaning } from '../load-settings.ts';
import { policyShape, policyValuesSchema } from './policy-values.ts';

/** A file and who could have written it. */
export interface GuardedFile {
  readonly bytes: Uint8Array;
  /** The file and its folder, in this order: numeric owner and mode. */
  readonly guards: readonly { readonly path: string; readonly ownerId: number; readonly mode: number }[];
}

/** What reading a policy needs of the system. */
export interface PolicyTools {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the account that runs this program. */
  readonly userName: string;
  /** The file; undefined: there is none. Error: the system's code. */
  readFile(path: string): Promise<Result<GuardedFile | undefined, string>>;
  /** Runs a program of the system by its absolute path. Error: the system's code, when it could not run to its end. */
  run(
    program: string,
    args: readonly string[],
  ): Promise<Result<{ readonly exitCode: number; readonly printed: Uint8Array }, string>>;
}

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
  metrics: z.object({ textfile: z.string().optional() }).catch({}),
  watch: z.array(z.object({ path: z.string().optional() }).catch({})).catch([]),
});

/** A policy has no folder of its own that a relative path could mean. */
function checkPaths(values: SettingsGroup, place: string, platform: NodeJS.Platform): readonly Failure[] {
  const { apiKeyFile, proxyCredentialsFile, metrics, watch } = pathsSchema.parse(values);
  const named = [
    ['apiKeyFile', apiKeyFile] as const,
    ['proxyCredentialsFile', proxyCredentialsFile] as const,
    ['metrics.textfile', metrics.textfile] as const,
    ...watch.map(({ path }, index) => [`watch[${index}].path`, path] as const),
  ];
  const { isAbsolute } = platform === 'win32' ? win32 : posix;
  return named.flatMap(([name, path]) =>
    path === undefined || path === '' || isAbsolute(path)
      ? []
      : [rangeFailure(name, 'is a relative path; a policy needs whole ones', place)],
  );
}

/** Why a host ends: with a policy that it cannot read whole, it would do what the organisation forbids. */
const NO_LESS = 'The agent does not start with less than its policy.';

/** A policy that cannot be used. `message` is a sentence that names the place. */
export function policyFailure(message: string, advice: string): Failure {
  return { code: 'POLICY_INVALID', message, advice: `${advice} ${NO_LESS}`, retryable: false };
}

/** What is wrong with one value of a policy, said as a failure of the policy. */
export function asPolicyFailure(failure: Failure, place: string): Failure {
  const where = failure.advice.includes(place) ? '' : ` It stands in ${place}.`;
  return {
    ...policyFailure(failure.message, failure.advice + where),
    ...(failure.fields && { fields: failure.fields }),
  };
}
