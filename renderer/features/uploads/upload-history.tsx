import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestId } from '../../../shared/domain/failure.ts';
import type { HistoryEvent, HistoryFacts, HistorySubject } from '../../../shared/domain/upload-history.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useRead } from '../../queries/use-call.ts';
import { CopyButton } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { fullTime, ShortTime, TimeText, useTimeForm } from '../../ui/time-text.tsx';
import { groupHistory, turnText, type TimelineItem, type TryItem } from './group-history.ts';
import styles from './uploads.module.css';

/** The history of a clip or an incident, newest first. Updates are not announced to screen readers. */
export function UploadHistory({ of }: { readonly of: HistorySubject }): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  const { display, locale } = useTimeForm();
  const { data, error, refetch } = useRead('uploads.getHistory', { of });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const { items, tries } = groupHistory(data);
  return (
    <section aria-labelledby={headingId} className={styles['history']}>
      <h3 id={headingId}>{t('uploads.history.title')}</h3>
      {data.nextTryAt === undefined ? null : (
        <p className={styles['next']}>
          <span aria-hidden>○</span> {t('uploads.history.nextTry')} <TimeText value={data.nextTryAt} />
        </p>
      )}
      {data.turn === undefined ? null : (
        <p className={styles['next']}>
          <span aria-hidden>○</span> {turnText(data.turn, t, (time) => fullTime(time, display, locale))}
        </p>
      )}
      <ol reversed className={styles['items']}>
        {items.map((item) => (
          <HistoryItem key={item.key} item={item} tries={tries} isIncident={of.kind === 'incident'} />
        ))}
      </ol>
    </section>
  );
}

/** An item of the timeline: what happened, when and for how long; technical details unfold. */
function HistoryItem({
  item,
  tries,
  isIncident,
}: {
  readonly item: TimelineItem;
  readonly tries: number;
  readonly isIncident: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const words = useHistoryWords();
  const { glyph, tone, title } = words(item, tries, isIncident);
  const reason = item.event?.facts.kind === 'tried' ? item.event.facts.reason : undefined;
  return (
    <li className={styles['historyItem']} data-tone={tone}>
      <span aria-hidden className={styles['glyph']}>
        {glyph}
      </span>
      <div className={styles['body']}>
        <p className={styles['historyTitle']}>{title}</p>
        {/* The agent's messages are in English */}
        {reason === undefined ? null : <p lang="en">{reason.message}</p>}
        <p className={styles['when']}>
          <ShortTime value={item.at} />
          <Span label="uploads.history.took" ms={item.tookMs} />
          <Span label="uploads.history.later" ms={item.sinceLastMs} />
        </p>
        <HistoryDetails item={item} label={t('uploads.history.detailsOf', { event: title })} />
      </div>
    </li>
  );
}

/** Shortest duration worth showing, milliseconds. */
const NOTABLE_MS = 100;

function Span({ label, ms }: { readonly label: string; readonly ms: number | undefined }): ReactNode {
  const { t } = useTranslation();
  if (ms === undefined || ms < NOTABLE_MS) return null;
  return <span>{t(label, { time: formatDuration(ms) })}</span>;
}

/** Technical details of an item: codes, IDs, exact times. Rendered only when unfolded. */
function HistoryDetails({ item, label }: { readonly item: TimelineItem; readonly label: string }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={label}>{t('uploads.history.details')}</summary>
      {isOpen ? <Unfolded item={item} /> : null}
    </details>
  );
}

function Unfolded({ item }: { readonly item: TimelineItem }): ReactNode {
  const { t } = useTranslation();
  const { event } = item;
  const startedAt = item.kind === 'try' ? item.startedAt : event?.startedAt;
  return (
    <div className={styles['unfolded']}>
      <Facts
        facts={[
          fact(t('uploads.history.began'), startedAt && <TimeText value={startedAt} both />),
          fact(t('uploads.history.ended'), event && <TimeText value={event.at} both />),
        ]}
      />
      {item.kind === 'try' && item.steps.length > 0 ? (
        <ol className={styles['steps']}>
          {item.steps.map((step) => (
            <Step key={step.sequence} event={step} />
          ))}
        </ol>
      ) : null}
      {event === undefined ? null : <EventFacts event={event} />}
    </div>
  );
}

function Step({ event }: { readonly event: HistoryEvent }): ReactNode {
  const { t } = useTranslation();
  const { facts } = event;
  const words =
    facts.kind === 'opened'
      ? t('uploads.history.event.opened', { count: facts.parts })
      : facts.kind === 'parts'
        ? t('uploads.history.event.parts', { first: facts.first, last: facts.last, count: facts.count })
        : '';
  return (
    <li>
      <p>{words}</p>
      <p className={styles['when']}>
        <ShortTime value={event.at} />
      </p>
      <EventFacts event={event} />
    </li>
  );
}

const code = (text: string | undefined): ReactNode =>
  text === undefined ? undefined : <code className="ltr">{text}</code>;

