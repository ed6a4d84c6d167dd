import { failureCodes } from '../../shared/domain/failure.ts';
import type { SourceFacts } from './source-facts.ts';

/** The codes and their policies, which decide what each code means. */
const POLICY_FILES = [
  'shared/domain/failure.ts',
  'shared/domain/failure-policy.ts',
  'electron/agent/core/failures/failure-policy.ts',
];

/** Steps that exist for a single code. */
const STEPS: readonly (readonly [path: string, code: string])[] = [
  // A missing settings file counts as empty
  ['electron/agent/settings/config-file.ts', 'CONFIG_MISSING'],
  // A key file that is configured but missing: the page asks for the key instead of showing an error
  ['electron/agent/calls/keys.ts', 'KEY_MISSING'],
  // Only a damaged queue is set aside and rebuilt
  ['electron/agent/store/open-db.ts', 'DB_BROKEN'],
  // Nothing else can be solved by another port
  ['electron/cli/commands/run.ts', 'PORT_IN_USE'],
  // "check" has a line for the policy
  ['electron/cli/commands/check.ts', 'POLICY_INVALID'],
  // The command line knows which of its options was refused
  ['electron/cli/commands/message.ts', 'INVALID_CHANNEL_USER'],
];

const isFailureCode = (text: string): boolean => failureCodes.some((code) => code === text);

/**
 * Decisions that a file makes on its own by failure code: comparisons with codes, lists of codes, and tables by code.
 */
export function failureDecisions({ path, compared, keys, lists }: SourceFacts): readonly string[] {
  if (POLICY_FILES.includes(path)) return [];
  const isStep = (code: string): boolean => STEPS.some(([file, known]) => file === path && known === code);
  const arrays = lists
    .map(({ texts, isPure }) => ({
      codes: texts.filter(isFailureCode),
      isAlone: isPure && texts.length === 1,
    }))
    // A single code among other texts means that a failure is created
    .filter(({ codes, isAlone }) => codes.length > 1 || (isAlone && codes.length === 1));
  return [
    ...[...compared]
      .filter((text) => isFailureCode(text) && !isStep(text))
      .map((code) => `compares with ${code}`),
    ...[...keys].filter(isFailureCode).map((code) => `has a table with ${code}`),
    ...arrays.map(({ codes }) => `lists ${codes.join(', ')}`),
  ].map((what) => `${path} ${what}`);
}
