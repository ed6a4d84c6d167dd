import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Screen } from '../../ui/screen.tsx';

/** See the strings. */
export function ComposeScreen(): ReactNode {
  const { t } = useTranslation();
  return <Screen title={t('compose.title')}>{null}</Screen>;
}
