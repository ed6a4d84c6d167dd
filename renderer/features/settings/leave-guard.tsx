import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDesktopOrder } from '../../queries/use-desktop.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** What was edited is not lost by a step to another screen, by closing the tab or by quitting, without a question. */
export function LeaveGuard({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { bridge } = useServices();
  useTellDesktop(form.isDirty);
  const { status, proceed, reset } = useBlocker({
    // The parts of this screen share one draft
    shouldBlockFn: ({ current, next }) => form.isDirty && current.pathname !== next.pathname,
    // A window of the desktop app has no such question: one that refuses to go would only keep the app from ending,
    // which asks itself
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

/** The desktop app asks before it ends. In a browser there is nobody to tell. */
function useTellDesktop(hasChanges: boolean): void {
  const { bridge } = useServices();
  const { mutate } = useDesktopOrder('unsaved.set');
  const tell = useEffectEvent((has: boolean) => {
    if (bridge.desktop !== undefined) mutate({ hasChanges: has });
  });
  useEffect(() => {
    if (!hasChanges) return undefined;
    tell(true);
    return () => tell(false);
  }, [hasChanges]);
}
