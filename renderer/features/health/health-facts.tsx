import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Health } from '../../../shared/domain/health.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { formatCount } from '../../format/numbers.ts';
import { useLocale } from '../../stores/services.ts';
import { fact, Facts } from '../../ui/facts.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './health.module.css';

/** What the agent counts and what it is made of. */
export function HealthFacts({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const { versions } = health;
  return (
    <div className={styles['facts']}>
      <QueueFacts health={health} />
      <section aria-label={t('health.agent')} className={styles['block']}>
        <h2>{t('health.agent')}</h2>
        <Facts
          facts={[
            fact(t('health.version'), <Plain text={versions.agent} />),
            fact(t('health.node'), <Plain text={versions.node} />),
            fact(t('health.sqlite'), <Plain text={versions.sqlite} />),
            fact(t('health.startedAt'), <TimeText value={health.startedAt} />),
            fact(t('health.clock'), skewText(health.clockSkewMs, t)),
            fact(t('health.uploads'), t(health.isPaused ? 'health.paused' : 'health.running')),
          ]}
        />
      </section>
    </div>
  );
}

function QueueFacts({ health: { queue } }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const count = (value: number): string => formatCount(value, locale);
  return (
    <section aria-label={t('health.queue')} className={styles['block']}>
      <h2>{t('health.queue')}</h2>
      <Facts
        facts={[
          fact(t('health.incidents'), count(queue.incidents)),
          fact(t('health.unsynced'), count(queue.unsynced)),
          fact(
            t('health.waitingClips'),
            <Plain text={`${count(queue.waiting)} · ${formatBytes(queue.waitingBytes)}`} />,
          ),
          fact(t('health.uploaded'), count(queue.uploaded)),
          fact(t('health.failed'), count(queue.failed)),
          fact(
            t('health.lastUploaded'),
            queue.lastUploadedAt === undefined ? (
              t('health.never')
            ) : (
              <TimeText value={queue.lastUploadedAt} />
            ),
          ),
          fact(t('health.database'), <Plain text={formatBytes(queue.databaseBytes)} />),
        ]}
      />
    </section>
  );
}

/** Numbers with units and versions read from left to right in every language. */
const Plain = ({ text }: { readonly text: string }): ReactNode => <span className="ltr">{text}</span>;

/** Answers of the service carry whole seconds, so a smaller difference says nothing. */
const EQUAL_MS = 2000;

function skewText(skewMs: number, t: TFunction): string {
  if (Math.abs(skewMs) < EQUAL_MS) return t('health.clockEqual');
  const difference = formatDuration(Math.abs(skewMs));
  return t(skewMs > 0 ? 'health.clockBehind' : 'health.clockAhead', { difference });
}
