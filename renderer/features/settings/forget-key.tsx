import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailurePanel } from '../../ui/states.tsx';

/** Asks whether the key is really to be deleted: without it nothing goes out, and nobody here can bring it back. */
export function ForgetKey({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const forget = useOrder('settings.forgetKey', {
    onDone: (state) => {
      queries.setQueryData(['settings.key', {}], state);
      notices.show({ level: 'info', text: t('settings.keyForgotten') });
      close();
    },
  });
  return (
    <Dialog
      title={t('settings.forgetTitle')}
      isOpen
      onClose={close}
      isAlert
      actions={
        <>
          <Button onPress={close} autoFocus>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" isDisabled={forget.isPending} onPress={() => forget.mutate({})}>
            {t('settings.forgetKey')}
          </Button>
        </>
      }
    >
      <p>{t('settings.forgetText')}</p>
      {forget.error === null ? null : <FailurePanel failure={forget.error.failure} />}
    </Dialog>
  );
}
