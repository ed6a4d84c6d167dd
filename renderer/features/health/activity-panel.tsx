import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../shared/ipc/calls/health.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import styles from './health.module.css';
import type { TFunction } from 'i18next';

/** Interval for reading the rows of the chain, milliseconds: no signal announces them. */
const FOLLOW_MS = 3000;

/** An event described for people; several alike in a row are combined. */
interface ActivityLine {
  /** Number of the newest row. */
  readonly sequence: number;
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly incidentId: string | undefined;
  readonly clipId: string | undefined;
}

interface Telling {
  /** Key of the string below `health.did`. */
  readonly words: string;
  readonly level?: ActivityLine['level'];
  /** Consecutive rows with the same outcome for clips of one incident become one line. */
  readonly isCounted?: true;
}

/** How rows of the chain are described, by action; actions not listed here appear in the audit view only. */
const tellings: Readonly<Record<string, Telling>> = {
  'incident.found': { words: 'found' },
  'incident.described': { words: 'edited' },
  'clip.found': { words: 'clipsFound', isCounted: true },
  'clip.sent': { words: 'clipsSent', isCounted: true },
  'clip.known': { words: 'clipsKnown', isCounted: true },
  'clip.failed': { words: 'clipsFailed', level: 'error', isCounted: true },
  'clip.cancelled': { words: 'clipsCancelled', level: 'warn', isCounted: true },
  'clip.leftOut': { words: 'clipsLeftOut', level: 'warn', isCounted: true },
  'clip.takenBack': { words: 'clipsTakenBack', isCounted: true },
  'clip.retried': { words: 'clipsRetried', isCounted: true },
  'clip.changed': { words: 'clipsChanged', level: 'warn', isCounted: true },
  'clip.returned': { words: 'clipsReturned', isCounted: true },
  'record.written': { words: 'synced' },
  'custody.packed': { words: 'packed' },
  'agent.started': { words: 'started' },
  'agent.stopped': { words: 'stopped' },
  'queue.lost': { words: 'queueLost', level: 'error' },
  'queue.rebuilt': { words: 'queueRebuilt', level: 'warn' },
  'chain.broken': { words: 'chainBroken', level: 'error' },
  'uploads.pause': { words: 'paused', level: 'warn' },
  'uploads.resume': { words: 'resumed' },
  'uploads.cancel': { words: 'cancelled' },
  'uploads.retry': { words: 'retried' },
  'uploads.moveToFront': { words: 'moved' },
  'uploads.liftLimits': { words: 'limits' },
  'exports.push': { words: 'pushed' },
  'settings.save': { words: 'settings' },
  'settings.setKey': { words: 'keyStored' },
  'settings.forgetKey': { words: 'keyForgotten', level: 'warn' },
  'messages.post': { words: 'posted' },
  'users.create': { words: 'userCreated' },
  'users.update': { words: 'userUpdated' },
  'users.deactivate': { words: 'userUpdated' },
  'users.remove': { words: 'userDeleted' },
};

/** Describes rows as activity; both are ordered newest first. */
export function tellActivity(entries: readonly ActivityEntry[], t: TFunction): readonly ActivityLine[] {
  const groups: ActivityEntry[][] = [];
  for (const entry of entries) {
    const { action, state } = entry;
    // For a command, only the row saying that it was carried out
    if (tellings[action] === undefined || (state !== undefined && state !== 'done')) continue;
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isSame(last[0], entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group) => {
    const [newest] = group;
    return newest === undefined ? [] : [lineOf(newest, group.length, t)];
  });
}

function isSame(one: ActivityEntry, other: ActivityEntry): boolean {
  const { action, incidentId, code } = one;
  return (
    tellings[action]?.isCounted === true &&
    action === other.action &&
    incidentId === other.incidentId &&
    code === other.code
  );
}

function lineOf(entry: ActivityEntry, count: number, t: TFunction): ActivityLine {
  const { sequence, at, action, title, file, reason, code, incidentId } = entry;
  const { words = '', level = 'info' } = tellings[action] ?? {};
  return {
    sequence,
    at,
    level,
    text: t(`health.did.${words}`, {
      count,
      title: title === undefined ? t('health.did.anIncident') : visibleName(title),
      file: visibleName(file ?? ''),
      reason: reason ?? code ?? '',
      what: whatOf(entry, t),
    }),
    incidentId,
    clipId: count === 1 ? entry.clipId : undefined,
  };
}

/** The subject of a command. */
function whatOf({ action, title, named }: ActivityEntry, t: TFunction): string {
  if (title !== undefined) return `"${visibleName(title)}"`;
  if (named !== undefined) return t('health.did.things', { count: named });
  return t(action === 'uploads.retry' ? 'health.did.allFailed' : 'health.did.everything');
}

/** The lines that contain every typed word. */
export function withWords<Line>(
  lines: readonly Line[],
  search: string,
  textOf: (line: Line) => string,
): readonly Line[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return lines;
  return lines.filter((line) => {
    const text = textOf(line).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const glyphs: Readonly<Record<ActivityLine['level'], string>> = { info: '○', warn: '!', error: '✕' };

/** What happened to each export, in sentences (`activity`), or the rows that prove it (`audit`). */
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

/** Nothing found among the loaded rows; older ones were not searched. */
function NoneLoaded(): ReactNode {
  const { t } = useTranslation();
  return <EmptyState title={t('health.activityFiltered')}>{t('health.activityFilteredText')}</EmptyState>;
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
    return search.trim() === '' ? <EmptyState title={t('health.activityEmpty')} /> : <NoneLoaded />;
  return (
    // Focusable, so that the keyboard can scroll it
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

/** The sentence, as a link to its incident or clip. */
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
  if (rows.length === 0) return <NoneLoaded />;
  return (
    // Focusable, so that the keyboard can scroll it
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
