import { RefreshCw, Save } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import styles from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';

/** What keeps settings from being changed or from counting, and the buttons while something was edited. */
export function SaveBar({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { view, failure, isDirty, isSaving } = form;
  const hasNotes = view.file === undefined || view.needsRestart || (view.managed ?? []).length > 0;
  if (!hasNotes && !isDirty && failure === undefined) return null;
  return (
    <section aria-label={t('settings.saving')} className={styles['saveBar']}>
      {failure === undefined ? null : <FailurePanel failure={failure} title={t('settings.notSaved')} />}
      {view.file === undefined ? <Note text={t('settings.noFile')} /> : null}
      {(view.managed ?? []).length > 0 ? <Note text={t('settings.managed')} /> : null}
      {view.needsRestart ? <ApplyNow isDisabled={isDirty || isSaving} /> : null}
      {isDirty ? (
        <div className="buttons">
          <span>{t('settings.unsaved')}</span>
          <Button onPress={form.discard} isDisabled={isSaving}>
            {t('settings.discard')}
          </Button>
          <Button kind="primary" icon={Save} onPress={form.save} isDisabled={isSaving}>
            {t('common.save')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

/** What is saved counts from the next start on: now, if that is wanted. Uploads go on where they were. */
function ApplyNow({ isDisabled }: { readonly isDisabled: boolean }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const apply = useOrder('settings.apply', {
    onDone: () => notices.show({ level: 'info', text: t('settings.applied') }),
    onFailed: ({ message, advice }) => notices.show({ level: 'failure', text: `${message} ${advice}` }),
  });
  return (
    <div className="buttons">
      <Note text={t('settings.needsRestart')} />
      <Button icon={RefreshCw} isDisabled={isDisabled || apply.isPending} onPress={() => apply.mutate({})}>
        {t('settings.applyNow')}
      </Button>
    </div>
  );
}

function Note({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="warning">
      <span aria-hidden>! </span>
      {text}
    </p>
  );
}
