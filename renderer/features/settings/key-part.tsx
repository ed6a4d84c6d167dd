import { KeyRound, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyState } from '../../../shared/ipc/calls/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { KeyField } from '../../ui/key-field.tsx';
import { KeyPlace } from '../../ui/key-place.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ForgetKey } from './forget-key.tsx';
import styles from './settings.module.css';

/** Which key is in use, by its fingerprint, where it is kept, and a field for another one. */
export function KeyPart(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useRead('settings.key', {});
  return (
    <section aria-label={t('settings.key')} className={styles['block']}>
      <h3>{t('settings.key')}</h3>
      {error !== null ? (
        <FailurePanel failure={error.failure} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <KeyInUse state={data} />
      )}
      <KeyField label={t('settings.newKey')} action={t('settings.setKey')} />
    </section>
  );
}

function KeyInUse({ state }: { readonly state: KeyState }): ReactNode {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const { isSet, fingerprint, failure } = state;
  // What whoever starts the agent hands over cannot be taken away here
  const canForget = (isSet || failure !== undefined) && state.keptIn !== 'credentials';
  return (
    <>
      {failure === undefined ? null : <FailurePanel failure={failure} />}
      <p>
        <KeyRound size={14} aria-hidden />{' '}
        {isSet ? t('settings.keySet', { fingerprint }) : t('settings.keyMissing')}
      </p>
      {isSet ? <KeyPlace state={state} /> : null}
      {canForget ? (
        <div>
          <Button icon={Trash2} onPress={() => setAsked(true)}>
            {t('settings.forgetKey')}
          </Button>
        </div>
      ) : null}
      {isAsked ? <ForgetKey close={() => setAsked(false)} /> : null}
    </>
  );
}
