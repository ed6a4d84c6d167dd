import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Whether a user can log in: glyph and word. */
export function AccessMark({ isActive }: { readonly isActive: boolean | undefined }): ReactNode {
  const { t } = useTranslation();
  if (isActive === undefined) return <span className="dim">{t('users.unknown')}</span>;
  return isActive ? (
    <span>
      <span aria-hidden>● </span>
      {t('users.active')}
    </span>
  ) : (
    <span className="dim">
      <span aria-hidden>○ </span>
      {t('users.noAccess')}
    </span>
  );
}
