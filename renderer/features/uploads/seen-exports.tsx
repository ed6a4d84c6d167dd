import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { needsPerson, type SeenExport, type SeenPage } from '../../../shared/domain/seen-export.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { useAsk, useRead } from '../../queries/use-call.ts';
import { useLocale, usePreference } from '../../stores/services.ts';
import { useNow } from '../../stores/use-now.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { useRowWindow, type RowWindow } from '../../ui/use-row-window.ts';
import styles from './seen-exports.module.css';
import type { ChangeUploadsSearch } from './upload-lists.tsx';

/** Rows that are seen without scrolling: the queue below is what the screen is for. */
const MOST_ROWS_SHOWN = { compact: 5, normal: 4, comfortable: 3 } as const;

/** Exports that were seen and are not wholly in the queue: nothing while there are none. */
export function SeenExports({
  chosen,
  change,
}: {
  readonly chosen: string | undefined;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const ask = useAsk();
  const exports: RowWindow<SeenPage> = useRowWindow(['uploads.listExports'], (offset, limit) =>
    ask('uploads.listExports', { offset, limit }),
  );
  const density = usePreference((preferences) => preferences.density);
  const columns = useMemo(() => seenColumns(t), [t]);
  if (exports.total === 0) return null;
  const shown = Math.min(exports.total, MOST_ROWS_SHOWN[density]);
  return (
    <section
      aria-label={t('uploads.seen.title')}
      className={styles['band']}
      style={{ height: `calc(var(--row) * ${shown + 1} + 2px)` }}
    >
      <DataGrid
        label={t('uploads.seen.title')}
        columns={columns}
        rowCount={exports.total}
        rowAt={exports.rowAt}
        rowId={idOf}
        onShow={exports.show}
        cursorId={chosen}
        onCursor={(row) => change({ export: row.id, clip: undefined })}
      />
    </section>
  );
}

const idOf = ({ id }: SeenExport): string => id;

function seenColumns(t: TFunction): readonly GridColumn<SeenExport>[] {
  return [
    {
      id: 'state',
      heading: t('uploads.columnState'),
      minWidth: 142,
      cell: ({ state }) => <StateMark state={state} />,
    },
    {
      id: 'name',
      heading: t('uploads.seen.columnName'),
      minWidth: 150,
      share: 0.5,
      cell: (row) => <SeenName row={row} />,
    },
    {
      id: 'reason',
      heading: t('uploads.seen.columnReason'),
      minWidth: 190,
      share: 1,
      cell: (row) => (
        <span lang="en" dir="auto" title={`${row.message} ${row.advice}`}>
          {shortReason(row)}
        </span>
      ),
    },
    {
      id: 'time',
      heading: t('uploads.seen.columnTime'),
      minWidth: 104,
      align: 'end',
      cell: (row) => <SeenTime row={row} />,
    },
  ];
}

/** Without the name of the file that it begins with: in a narrow cell it would be all that is read. */
function shortReason({ message, facts }: SeenExport): string {
  const name = visibleName(facts.named[0]?.path ?? '');
  if (name === '' || !message.startsWith(`${name} `)) return message;
  const rest = message.slice(name.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function SeenName({ row }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  return row.name === '' ? <span>{t('uploads.seen.loose')}</span> : <SafeName name={row.name} tip />;
}

/** How long it still waits; else how long it has stood like this. */
function SeenTime({ row }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const nowMs = useNow();
  const { state, settlesAt, since, facts } = row;
  const text = ((): string => {
    if (state === 'reading') return formatShare((facts.read?.done ?? 0) / (facts.read?.total || 1), locale);
    const leftMs = settlesAt === undefined ? 0 : Date.parse(settlesAt) - nowMs;
    if (state === 'settling')
      return leftMs > 0 ? t('uploads.seen.left', { time: formatDuration(leftMs) }) : t('uploads.seen.soon');
    return t('uploads.seen.lasts', { time: formatDuration(nowMs - Date.parse(since)) });
  })();
  return <span className="ltr">{text}</span>;
}

/** One export that is not wholly in the queue: why, what to do, and what is in it. */
export function SeenInspector({
  exportId,
  change,
}: {
  readonly exportId: string;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const read = useRead('uploads.getExport', { exportId });
  if (read.error?.failure.code !== undefined)
    return <EmptyState title={t('uploads.seen.goneTitle')}>{t('uploads.seen.goneText')}</EmptyState>;
  return <Loaded read={read}>{(row) => <SeenDetails row={row} change={change} />}</Loaded>;
}

function SeenDetails({
  row,
  change,
}: {
  readonly row: SeenExport;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { incidentId } = row;
  return (
    <div className="stack">
      <h2 className="breakable">
        <SeenName row={row} />
      </h2>
      <StateMark state={row.state} />
      <div
        className={styles['why']}
        data-state={needsPerson(row.state) ? 'held' : undefined}
        lang="en"
        dir="auto"
      >
        <p>{row.message}</p>
        <p>{row.advice}</p>
      </div>
      <div className="buttons">
        <CopyButton text={row.folder} label={t('uploads.seen.copyPath')} />
        {incidentId === undefined ? null : (
          <Button onPress={() => change({ export: undefined, incident: incidentId })}>
            {t('uploads.seen.showIncident')}
          </Button>
        )}
      </div>
      <SeenFactList row={row} />
      <SeenFiles row={row} />
    </div>
  );
}

function SeenFactList({ row }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { facts, settlesAt, state } = row;
  return (
    <Facts
      facts={[
        fact(
          t(needsPerson(state) ? 'uploads.seen.since' : 'uploads.seen.firstSeen'),
          <TimeText value={row.since} both />,
        ),
        fact(
          t('uploads.seen.settlesAt'),
          state !== 'settling' || settlesAt === undefined ? undefined : <TimeText value={settlesAt} />,
        ),
        fact(t('uploads.seen.files'), <span className="ltr">{formatCount(facts.files, locale)}</span>),
        fact(
          t('uploads.size'),
          facts.sizeBytes === 0 ? undefined : <span className="ltr">{formatBytes(facts.sizeBytes)}</span>,
        ),
        fact(
          t('uploads.folder'),
          <span className="ltr">
            <SafeName name={row.folder} />
          </span>,
        ),
      ]}
    />
  );
}

/** The files that are concerned by name, as far as they are kept, and why each of them. */
function SeenFiles({ row: { facts } }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const { named, concerned } = facts;
  if (named.length === 0) return null;
  return (
    <section aria-label={t('uploads.seen.files')}>
      <h3>{t('uploads.seen.files')}</h3>
      <ul className={styles['files']}>
        {named.map(({ path, failure }) => (
          <li key={path}>
            <span className="ltr">
              <SafeName name={path} />
            </span>
            {failure === undefined || named.length === 1 ? null : (
              <p lang="en" dir="auto" className="dim">
                {failure.message} {failure.advice}
              </p>
            )}
          </li>
        ))}
      </ul>
      {concerned <= named.length ? null : (
        <p className="dim">{t('uploads.seen.more', { count: concerned - named.length })}</p>
      )}
    </section>
  );
}
