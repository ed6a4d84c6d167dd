import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useDesktopOrder, useDesktopRead } from '../queries/use-desktop.ts';
import { useServices } from '../stores/services.ts';
import styles from './app.module.css';

/** An update that is loaded: it waits for the next start, or for this button. Uploads are asked about by the desktop. */
export function UpdateMark(): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { data } = useDesktopRead('update.state', {});
  const install = useDesktopOrder('update.install', {
    onFailed: ({ message, advice }) => notices.show({ level: 'failure', text: `${message} ${advice}` }),
  });
  return (
    <span role="status">
      {data?.kind !== 'ready' ? null : (
        <>
          {t('frame.updateReady', { version: data.version })}{' '}
          <AriaButton
            className={styles['stripButton'] ?? ''}
            data-kind="update"
            isDisabled={install.isPending}
            onPress={() => install.mutate({})}
          >
            {t('frame.updateInstall')}
          </AriaButton>
        </>
      )}
    </span>
  );
}
