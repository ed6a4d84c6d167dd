import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterTabs } from '../../../ui/filter-tabs.tsx';
import { SafeName } from '../../../ui/safe-name.tsx';
import type { ImportRow } from './check-rows.ts';
import { RowTable, type TableRow } from './row-table.tsx';
import { isReady } from './use-import.ts';

type Shown = 'all' | 'ready' | 'wrong';

/** What would be created, and what is wrong in which row. Nothing was sent yet. */
export function DryRun({ rows }: { readonly rows: readonly ImportRow[] }): ReactNode {
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
