import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** What was edited is not lost by a step to another screen, or by closing the tab, without a question. */
export function LeaveGuard({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { bridge } = useServices();
  const { status, proceed, reset } = useBlocker({
    // The parts of this screen share one draft
    shouldBlockFn: ({ current, next }) => form.isDirty && current.pathname !== next.pathname,
    // A window of the desktop app has no such question: one that refuses to go would only keep the app from ending
    enableBeforeUnload: form.isDirty && bridge.desktop === undefined,
    withResolver: true,
  });
  return (
    <Dialog
      title={t('settings.leaveTitle')}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      isAlert
      actions={
        <>
          <Button kind="danger" onPress={() => proceed?.()}>
            {t('settings.leaveAnyway')}
          </Button>
          <Button kind="primary" autoFocus onPress={() => reset?.()}>
            {t('settings.stay')}
          </Button>
        </>
      }
    >
      <p>{t('settings.leaveText')}</p>
    </Dialog>
  );
}
