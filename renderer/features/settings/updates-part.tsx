import { Download, RefreshCw } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UpdateState } from '../../../shared/ipc/desktop.ts';
import { desktopKey, useDesktopOrder, useDesktopRead } from '../../queries/use-desktop.ts';
import { Button } from '../../ui/button.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';

/** Where updates of the app stand, and what can be done about it. */
export function UpdatesPart(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useDesktopRead('update.state', {});
  return (
    <>
      <p className="dim">{t('settings.updatesHelp')}</p>
      {error !== null ? (
        <FailurePanel failure={error.failure} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <Standing state={data} />
      )}
    </>
  );
}

function Standing({ state }: { readonly state: UpdateState }): ReactNode {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const check = useDesktopOrder('update.check', {
    onDone: (next) => void queries.setQueryData(desktopKey('update.state', {}), next),
  });
  const install = useDesktopOrder('update.install');
  const failure = check.error?.failure ?? install.error?.failure;
  return (
    <>
      <div role="status">
        <StateText state={state} />
      </div>
      {state.kind === 'off' ? null : (
        <div className="buttons">
          {state.kind === 'ready' ? (
            <Button
              kind="primary"
              icon={Download}
              isDisabled={install.isPending}
              onPress={() => install.mutate({})}
            >
              {t('frame.updateInstall')}
            </Button>
          ) : null}
          <Button
            icon={RefreshCw}
            isDisabled={check.isPending || state.kind === 'loading'}
            onPress={() => {
              // What an earlier attempt came to says nothing of what comes now
              install.reset();
              check.mutate({});
            }}
          >
            {t(check.isPending ? 'settings.checkingUpdates' : 'settings.checkUpdates')}
          </Button>
        </div>
      )}
      {failure === undefined ? null : <FailurePanel failure={failure} />}
    </>
  );
}

function StateText({ state }: { readonly state: UpdateState }): ReactNode {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'off':
      return (
        <p>
          ○ {t('settings.updatesOff')} <span lang="en">{state.reason}</span>
        </p>
      );
    case 'current':
      return (
        <p>
          ✓ {t('settings.updatesCurrent')}{' '}
          {state.checkedAt === undefined ? null : (
            <>
              {t('settings.updatesChecked')} <TimeText value={state.checkedAt} />
            </>
          )}
        </p>
      );
    case 'loading':
      return <p>▲ {t('settings.updatesLoading', { version: state.version })}</p>;
    case 'ready':
      return <p>✓ {t('settings.updatesReady', { version: state.version })}</p>;
    case 'failed':
      return (
        <p className="warning">
          ✕ {t('settings.updatesFailed')} <span lang="en">{state.reason}</span>
        </p>
      );
  }
}
