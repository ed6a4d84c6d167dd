import { ExternalLink } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { helpPages, type DesktopChoice } from '../../../shared/ipc/desktop.ts';
import { desktopKey, useDesktopOrder, useDesktopRead } from '../../queries/use-desktop.ts';
import { Button } from '../../ui/button.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ToggleField } from '../../ui/toggle-field.tsx';
import styles from './settings.module.css';

const choices = [
  'closeToTray',
  'startAtLogin',
  'notifyFinished',
] as const satisfies readonly (keyof DesktopChoice)[];

/** How the desktop app behaves on this PC, and where its help is; counts at once. */
export function DesktopPart(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useDesktopRead('choice.get', {});
  return (
    <>
      <p className="dim">{t('settings.desktopHelp')}</p>
      {error !== null ? (
        <FailurePanel failure={error.failure} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <Choices choice={data} />
      )}
      <HelpLinks />
    </>
  );
}

function Choices({ choice }: { readonly choice: DesktopChoice }): ReactNode {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const set = useDesktopOrder('choice.set', {
    // What the system made of it, not what was wished: it may have no such thing
    onDone: (next) => void queries.setQueryData(desktopKey('choice.get', {}), next),
  });
  return (
    <div className="stack">
      {choices.map((name) => (
        <div key={name}>
          <ToggleField
            label={t(`settings.choice.${name}`)}
            value={choice[name]}
            onChange={(value) => set.mutate({ [name]: value })}
            isDisabled={set.isPending}
          />
          <p className="dim">{t(`settings.choiceHelp.${name}`)}</p>
        </div>
      ))}
      {set.error === null ? null : (
        <FailurePanel failure={set.error.failure} title={t('settings.notSaved')} />
      )}
    </div>
  );
}

/** Pages of help, in the system's browser. */
function HelpLinks(): ReactNode {
  const { t } = useTranslation();
  const open = useDesktopOrder('openHelp');
  return (
    <section aria-label={t('settings.help')} className={styles['block']}>
      <h3>{t('settings.help')}</h3>
      <p className="dim">{t('settings.helpText')}</p>
      <div className="buttons">
        {helpPages.map((page) => (
          <Button key={page} icon={ExternalLink} onPress={() => open.mutate({ page })}>
            {t(`settings.helpPages.${page}`)}
          </Button>
        ))}
      </div>
      {open.error === null ? null : <FailurePanel failure={open.error.failure} />}
    </section>
  );
}
