import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../../shared/lib/duration.ts';
import { ShortTime } from '../../../ui/short-time.tsx';
import type { TimelineItem } from './group-history.ts';
import { HistoryDetails } from './history-details.tsx';
import styles from '../uploads.module.css';
import { useHistoryWords } from './use-history-words.ts';

/** One line of the time line: what happened, when and for how long; what an engineer needs folds out. */
export function HistoryItem({
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
        {/* The agent says it in English */}
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

/** Less than this is no time that anyone waits, milliseconds. */
const NOTABLE_MS = 100;

function Span({ label, ms }: { readonly label: string; readonly ms: number | undefined }): ReactNode {
  const { t } = useTranslation();
  if (ms === undefined || ms < NOTABLE_MS) return null;
  return <span>{t(label, { time: formatDuration(ms) })}</span>;
}
