import { PlugZap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/check-lines.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import styles from './settings.module.css';

/** Tries the connection: name resolution, TLS, service with its key, permission for video and clock, a line each. */
export function ConnectionTest({
  isDirty,
  needsRestart,
}: {
  readonly isDirty: boolean;
  readonly needsRestart: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const test = useOrder('connection.check');
  return (
    <section aria-label={t('settings.test')} className={styles['block']}>
      <h3>{t('settings.test')}</h3>
      <p className="dim">{t(isDirty || needsRestart ? 'settings.testsRunning' : 'settings.testHelp')}</p>
      <div>
        <Button icon={PlugZap} onPress={() => test.mutate({})} isDisabled={test.isPending}>
          {t(test.isPending ? 'settings.testing' : 'settings.testAction')}
        </Button>
      </div>
      <div role="status">
        {test.data === undefined ? null : <CheckLines label={t('settings.test')} lines={test.data.lines} />}
      </div>
      {test.error === null ? null : <FailurePanel failure={test.error.failure} />}
    </section>
  );
}
