import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/check-lines.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import type { StepProps } from './step-props.ts';

/** Whether the service can be reached with that key, a line for each thing that can be wrong. */
export function TestStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useRead(
    'connection.check',
    {},
    // The agent is about to start again with what was saved; a test before would be one of the settings before
    { isEnabled: !view.needsRestart },
  );
  const hasFailed = data?.lines.some(({ state }) => state === 'failed') === true;
  return (
    <>
      <p className="dim">{t(view.needsRestart ? 'onboarding.testLater' : 'onboarding.testHelp')}</p>
      <div role="status">
        {isFetching ? <LoadingState /> : null}
        {data === undefined || isFetching ? null : (
          <CheckLines label={t('onboarding.step.test')} lines={data.lines} />
        )}
      </div>
      {error === null ? null : <FailurePanel failure={error.failure} />}
      <div className="buttons forward">
        <Button onPress={() => void refetch()} isDisabled={isFetching}>
          {t('onboarding.testAgain')}
        </Button>
        <Button kind={hasFailed ? 'normal' : 'primary'} onPress={forward} isDisabled={isFetching}>
          {t(hasFailed ? 'onboarding.nextAnyway' : 'onboarding.next')}
        </Button>
      </div>
    </>
  );
}
