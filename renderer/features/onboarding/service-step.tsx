import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isManaged } from '../../../shared/domain/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { KeyField } from '../../ui/key-field.tsx';
import { KeyPlace } from '../../ui/key-place.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './onboarding.module.css';
import type { StepProps } from './step-props.ts';
import { useSave } from './use-save.ts';

/** Where the service is, and the key to it. */
export function ServiceStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data: key } = useRead('settings.key', {});
  const [baseUrl, setBaseUrl] = useState(view.settings.baseUrl ?? '');
  const { save, isSaving, failure } = useSave(forward, { isApplied: true });
  const isLocked = isManaged(view.managed ?? [], 'baseUrl');
  const isSet = key?.isSet === true;
  const goOn = (): void => (baseUrl === view.settings.baseUrl ? forward() : save({ baseUrl }));
  return (
    <>
      <p className="dim">{t('onboarding.serviceHelp')}</p>
      {view.isDemo === true && isSet ? (
        <div className={styles['offer']}>
          <p>{t('onboarding.simulated')}</p>
          <Button kind="primary" onPress={forward}>
            {t('onboarding.useSimulated')}
          </Button>
        </div>
      ) : null}
      <TextField
        label={t('onboarding.baseUrl')}
        description={t(isLocked ? 'onboarding.locked' : 'onboarding.baseUrlHelp')}
        value={baseUrl}
        onChange={setBaseUrl}
        isDisabled={isLocked}
        error={failure?.fields?.find(({ name }) => name.endsWith('baseUrl'))?.text}
        isCode
      />
      {isSet ? (
        <>
          <p>✓ {t('onboarding.keySet', { fingerprint: key.fingerprint })}</p>
          <KeyPlace state={key} />
        </>
      ) : null}
      {key?.failure === undefined ? null : <FailurePanel failure={key.failure} />}
      <KeyField label={t('onboarding.key')} action={t('onboarding.setKey')} />
      {failure === undefined ? null : <FailurePanel failure={failure} />}
      <div className={styles['forward']}>
        <Button kind="primary" onPress={goOn} isDisabled={!isSet || baseUrl.trim() === '' || isSaving}>
          {t('onboarding.next')}
        </Button>
      </div>
    </>
  );
}
