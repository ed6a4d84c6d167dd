import type { TFunction } from 'i18next';
import type { Period } from '../../../shared/domain/period.ts';

/** What a period is called; by its id when the service gives no name. */
export function periodName({ name, id }: Pick<Period, 'id' | 'name'>, t: TFunction): string {
  return name === undefined || name.trim() === '' ? t('periods.unnamed', { id }) : name;
}
