import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import { Facts } from '../../ui/facts.tsx';

/** Where each value came from, and how sure it is. */
export function OriginNote({ origins }: { readonly origins: ClipDetail['origins'] }): ReactNode {
  const { t } = useTranslation();
  if (origins.length === 0) return null;
  return (
    <details>
      <summary>{t('uploads.origins')}</summary>
      <Facts
        facts={origins.map(({ field, source, confidence, note }) => [
          field,
          [t('uploads.origin', { source, confidence }), note]
            .filter((each) => each !== undefined)
            .join(' · '),
        ])}
      />
    </details>
  );
}
