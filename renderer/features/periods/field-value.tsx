import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { CutName } from './cut-name.tsx';
import { fieldState } from './form-field.ts';

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
