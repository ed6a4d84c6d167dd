import { Download } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CreatedUser } from '../../../../shared/domain/team-user.ts';
import { Button } from '../../../ui/button.tsx';
import { useSaveCsv } from '../../../ui/save-file.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/fields.tsx';
import { SafeName } from '../../../ui/safe-name.tsx';
import type { Outcome } from '../run-batch.ts';
import styles from '../users.module.css';
import {
  describeResults,
  resultTable,
  type ImportResult,
  type ImportRow,
  type ResultKind,
} from './check-rows.ts';

const glyphs: Readonly<Record<ResultKind, string>> = {
  created: '✓',
  existed: '✓',
  perhaps: '!',
  failed: '✕',
  left: '○',
  wrong: '✕',
};
const good: ReadonlySet<ResultKind> = new Set<ResultKind>(['created', 'existed']);

/** The result of each row, on screen and as a file. Both include passwords only on request. */
export function ResultsDialog({
  rows,
  outcomes,
  close,
}: {
  readonly rows: readonly ImportRow[];
  readonly outcomes: readonly Outcome<ImportRow, CreatedUser>[];
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const saveCsv = useSaveCsv();
  const [withPasswords, setWithPasswords] = useState(false);
  const [wereShown, setShown] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const results = describeResults(rows, outcomes, t);
  const hasPasswords = results.some(({ password }) => password !== undefined);
  const save = (): void =>
    void saveCsv((day) => `users-import-${day}.csv`, resultTable(results, t, { withPasswords }));
  const showPasswords = (areShown: boolean): void => {
    setWithPasswords(areShown);
    setShown(true);
  };
  return (
    <>
      <Dialog
        title={t('users.import.resultTitle')}
        isOpen
        isWide
        isAlert
        // Closing loses the passwords, so an accidental key press does not close it
        onClose={hasPasswords ? () => undefined : close}
        actions={
          <>
            <Button icon={Download} autoFocus onPress={save}>
              {t('users.import.save')}
            </Button>
            <Button kind="primary" onPress={hasPasswords && !wereShown ? () => setLeaving(true) : close}>
              {t('common.close')}
            </Button>
          </>
        }
      >
        <Counts results={results} />
        {hasPasswords ? <PasswordChoice value={withPasswords} onChange={showPasswords} /> : null}
        <ResultRows results={results} withPasswords={withPasswords} />
      </Dialog>
      <AskLeave isOpen={isLeaving} stay={() => setLeaving(false)} leave={close} />
    </>
  );
}

/** Confirms closing when the passwords have not been shown: they cannot be recovered. */
function AskLeave({
  isOpen,
  stay,
  leave,
}: {
  readonly isOpen: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('users.import.leaveTitle')}
      isOpen={isOpen}
      onClose={stay}
      isAlert
      actions={
        <>
          <Button kind="danger" onPress={leave}>
            {t('users.import.leave')}
          </Button>
          <Button kind="primary" autoFocus onPress={stay}>
            {t('users.import.stay')}
          </Button>
        </>
      }
    >
      <p>{t('users.import.leaveText')}</p>
    </Dialog>
  );
}

function Counts({ results }: { readonly results: readonly ImportResult[] }): ReactNode {
  const { t } = useTranslation();
  const kinds = (['created', 'existed', 'perhaps', 'failed', 'wrong', 'left'] as const)
    .map((kind) => ({ kind, count: results.filter((result) => result.kind === kind).length }))
    .filter(({ count }) => count > 0);
  return (
    <p role="status">
      {kinds.map(({ kind, count }) => t(`users.import.counts.${kind}`, { count })).join(' · ')}
    </p>
  );
}

function PasswordChoice({
  value,
  onChange,
}: {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div>
      <CheckField label={t('users.import.withPasswords')} value={value} onChange={onChange} />
      <p className="warning">
        <span aria-hidden>! </span>
        {t(value ? 'users.import.passwordsShown' : 'users.import.passwordsHidden')}
      </p>
    </div>
  );
}

function ResultRows({
  results,
  withPasswords,
}: {
  readonly results: readonly ImportResult[];
  readonly withPasswords: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const headings = [
    t('users.import.row'),
    t('users.import.result'),
    t('users.columnName'),
    t('users.columnContact'),
  ];
  return (
    <RowTable
      label={t('users.import.resultTitle')}
      headings={withPasswords ? [...headings, t('users.passwordTitle')] : headings}
      rows={results.map(({ number, name, login, kind, detail, password }) => ({
        number,
        isWrong: !good.has(kind),
        cells: [
          number,
          `${glyphs[kind]} ${t(`users.import.kinds.${kind}`)}${detail === '' ? '' : `. ${detail}`}`,
          <SafeName key="name" name={name} />,
          <span key="login" className="ltr">
            <SafeName name={login} />
          </span>,
          ...(withPasswords ? [<code key="password">{password}</code>] : []),
        ],
      }))}
    />
  );
}

/** Limit of rows on screen: the tabs find what matters, and the file has everything. */
const MOST_SHOWN = 200;

/** A row of a file with the cells to show. */
export interface TableRow {
  readonly number: number;
  readonly isWrong: boolean;
  readonly cells: readonly ReactNode[];
}

/** Rows of a file, with room for long reasons. It can be scrolled by keyboard. */
export function RowTable({
  label,
  headings,
  rows,
}: {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const hidden = rows.length - MOST_SHOWN;
  return (
    // Focusable, so that the keyboard can scroll it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles['rows']} role="region" aria-labelledby={id} tabIndex={0}>
      <table>
        <caption id={id} className="visually-hidden">
          {label}
        </caption>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_SHOWN).map(({ number, isWrong, cells }) => (
            <tr key={number} data-wrong={isWrong || undefined}>
              {cells.map((cell, index) => (
                <td key={headings[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 ? <p>{t('users.import.more', { count: hidden })}</p> : null}
    </div>
  );
}
