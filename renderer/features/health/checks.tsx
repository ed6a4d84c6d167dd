import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckLine } from '../../../shared/domain/health.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/check-lines.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import styles from './health.module.css';
import { localLines } from './local-lines.ts';

/** The same checks as `vms-export-agent check`: what this desk knows at once, the service as soon as it answers. */
export function Checks(): ReactNode {
  const { t } = useTranslation();
  const settings = useRead('settings.get', {});
  const key = useRead('settings.key', {});
  const health = useRead('health.get', {});
  const connection = useRead('connection.check', {});
  const lines = localLines({ settings: settings.data, key: key.data, health: health.data }, t);
  const all = [...lines, ...(connection.data?.lines ?? [])];
  const error = settings.error ?? key.error ?? connection.error;
  const checkAgain = (): void => {
    for (const read of [settings, key, health, connection]) void read.refetch();
  };
  return (
    <section aria-label={t('health.checks')} className={styles['block']}>
      <div className={styles['head']}>
        <h2>{t('health.checks')}</h2>
        <Button icon={RefreshCw} onPress={checkAgain} isDisabled={connection.isFetching}>
          {t(connection.isFetching ? 'health.checking' : 'health.checkAgain')}
        </Button>
      </div>
      <p role="status" className="dim">
        {connection.isFetching ? t('health.waiting') : t('health.result', countStates(all))}
      </p>
      <CheckLines label={t('health.checks')} lines={all} />
      {error === null ? null : (
        <FailurePanel failure={error.failure} title={t('health.checksFailed')} onRetry={checkAgain} />
      )}
    </section>
  );
}

function countStates(lines: readonly CheckLine[]) {
  const count = (state: CheckLine['state']): number => lines.filter((line) => line.state === state).length;
  return { ok: count('ok'), warnings: count('warning'), failures: count('failed') };
}
