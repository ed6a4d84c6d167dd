import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { CopyButton } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { actionText, fieldState, lookOf } from './form-field.ts';
import { type PeriodsSearch, idKey } from './periods.ts';
import styles from './periods.module.css';
import type { ActionView } from './use-periods.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import valueStyles from './actions.module.css';
import { keyOf } from './select-actions.ts';

/** The value of a form field; a missing field is distinguished from an empty one. */
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

/** Text from the service in a cell: the beginning where space is short, all of it on hover. */
export function CutName({ name }: { readonly name: string | undefined }): ReactNode {
  if (name === undefined) return null;
  const shown = visibleName(name);
  return (
    <span title={shown} className="cut">
      <span dir="auto">{shown}</span>
    </span>
  );
}

/** The status of an action in the service's own word, with a glyph and colour if the word is known. */
export function StatusChip({ status }: { readonly status: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { tone, glyph } = lookOf(keyOf(status));
  return (
    <span className={valueStyles['chip']} data-tone={tone}>
      <span aria-hidden>{glyph}</span>
      <span className={valueStyles['word']}>
        {keyOf(status) === '' ? t('periods.statusNone') : <SafeName name={status ?? ''} />}
      </span>
    </span>
  );
}

/** Marks an action that the service's AI dispatched. */
export function AiMark({ isShort = false }: { readonly isShort?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={valueStyles['ai']} title={t('periods.ai')}>
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

/** Everything the service reports about the selected action. */
export function ActionInspector({
  view,
  search,
}: {
  readonly view: ActionView;
  readonly search: PeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const chosen = search.action;
  // The list says that it is loading, or why it failed
  if (chosen === undefined || view.actions === undefined) return null;
  const action = view.actions.find(({ id }) => idKey(id) === idKey(chosen));
  if (action === undefined)
    return <EmptyState title={t('periods.goneTitle')}>{t('periods.goneText')}</EmptyState>;
  return (
    <div className="stack">
      <h2 className="breakable">
        <SafeName name={action.subClassification ?? action.classification ?? String(action.id)} />
      </h2>
      <div className={styles['marks']}>
        <StatusChip status={action.status} />
        {action.aiDispatched === true ? <AiMark /> : null}
      </div>
      <div className={styles['marks']}>
        <CopyButton text={actionText(action, view.fields, t)} label={t('common.copyText')} />
      </div>
      <ActionFacts action={action} />
      <FormFields action={action} fields={view.fields} />
      <Lines title={t('periods.notes')} lines={action.notes} />
      <OtherFields action={action} />
      <Ids action={action} />
    </div>
  );
}

const named = (name: string | undefined): ReactNode =>
  name === undefined || name === '' ? undefined : <SafeName name={name} />;
const timed = (time: string | undefined): ReactNode =>
  time === undefined ? undefined : <TimeText value={time} both />;

function ActionFacts({ action }: { readonly action: Action }): ReactNode {
  const { t } = useTranslation();
  return (
    <Facts
      facts={[
        fact(t('periods.columnKind'), named(action.classification)),
        fact(t('periods.columnCreated'), timed(action.createdAt)),
        fact(t('periods.columnAssigned'), timed(action.assignedAt)),
        fact(t('periods.columnDoing'), timed(action.doingAt)),
        fact(t('periods.columnClosed'), timed(action.closedAt)),
        fact(t('periods.columnCreatedBy'), named(action.createdBy)),
        fact(t('periods.columnUsers'), <Names names={action.assignedUsers} />),
        fact(t('periods.columnChannel'), named(action.channel)),
        fact(
          t('periods.latestChannel'),
          action.latestChannel === action.channel ? undefined : named(action.latestChannel),
        ),
        fact(t('periods.columnMarker'), named(action.periodMarker)),
        fact(t('periods.period'), named(action.periodName)),
        fact(t('periods.formType'), named(action.formType)),
      ].filter(([name]) => name !== t('periods.columnUsers') || action.assignedUsers.length > 0)}
    />
  );
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <ul>
      {names.map((name, index) => (
        // Two people may have the same name
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <SafeName name={name} />
        </li>
      ))}
    </ul>
  );
}

/** Fields with their values, and those that were requested but are missing. */
function FormFields({
  action,
  fields,
}: {
  readonly action: Action;
  readonly fields: readonly string[];
}): ReactNode {
  const { t } = useTranslation();
  const names = [...new Set([...fields, ...action.missingFields])].filter(
    (name) => action.missingFields.includes(name) || action.formFields.some((field) => field.name === name),
  );
  if (names.length === 0) return null;
  return (
    <section aria-label={t('periods.formFields')} className={styles['part']}>
      <h3>{t('periods.formFields')}</h3>
      <Facts areForeign facts={names.map((name) => fact(name, <FieldValue action={action} name={name} />))} />
    </section>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title} className={styles['part']}>
      <h3>{title}</h3>
      <Names names={lines} />
    </section>
  );
}

function OtherFields({ action: { otherFields } }: { readonly action: Action }): ReactNode {
  const { t } = useTranslation();
  if (otherFields.length === 0) return null;
  return (
    <section aria-label={t('periods.otherFields')} className={styles['part']}>
      <h3>{t('periods.otherFields')}</h3>
      <Facts areForeign facts={otherFields.map(({ name, text }) => fact(name, <SafeName name={text} />))} />
    </section>
  );
}

function Ids({ action }: { readonly action: Action }): ReactNode {
  const { t } = useTranslation();
  const id = (value: string | number | undefined): ReactNode =>
    value === undefined ? undefined : (
      <code className="ltr">
        <SafeName name={String(value)} />
      </code>
    );
  return (
    <Facts
      facts={[
        fact(t('periods.periodActionId'), id(action.periodActionId)),
        fact(t('periods.actionId'), id(action.actionId)),
        fact(t('periods.periodId'), id(action.periodId)),
      ]}
    />
  );
}
