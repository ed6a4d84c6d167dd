import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { CheckField } from '../../../ui/toggle-field.tsx';
import { checkRows, fieldLabels } from './check-rows.ts';
import { ColumnFields } from './column-fields.tsx';
import { DryRun } from './dry-run.tsx';
import { importFields, mapColumns } from './map-columns.ts';
import type { CsvTable } from './read-csv.ts';
import { ResultsDialog } from './results-dialog.tsx';
import { isReady, useImport } from './use-import.ts';

/** The way from a file to users: which column is what, what would be created, and then doing it. */
export function ImportDialog({
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
      // What runs is ended by its button alone, not by a slip of the keyboard
      onClose={() => undefined}
      actions={
        <Button autoFocus onPress={cancel}>
          {t('users.import.cancel')}
        </Button>
      }
    >
      <ProgressBar label={t('users.import.running')} share={done / total} />
      <p>{t('users.import.progress', { done, total })}</p>
    </Dialog>
  );
}
