import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyState } from '../../shared/ipc/calls/settings.ts';

/** Where the key is kept, and what that protects it from. */
export function KeyPlace({ state }: { readonly state: KeyState }): ReactNode {
  const { t } = useTranslation();
  const { keptIn, keeperName, isGuardedFromPrograms } = state;
  if (keptIn !== 'keyStore') return <p className="dim">{t(`key.kept.${keptIn}`)}</p>;
  const keeper = keeperName ?? t('key.kept.someKeyStore');
  return (
    <p className="dim">
      {t(isGuardedFromPrograms === true ? 'key.kept.keyStoreOfApp' : 'key.kept.keyStore', { keeper })}
    </p>
  );
}
