import { Upload } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { CreatedUser, NewUser } from '../../../../shared/domain/team-user.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { useCaller, useReadAgain } from '../../../queries/use-call.ts';
import { useCommand } from '../../../stores/services.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/fields.tsx';
import { FilterTabs, SelectField } from '../../../ui/select-field.tsx';
import { SafeName } from '../../../ui/safe-name.tsx';
import { ProgressBar } from '../../../ui/states.tsx';
import { useBatch, type BulkRun } from '../run-batch.ts';
import styles from '../users.module.css';
import { checkRows, fieldLabels, type ImportRow } from './check-rows.ts';
import { importFields, mapColumns, moveColumn, type ColumnMapping } from './map-columns.ts';
import { readCsvFile, problemText, type CsvTable, type CsvProblem } from '../../../format/read-csv.ts';
import { ResultsDialog, RowTable, type TableRow } from './results-dialog.tsx';

type Opened =
  | { readonly kind: 'table'; readonly fileName: string; readonly table: CsvTable }
  | { readonly kind: 'problem'; readonly fileName: string; readonly problem: CsvProblem };

/** Creates many users from a file: columns, dry run, import, results. */
export function ImportUsers(): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened>();
  useCommand('users.import', () => input.current?.click());
  const close = (): void => setOpened(undefined);
  const open = async (file: File): Promise<void> => {
    const { name: fileName } = file;
    const read = await readCsvFile(file);
    setOpened(
      read.ok
        ? { kind: 'table', fileName, table: read.value }
        : { kind: 'problem', fileName, problem: read.error },
    );
  };
  return (
    <>
      <FileTrigger
        ref={input}
        acceptedFileTypes={['.csv', '.txt', 'text/csv', 'text/plain']}
        onSelect={(files) => {
          const file = files?.[0];
          if (file !== undefined) void open(file);
        }}
      >
        <Button icon={Upload}>{t('users.import.action')}</Button>
      </FileTrigger>
      {opened?.kind === 'table' ? (
        <ImportDialog fileName={opened.fileName} table={opened.table} close={close} />
      ) : null}
      {opened?.kind === 'problem' ? (
        <Dialog
          title={t('users.import.unreadable', { file: opened.fileName })}
          isOpen
          onClose={close}
          actions={<Button onPress={close}>{t('common.close')}</Button>}
        >
          <p>{problemText(opened.problem, t)}</p>
        </Dialog>
      ) : null}
    </>
  );
}

/** The steps from a file to users: assigning columns, a preview, and the import. */
function ImportDialog({
  fileName,
  table,
  close,
}: {
  readonly fileName: string;
  readonly table: CsvTable;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [mapping, setMapping] = useState(() =>
    mapColumns(table.headings, Object.fromEntries(importFields.map((name) => [name, t(fieldLabels[name])]))),
  );
  const [inviteAll, setInviteAll] = useState(false);
  const rows = useMemo(
    () => checkRows(table.rows, mapping, t, { inviteAll }),
    [table, mapping, t, inviteAll],
  );
  const { state, start, cancel } = useImport();
  const ready = rows.filter(isReady);
  if (state.kind === 'ended') return <ResultsDialog rows={rows} outcomes={state.outcomes} close={close} />;
  if (state.kind === 'running') return <Running done={state.done} total={state.total} cancel={cancel} />;
  return (
    <Dialog
      title={t('users.import.title', { file: fileName })}
      isOpen
      isWide
      isAlert
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" isDisabled={ready.length === 0} onPress={() => start(ready)}>
            {t('users.import.start', { count: ready.length })}
          </Button>
        </>
      }
    >
      {table.isCertain ? null : (
        <p>
          <span aria-hidden>! </span>
          {t('users.import.encoding')}
        </p>
      )}
      <ColumnFields headings={table.headings} mapping={mapping} change={setMapping} />
      {mapping.has('sendInvitation') ? null : (
        <CheckField label={t('users.import.inviteAll')} value={inviteAll} onChange={setInviteAll} />
      )}
      <DryRun rows={rows} />
    </Dialog>
  );
}