function EventFacts({ event: { facts } }: { readonly event: HistoryEvent }): ReactNode {
  const { t } = useTranslation();
  const reason = facts.kind === 'tried' ? facts.reason : undefined;
  const shown = [
    fact(t('uploads.history.code'), code(reason?.code)),
    fact(t('uploads.history.status'), reason?.status),
    fact(
      t('uploads.history.waitedUntil'),
      facts.kind === 'tried' && facts.nextTryAt ? <TimeText value={facts.nextTryAt} /> : undefined,
    ),
    ...(facts.kind === 'queued'
      ? [
          fact(t('uploads.history.seen'), facts.seenAt && <TimeText value={facts.seenAt} both />),
          fact(t('uploads.history.settled'), facts.settledAt && <TimeText value={facts.settledAt} both />),
        ]
      : []),
    ...(facts.kind === 'merged'
      ? [fact(t('uploads.history.lastCode'), code(facts.lastCode ?? undefined))]
      : []),
    ...(facts.kind === 'parts'
      ? [fact(t('uploads.size'), <span className="ltr">{formatBytes(facts.sizeBytes)}</span>)]
      : []),
    fact(t('uploads.history.uploadId'), 'uploadId' in facts ? code(facts.uploadId) : undefined),
    fact(t('uploads.storageKey'), 'storageKey' in facts ? code(facts.storageKey) : undefined),
    fact(t('uploads.history.etag'), 'etag' in facts ? code(facts.etag) : undefined),
  ];
  const ids = reason?.requestIds ?? ('requestIds' in facts ? facts.requestIds : undefined);
  return (
    <>
      <Facts facts={shown} />
      <RequestIds ids={ids ?? []} />
    </>
  );
}

function RequestIds({ ids }: { readonly ids: readonly RequestId[] }): ReactNode {
  const { t } = useTranslation();
  if (ids.length === 0) return null;
  return (
    <ul className={styles['ids']} aria-label={t('uploads.history.requestIds')}>
      {ids.map(({ name, value }) => (
        <li key={name + value}>
          <span>
            <span className="ltr dim">{name}</span>
          </span>
          <code className="ltr">{value}</code>
          <CopyButton text={value} label={t('common.copy')} name={t('uploads.history.copyId', { name })} />
        </li>
      ))}
    </ul>
  );
}

/** The look and title of an item. `quiet`: it went as it should. */
interface HistoryWords {
  readonly glyph: string;
  readonly tone: 'quiet' | 'active' | 'failed' | 'held';
  readonly title: string;
}

type Look = Omit<HistoryWords, 'title'>;

const endLooks: Readonly<Record<TryItem['end'], Look>> = {
  failed: { glyph: '!', tone: 'failed' },
  'given-up': { glyph: '✕', tone: 'failed' },
  stopped: { glyph: '■', tone: 'held' },
  lost: { glyph: '■', tone: 'held' },
  sent: { glyph: '●', tone: 'quiet' },
  running: { glyph: '▲', tone: 'active' },
};

const dot: Look = { glyph: '·', tone: 'quiet' };
const looks: Readonly<Partial<Record<HistoryFacts['kind'], Look>>> = {
  paused: { glyph: '❚❚', tone: 'held' },
  cancelled: { glyph: '✕', tone: 'failed' },
  altered: { glyph: '!', tone: 'failed' },
  told: { glyph: '●', tone: 'quiet' },
  known: { glyph: '●', tone: 'quiet' },
  merged: { glyph: '⋮', tone: 'quiet' },
};

/** Returns the function that describes an item. Incidents are written repeatedly: their attempts get no numbers. */
function useHistoryWords(): (item: TimelineItem, tries: number, isIncident: boolean) => HistoryWords {
  const { t } = useTranslation();

  function numbersOf(facts: HistoryFacts): Readonly<Record<string, string | number>> {
    switch (facts.kind) {
      case 'queued':
        return { generation: facts.generation ?? 1 };
      case 'changed':
        return { size: formatBytes(facts.sizeBytes), generation: facts.generation ?? 1 };
      case 'followed':
        return { from: visibleName(facts.from ?? '') };
      case 'told':
        return { version: facts.version };
      case 'opened':
        return { count: facts.parts };
      case 'parts':
        return { first: facts.first, last: facts.last, count: facts.count };
      case 'ahead':
        return { parts: facts.parts, of: facts.of, size: formatBytes(facts.sizeBytes) };
      case 'merged':
        return { count: facts.tries };
      default:
        return {};
    }
  }

  function titleOf(facts: HistoryFacts): string {
    const variant = variantOf(facts);
    const name = variant === undefined ? facts.kind : `${facts.kind}-${variant}`;
    return t(`uploads.history.event.${name}`, numbersOf(facts));
  }

  return (item, tries, isIncident) => {
    if (item.kind === 'event')
      return { ...dot, ...looks[item.event.facts.kind], title: titleOf(item.event.facts) };
    const end = t(`uploads.history.end.${item.end}`);
    const number = t('uploads.history.try', { number: item.number, total: tries });
    const title = isIncident ? t(`uploads.history.telling.${item.end}`) : `${number}: ${end}`;
    return { ...endLooks[item.end], title };
  };
}

function variantOf(facts: HistoryFacts): string | undefined {
  switch (facts.kind) {
    case 'paused':
    case 'resumed':
      return facts.by;
    case 'changed':
      return facts.generation === undefined ? 'same' : 'new';
    case 'followed':
      return facts.from === undefined ? undefined : 'path';
    case 'checked':
      return facts.isKnown ? 'known' : 'new';
    default:
      return undefined;
  }
}
