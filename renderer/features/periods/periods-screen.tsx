import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Screen } from '../../ui/screen.tsx';

/** See the strings. */
export function PeriodsScreen(): ReactNode {
  const { t } = useTranslation();
  return <Screen title={t('periods.title')}>{null}</Screen>;
}