function Running({
  done,
  total,
  cancel,
}: {
  readonly done: number;
  readonly total: number;
  readonly cancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('users.import.running')}
      isOpen
      isAlert
      // A running import is only cancelled with the button, not by an accidental key press
      onClose={() => undefined}
      actions={
        <Button autoFocus onPress={cancel}>
          {t('users.import.cancel')}
        </Button>
      }
    >
      <ProgressBar label={t('users.import.running')} share={done / total} />
      <p>{t('users.bulk.running', { done, total })}</p>
    </Dialog>
  );
}

/** A valid row. */
type ReadyRow = ImportRow & { readonly user: NewUser };

/** Creates the users of the rows, one after another. Temporary passwords exist only in the outcomes. */
function useImport(): BulkRun<ReadyRow, CreatedUser> {
  const { call } = useCaller();
  const usersChanged = useReadAgain('users.');
  return useBatch<ReadyRow, CreatedUser>(({ user }) => call('users.create', { user }), usersChanged);
}

/** Whether a row is valid. */
function isReady(row: ImportRow): row is ReadyRow {
  return row.user !== undefined;
}

const NO_COLUMN = 'none';

/** Assigns columns of the file to fields: guessed from the headings, and adjustable here. */
function ColumnFields({
  headings,
  mapping,
  change,
}: {
  readonly headings: readonly string[];
  readonly mapping: ColumnMapping;
  readonly change: (mapping: ColumnMapping) => void;
}): ReactNode {
  const { t } = useTranslation();
  const choices = [
    { id: NO_COLUMN, label: t('users.import.noColumn') },
    ...headings.map((heading, index) => ({
      id: String(index),
      label: visibleName(heading) || t('users.import.column', { number: index + 1 }),
    })),
  ];
  return (
    <fieldset className={styles['columns']}>
      <legend>{t('users.import.columns')}</legend>
      {importFields.map((field) => (
        <SelectField
          key={field}
          label={t(fieldLabels[field])}
          choices={choices}
          value={String(mapping.get(field) ?? NO_COLUMN)}
          onChange={(id) => change(moveColumn(mapping, field, id === NO_COLUMN ? undefined : Number(id)))}
        />
      ))}
    </fieldset>
  );
}

type Shown = 'all' | 'ready' | 'wrong';

/** What would be created, and which rows are invalid, and why. Nothing has been sent yet. */
function DryRun({ rows }: { readonly rows: readonly ImportRow[] }): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown>('all');
  const lists = {
    all: rows,
    ready: rows.filter(isReady),
    wrong: rows.filter((row) => !isReady(row)),
  } as const satisfies Record<Shown, readonly ImportRow[]>;
  const filters = (['all', 'ready', 'wrong'] as const).map((id) => ({
    id,
    label: t(`users.import.shown.${id}`),
    count: lists[id].length,
  }));
  return (
    <>
      <FilterTabs label={t('users.import.rows')} filters={filters} value={shown} onChange={setShown} />
      <RowTable
        label={t('users.import.dryRun')}
        headings={[
          t('users.import.row'),
          t('users.import.check'),
          t('users.columnName'),
          t('users.columnContact'),
          t('users.role'),
        ]}
        rows={lists[shown].map((row) => dryRow(row, t('users.import.ready')))}
      />
    </>
  );
}

function dryRow(row: ImportRow, ready: string): TableRow {
  const { number, name, login, role, problems, doubts } = row;
  const isWrong = !isReady(row);
  return {
    number,
    isWrong,
    cells: [
      number,
      isWrong ? `✕ ${problems.join(' ')}` : [`✓ ${ready}`, ...doubts.map((doubt) => `! ${doubt}`)].join(' '),
      <SafeName key="name" name={name} />,
      <span key="login" className="ltr">
        <SafeName name={login} />
      </span>,
      <SafeName key="role" name={role} />,
    ],
  };
}
