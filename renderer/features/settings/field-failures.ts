import type { Failure } from '../../../shared/domain/failure.ts';
import { settingPath } from '../../../shared/domain/settings.ts';

/** What was said about one setting, when it was refused. */
export function failureOf(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name) === path)?.text;
}

/** What was said about the first refused entry of a list. */
export function failureInList(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name).startsWith(`${path}[`))?.text;
}
