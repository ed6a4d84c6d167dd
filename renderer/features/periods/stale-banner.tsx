import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import { useLocale, usePreference, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { fullTime } from '../../ui/time-text.tsx';
import styles from './periods.module.css';

/** A list that may be older than it looks. */
export interface Reading {
  readonly failure: Failure | undefined;
  /** When the list that is shown was read, milliseconds; 0 when none is. */
  readonly readAtMs: number;
}

/** Reading one of the lists again did not succeed: why, and how old what is shown is. */
export function StaleBanner({ readings }: { readonly readings: readonly Reading[] }): ReactNode {
  const { t } = useTranslation();
  const { commands } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const stale = readings.find(({ failure, readAtMs }) => failure !== undefined && readAtMs > 0);
  if (stale?.failure === undefined) return null;
  const time = fullTime(new Date(stale.readAtMs).toISOString(), display, locale);
  return (
    <div role="status" className={styles['banner']}>
      <p>
        <strong>! {t('periods.stale', { time })}</strong> {stale.failure.message} {stale.failure.advice}
      </p>
      <Button onPress={() => commands.run('app.refresh')}>{t('common.tryAgain')}</Button>
    </div>
  );
}
