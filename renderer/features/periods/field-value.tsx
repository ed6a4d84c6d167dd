import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import styles from './actions.module.css';
import { fieldState, lookOf } from './form-field.ts';
import { keyOf } from './select-actions.ts';

/** What stands in a form field; what is missing is told apart from what was left empty. */
export function FieldValue({ action, name }: { readonly action: Action; readonly name: string }): ReactNode {
  const { t } = useTranslation();
  const state = fieldState(action, name);
  switch (state.kind) {
    case 'values':
      return <CutName name={state.text} />;
    case 'empty':
      return <span className="dim">{t('periods.emptyValue')}</span>;
    case 'missing':
      return (
        <span className="dim">
          <span aria-hidden>∅</span> {t('periods.missing')}
        </span>
      );
    case 'untold':
      return null;
    default:
      return assertNever(state);
  }
}

/** Words of the service in a cell: the beginning where the room is small, whole where the pointer rests. */
export function CutName({ name }: { readonly name: string | undefined }): ReactNode {
  if (name === undefined) return null;
  const shown = visibleName(name);
  return (
    <span title={shown} className="cut">
      <span dir="auto">{shown}</span>
    </span>
  );
}

/** The status of an action in the service's own word, with a glyph and a colour where the word is known. */
export function StatusChip({ status }: { readonly status: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { tone, glyph } = lookOf(keyOf(status));
  return (
    <span className={styles['chip']} data-tone={tone}>
      <span aria-hidden>{glyph}</span>
      <span className={styles['word']}>
        {keyOf(status) === '' ? t('periods.statusNone') : <SafeName name={status ?? ''} />}
      </span>
    </span>
  );
}

/** Says that the AI of the service dispatched the action. */
export function AiMark({ isShort = false }: { readonly isShort?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['ai']} title={t('periods.ai')}>
      <span aria-hidden>✦</span>{' '}
      {isShort ? (
        <>
          <span aria-hidden>{t('periods.aiShort')}</span>
          <span className="visually-hidden">{t('periods.ai')}</span>
        </>
      ) : (
        t('periods.ai')
      )}
    </span>
  );
}
