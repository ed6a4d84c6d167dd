import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../queries/use-call.ts';
import { Screen } from '../../ui/screen.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { Bundle } from './bundle.tsx';
import { Checks } from './checks.tsx';
import { HealthFacts } from './health-facts.tsx';
import styles from './health.module.css';
import { LogPanel } from './log-panel.tsx';

/** How the agent is: checks, facts, its log, and all of it as a bundle for support. */
export function HealthScreen(): ReactNode {
  const { t } = useTranslation();
  const { data: health, error, refetch } = useRead('health.get', {});
  return (
    <Screen title={t('health.title')} actions={<Bundle />}>
      <div className={styles['layout']}>
        <div className={styles['column']}>
          {health?.pausedCircuits.map(({ circuit, failure }) => (
            <FailurePanel key={circuit} failure={failure} title={t(`health.closed.${circuit}`)} />
          ))}
          <Checks />
          {error !== null ? (
            <FailurePanel
              failure={error.failure}
              title={t('health.factsFailed')}
              onRetry={() => void refetch()}
            />
          ) : health === undefined ? (
            <LoadingState />
          ) : (
            <HealthFacts health={health} />
          )}
        </div>
        <LogPanel />
      </div>
    </Screen>
  );
}
