import { Pause, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { LogLine } from '../../../shared/ipc/calls/health.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/fields.tsx';
import { FilterTabs } from '../../ui/select-field.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import { ActivityPanel } from './activity-panel.tsx';
import { linesText, selectLines } from './health-texts.ts';
import styles from './health.module.css';

/** Interval for reading the log while it is followed, milliseconds: no signal announces its lines. */
const FOLLOW_MS = 2000;
const levels = ['info', 'warn', 'error'] as const;
const glyphs: Readonly<Record<LogLine['level'], string>> = { debug: '·', info: '○', warn: '!', error: '✕' };

const views = ['activity', 'audit', 'log'] as const;

/** What happened here: as sentences, as the chain that proves it, or as the program log. */
export function RecordPanel(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(healthSearchSchema);
  const { view } = search;
  return (
    <section aria-label={t(`health.view.${view}`)} className={styles['log']}>
      <div className={styles['head']}>
        <FilterTabs
          label={t('health.views')}
          filters={views.map((id) => ({ id, label: t(`health.view.${id}`) }))}
          value={view}
          onChange={(chosen) => change({ view: chosen })}
        />
        <SearchBox
          label={t('health.logSearch')}
          value={search.search}
          onChange={(text) => change({ search: text })}
        />
      </div>
      {view === 'log' ? (
        <LogView search={search} change={change} />
      ) : (
        <ActivityPanel key={view} view={view} search={search.search} />
      )}
    </section>
  );
}

/** The latest lines of the log, newest first, from a minimum level up; unchanged while paused. */
function LogView({
  search,
  change,
}: {
  readonly search: HealthSearch;
  readonly change: (change: Partial<HealthSearch>) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [isPaused, setPaused] = useState(false);
  const log = useRead('health.log', {}, isPaused ? { isEnabled: false } : { refreshMs: FOLLOW_MS });
  const shown = selectLines(log.data?.lines ?? [], search);
  return (
    <>
      <div className={styles['head']}>
        <FilterTabs
          label={t('health.logLevel')}
          filters={levels.map((id) => ({ id, label: t(`health.levels.${id}`) }))}
          value={search.level}
          onChange={(level) => change({ level })}
        />
        <Button icon={isPaused ? Play : Pause} onPress={() => setPaused(!isPaused)}>
          {t(isPaused ? 'health.follow' : 'health.pause')}
        </Button>
        <CopyButton text={linesText(shown)} label={t('common.copy')} />
        {isPaused ? <p className="warning">❚❚ {t('health.logPaused')}</p> : null}
      </div>
      <Loaded read={log} title={t('health.logFailed')}>
        {(data) =>
          shown.length === 0 ? (
            <EmptyState title={t(data.lines.length === 0 ? 'health.logEmpty' : 'health.logFiltered')} />
          ) : (
            <Lines lines={shown} dropped={data.dropped} />
          )
        }
      </Loaded>
    </>
  );
}

function Lines({
  lines,
  dropped,
}: {
  readonly lines: readonly LogLine[];
  readonly dropped: number;
}): ReactNode {
  const { t } = useTranslation();
  return (
    // Focusable, so that the keyboard can scroll it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={t('health.logLines')} tabIndex={0} className={styles['scroll']}>
      <ol className={styles['lines']}>
        {lines.map((line) => (
          <li key={line.number} data-level={line.level}>
            <ShortTime value={line.at} />
            <span className={styles['level']}>
              <span aria-hidden>{glyphs[line.level]} </span>
              {t(`health.level.${line.level}`)}
            </span>
            <span className={styles['message']}>
              <bdi>{visibleName(line.message)}</bdi>{' '}
              {line.fields === '' ? null : <code className="ltr">{visibleName(line.fields)}</code>}
            </span>
          </li>
        ))}
      </ol>
      {dropped === 0 ? null : <p className="dim">{t('health.dropped', { count: dropped })}</p>}
    </div>
  );
}

/** The search parameters of the panel. */
const healthSearchSchema = z.object({
  view: z.enum(views).catch('activity'),
  level: z.enum(['info', 'warn', 'error']).catch('info'),
  search: z.string().max(200).catch(''),
});

type HealthSearch = z.infer<typeof healthSearchSchema>;
