import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestId } from '../../../../shared/domain/failure.ts';
import type { HistoryEvent } from '../../../../shared/domain/upload-history.ts';
import { formatBytes } from '../../../../shared/lib/bytes.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { fact, Facts } from '../../../ui/facts.tsx';
import { ShortTime } from '../../../ui/short-time.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import type { TimelineItem } from './group-history.ts';
import styles from './history.module.css';

/** What an engineer needs of one line: codes, ids, exact times. Made when it is unfolded. */
export function HistoryDetails({
  item,
  label,
}: {
  readonly item: TimelineItem;
  readonly label: string;
}): ReactNode {
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
          fact(t('uploads.history.seen'), facts.seenAt && <TimeText value={facts.seenAt} />),
          fact(t('uploads.history.settled'), facts.settledAt && <TimeText value={facts.settledAt} />),
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
