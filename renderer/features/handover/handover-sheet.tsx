import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HandedFailure, Handover } from '../../../shared/ipc/calls/uploads.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { useRead } from '../../queries/use-call.ts';
import { useLocale, usePreference } from '../../stores/services.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { AgentText, StateMark, FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { bothTimes, sentOf, summaryOf } from './handover-text.ts';
import styles from './handover.module.css';

/** The handover for reading and printing: numbers first, then problems that need someone, then work in progress. */
export function HandoverSheet({ handover }: { readonly handover: Handover }): ReactNode {
  const { t } = useTranslation();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const { failed, exports, waiting, arrived } = handover;
  return (
    // Focusable, so that the keyboard can scroll it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <article tabIndex={0} aria-label={t('handover.heading')} className={styles['sheet']}>
      <header>
        <h2>{t('handover.heading')}</h2>
        <p>
          {t('handover.from')} <span className="ltr">{bothTimes(handover.since, display, locale)}</span>
          <br />
          {t('handover.to')} <span className="ltr">{bothTimes(handover.at, display, locale)}</span>
        </p>
      </header>
      <dl className={styles['sums']}>
        {summaryOf(handover, t).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <OnHold />
      <Section
        heading={t('handover.failedHeading')}
        none={t('handover.failedNone')}
        columns={[t('handover.incident'), t('handover.clip'), t('handover.reason'), t('handover.at')]}
        total={failed.clips + failed.records}
        rows={failed.rows.map((row) => [
          <Link key="incident" to="/uploads" search={{ incident: row.incidentId }}>
            <SafeName name={row.title} />
          </Link>,
          <FailedThing key="clip" row={row} />,
          <Why key="why" row={row.failure} />,
          <TimeText key="at" value={row.failedAt} both />,
        ])}
      />
      <Section
        heading={t('handover.exportsHeading')}
        none={t('handover.exportsNone')}
        columns={[t('handover.export'), t('handover.state'), t('handover.reason'), t('handover.at')]}
        total={exports.total}
        rows={exports.rows.map((row) => [
          <Link key="name" to="/uploads" search={{ export: row.id }}>
            <SafeName name={row.name === '' ? row.folder : row.name} />
          </Link>,
          <StateMark key="state" state={row.state} />,
          <Why key="why" row={row} />,
          <TimeText key="at" value={row.since} both />,
        ])}
      />
      <Incidents
        heading={t('handover.waitingHeading')}
        none={t('handover.waitingNone')}
        total={waiting.incidents}
        rows={waiting.rows}
      />
      <Incidents
        heading={t('handover.arrivedHeading')}
        none={t('handover.arrivedNone')}
        total={arrived.incidents}
        rows={arrived.rows}
      />
    </article>
  );
}

/** Why nothing is being sent. */
function OnHold(): ReactNode {
  const { t } = useTranslation();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const { data: health } = useRead('health.get', {});
  return (
    <>
      {health?.isPaused === true ? <p className="warning">❚❚ {t('handover.pausedAll')}</p> : null}
      {health?.pausedCircuits.map(({ circuit, since, failure }) => (
        <FailurePanel
          key={circuit}
          failure={failure}
          title={t('handover.onHold', {
            time: bothTimes(since, display, locale),
            reason: t(`health.closed.${circuit}`),
          })}
        />
      ))}
    </>
  );
}

function FailedThing({ row: { file, camera } }: { readonly row: HandedFailure }): ReactNode {
  const { t } = useTranslation();
  if (file === undefined) return t('handover.record');
  return (
    <>
      <SafeName name={file} />
      {camera === undefined ? null : (
        <span className="dim">
          <br />
          <SafeName name={camera} />
        </span>
      )}
    </>
  );
}

/** A failure's message and advice; the agent writes them in English. */
function Why({
  row,
}: {
  readonly row: { readonly message: string; readonly advice: string } | undefined;
}): ReactNode {
  if (row === undefined) return null;
  return (
    <AgentText>
      {row.message} {row.advice}
    </AgentText>
  );
}

function Incidents({
  heading,
  none,
  total,
  rows,
}: {
  readonly heading: string;
  readonly none: string;
  readonly total: number;
  readonly rows: Handover['arrived']['rows'];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Section
      heading={heading}
      none={none}
      total={total}
      columns={[
        t('handover.incident'),
        t('handover.state'),
        t('handover.progress'),
        t('handover.size'),
        t('handover.found'),
      ]}
      rows={rows.map((row) => [
        <Link key="title" to="/uploads" search={{ incident: row.id }}>
          <SafeName name={row.title} />
        </Link>,
        <StateMark key="state" state={row.state} />,
        sentOf(row, t),
        <span key="size" className="ltr">
          {formatBytes(row.sizeBytes)}
        </span>,
        <TimeText key="at" value={row.createdAt} both />,
      ])}
    />
  );
}

/** One list of the sheet: the total, the listed rows, and how many more there are. */
function Section({
  heading,
  none,
  columns,
  rows,
  total,
}: {
  readonly heading: string;
  readonly none: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  readonly total: number;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-label={heading}>
      <h3>{heading}</h3>
      {rows.length === 0 ? (
        <p className="dim">{none}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // Rows are stateless
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={columns[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {total > rows.length && rows.length > 0 ? (
        <p className="dim">{t('handover.more', { count: total - rows.length })}</p>
      ) : null}
    </section>
  );
}
