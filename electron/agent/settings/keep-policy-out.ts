import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import type { SettingsChange } from '../../../shared/ipc/calls/settings.ts';
import { leavesOf, valueAt, withValue, type SettingsGroup } from '../core/settings/layer-settings.ts';
import type { Policy } from './policy/policy.ts';

/** The managed settings that a change would give another value; undefined when there are none. */
export function managedChange(change: SettingsChange, policy: Policy): Failure | undefined {
  const fixed = withDefaults(policy.managed);
  const paths = leavesOf(policy.managed)
    .map(({ path }) => path)
    .filter(([section = '']) => Object.hasOwn(change, section))
    .filter((path) => !isDeepStrictEqual(valueAt({ ...change }, path), valueAt(fixed, path)))
    .map((path) => path.join('.'));
  if (paths.length === 0) return undefined;
  const text = `is set by the organisation in ${policy.places.join(' and ')}`;
  return {
    code: 'SETTING_MANAGED',
    message: `${paths.join(', ')} cannot be changed here: it ${text}.`,
    advice: 'Nothing was saved. Whoever manages this PC can change it.',
    retryable: false,
    fields: paths.map((name) => ({ name, text })),
  };
}

/**
 * The file as it is to be without what only the policy says: windows send whole sections, and a value that nobody here
 * chose must not stay when the policy goes, nor keep a new recommendation from counting.
 */
export function keepPolicyOut(next: SettingsGroup, written: SettingsGroup, policy: Policy): SettingsGroup {
  const advised = withDefaults(policy.recommended);
  const managed = leavesOf(policy.managed).map(({ path }) => path);
  const untouched = leavesOf(policy.recommended)
    .map(({ path }) => path)
    .filter((path) => valueAt(written, path) === undefined)
    .filter((path) => isDeepStrictEqual(valueAt(next, path), valueAt(advised, path)));
  return [...managed, ...untouched].reduce(
    (kept, path) =>
      valueAt(kept, path) === undefined ? kept : withValue(kept, path, valueAt(written, path)),
    next,
  );
}

/** As the windows are shown it: the entries of lists have their defaults, the address has no slash at its end. */
function withDefaults(said: SettingsGroup): SettingsGroup {
  const { baseUrl, ...settings } = settingsSchema.parse(said);
  return { ...settings, ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, '') }) };
}
