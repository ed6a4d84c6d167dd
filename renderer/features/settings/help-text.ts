import type { TFunction } from 'i18next';

/** What stands below a field: what it is for, or that it cannot be changed here. */
export function helpText(isLocked: boolean, help: string | undefined, t: TFunction): string | undefined {
  if (!isLocked) return help;
  const locked = t('settings.locked');
  return help === undefined ? locked : `${locked} ${help}`;
}
