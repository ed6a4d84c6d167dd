import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../shared/ipc/calls/health.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import { tellActivity, withWords, type ActivityLine } from './activity-lines.ts';
import styles from './health.module.css';

/** No signal announces rows of the chain: they are read again this often, milliseconds. */
const FOLLOW_MS = 3000;
const glyphs: Readonly<Record<ActivityLine['level'], string>> = { info: '○', warn: '!', error: '✕' };

/** What happened to which export, in sentences (`activity`), or the rows that prove it (`audit`). */
export function ActivityPanel({
  view,
  search,
}: {
  readonly view: 'activity' | 'audit';
  readonly search: string;
}): ReactNode {
  const { t } = useTranslation();
  const [before, setBefore] = useState<number>();
  const read = useRead(
    'health.activity',
    before === undefined ? {} : { before },
    before === undefined ? { refreshMs: FOLLOW_MS } : {},
  );
  return (
    <Loaded read={read} title={t('health.activityFailed')}>
      {({ entries, before: older }) => (
        <>
          {view === 'activity' ? (
            <People entries={entries} search={search} />
          ) : (
            <Rows entries={entries} search={search} />
          )}
          <div className={styles['turn']}>
            {before === undefined ? null : (
              <Button onPress={() => setBefore(undefined)}>{t('health.newest')}</Button>
            )}
            {older === undefined ? null : (
              <Button onPress={() => setBefore(older)}>{t('health.older')}</Button>
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}

function People({
  entries,
  search,
}: {
  readonly entries: readonly ActivityEntry[];
  readonly search: string;
}): ReactNode {
  const { t } = useTranslation();
  const lines = withWords(tellActivity(entries, t), search, ({ text }) => text);
  if (lines.length === 0)
    return <EmptyState title={t(search.trim() === '' ? 'health.activityEmpty' : 'health.logFiltered')} />;
  return (
    // Scrolled by keyboard, so it can be reached by it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={t('health.activityLines')} tabIndex={0} className={styles['scroll']}>
      <ol className={styles['activity']}>
        {lines.map((line) => (
          <li key={line.sequence} data-level={line.level}>
            <ShortTime value={line.at} />
            <span className={styles['level']} aria-hidden>
              {glyphs[line.level]}
            </span>
            <span className={styles['message']}>
              {line.level === 'info' ? null : (
                <span className="visually-hidden">{t(`health.level.${line.level}`)}: </span>
              )}
              <Subject line={line} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The sentence leads to the incident or clip that it is about. */
function Subject({ line: { text, incidentId, clipId } }: { readonly line: ActivityLine }): ReactNode {
  if (incidentId === undefined) return <bdi>{text}</bdi>;
  const search = {
    incident: incidentId,
    ...(clipId === undefined ? {} : { clip: clipId, turned: [incidentId] }),
  };
  return (
    <Link to="/uploads" search={search}>
      <bdi>{text}</bdi>
    </Link>
  );
}

function Rows({
  entries,
  search,
}: {
  readonly entries: readonly ActivityEntry[];
  readonly search: string;
}): ReactNode {
  const { t } = useTranslation();
  const rows = withWords(entries, search, ({ action, account, detail }) => `${action} ${account} ${detail}`);
  if (rows.length === 0) return <EmptyState title={t('health.logFiltered')} />;
  return (
    // Scrolled by keyboard, so it can be reached by it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={t('health.auditLines')} tabIndex={0} className={styles['scroll']}>
      <ol className={styles['audit']}>
        {rows.map(({ sequence, at, action, account, detail, hash }) => (
          <li key={sequence}>
            <span className="ltr dim">{sequence}</span>
            <ShortTime value={at} />
            <span>
              <code className="ltr">{action}</code> <bdi className="dim">{visibleName(account)}</bdi>{' '}
              <code className="ltr dim">{hash}</code>
            </span>
            <code className={`ltr ${styles['detail'] ?? ''}`}>{visibleName(detail)}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
