import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Screen } from '../../ui/screen.tsx';

/** See the strings. */
export function HealthScreen(): ReactNode {
  const { t } = useTranslation();
  return <Screen title={t('health.title')}>{null}</Screen>;
}
