import type { TFunction } from 'i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import { settingPath } from '../../../shared/ipc/calls/settings.ts';
const MIB = 1024 * 1024;
const SIZES_MIB = [8, 16, 32, 64, 128, 256, 512];

/** Sizes of parts to choose from, with the one in use when it is another. */
export function partSizes(
  current: number | undefined,
): readonly { readonly bytes: number; readonly mib: number }[] {
  const sizes = SIZES_MIB.map((mib) => mib * MIB);
  const all = current === undefined || sizes.includes(current) ? sizes : [...sizes, current];
  return all
    .toSorted((left, right) => left - right)
    .map((bytes) => ({ bytes, mib: Math.round((bytes / MIB) * 100) / 100 }));
}

/** Hosts as they are typed, one a line or between commas. An empty last line stays: it is being typed. */
export function readHosts(text: string): string[] {
  return text.split(/[\n,]/).map((host) => host.trim());
}

/** What was said about one setting, when it was refused. */
export function failureOf(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name) === path)?.text;
}

/** What was said about the first refused entry of a list. */
export function failureInList(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name).startsWith(`${path}[`))?.text;
}

/** Where the proxy comes from, as a person chooses it. */
export const proxyWays = ['environment', 'address', 'none'] as const;

/** One of `proxyWays`. */
type ProxyWay = (typeof proxyWays)[number];

/** The choice that an address of the settings stands for; one that is being typed is an address already. */
export function proxyWay(url: string | undefined): ProxyWay {
  if (url === undefined) return 'environment';
  return url.toLowerCase() === 'none' ? 'none' : 'address';
}

/** What the settings say for a choice, before an address is typed. */
export function proxyUrlOf(way: ProxyWay): string | undefined {
  switch (way) {
    case 'environment':
      return undefined;
    case 'address':
      return 'http://';
    case 'none':
      return 'none';
  }
}

/** What stands below a field: what it is for, or that it cannot be changed here. */
export function helpText(isLocked: boolean, help: string | undefined, t: TFunction): string | undefined {
  if (help === undefined || !isLocked) return help;
  const locked = t('settings.locked');
  return `${locked} ${help}`;
}
