import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Health } from '../../../shared/domain/health.ts';
import type { DesktopDiagnosis } from '../../../shared/ipc/desktop.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { formatCount } from '../../format/format.ts';
import { useDesktopRead } from '../../queries/use-call.ts';
import { useLocale, useServices } from '../../stores/services.ts';
import { fact, Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './health.module.css';

/** Queue counts, proof, versions and timings of the agent. */
export function HealthFacts({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const { versions, answers } = health;
  return (
    <div className={styles['facts']}>
      <QueueFacts health={health} />
      <ProofFacts proof={health.proof} />
      <section aria-label={t('health.agent')} className={styles['block']}>
        <h2>{t('health.agent')}</h2>
        <Facts
          facts={[
            fact(t('health.version'), <Plain text={versions.agent} />),
            fact(t('health.node'), <Plain text={versions.node} />),
            fact(t('health.sqlite'), <Plain text={versions.sqlite} />),
            fact(t('health.startedAt'), <TimeText value={health.startedAt} />),
            fact(
              t('health.clock'),
              answers.lastMs === undefined ? undefined : skewText(health.clockSkewMs, t),
            ),
            fact(t('health.lastAnswer'), answerText(answers.lastMs)),
            fact(t('health.uploads'), t(`health.${uploadsWord(health)}`)),
          ]}
        />
      </section>
    </div>
  );
}

const answerText = (ms: number | undefined) => (ms === undefined ? undefined : formatDuration(ms));

/** Whether uploads are running, paused here, or held up by the service or storage. */
const uploadsWord = ({ isPaused, line, pausedCircuits }: Health) =>
  isPaused || line?.limit === 'pause' ? 'paused' : pausedCircuits.length > 0 ? 'held' : 'running';

function QueueFacts({ health: { queue } }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  // Zero counts are omitted
  const count = (value: number): string => (value === 0 ? '' : formatCount(value, locale));
  return (
    <section aria-label={t('health.queue')} className={styles['block']}>
      <h2>{t('health.queue')}</h2>
      <Facts
        facts={[
          fact(t('health.incidents'), count(queue.incidents)),
          fact(t('health.unsynced'), count(queue.unsynced)),
          fact(
            t('health.waitingClips'),
            queue.waiting > 0 && (
              <Plain text={`${count(queue.waiting)} · ${formatBytes(queue.waitingBytes)}`} />
            ),
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

/** The chain that proves what this desk did, and its signing key. */
function ProofFacts({ proof }: { readonly proof: Health['proof'] }): ReactNode {
  const { t } = useTranslation();
  const { rows, problems, key, keyProblem, statedAt, systemLog } = proof;
  const state =
    rows === undefined
      ? t('health.chainChecking')
      : problems.length > 0
        ? t('health.chainBroken')
        : t('health.chainWhole', { count: rows });
  const name = systemLog?.name ?? '';
  const places =
    systemLog === undefined ? 'statedInFileOnly' : systemLog.takes ? 'statedInLog' : 'statedInFile';
  return (
    <section aria-label={t('health.proof')} className={styles['block']}>
      <h2>{t('health.proof')}</h2>
      {problems.map((problem) => (
        <p key={problem}>✕ {problem}</p>
      ))}
      {problems.length === 0 ? null : <p>{t('health.chainAdvice')}</p>}
      <Facts
        facts={[
          fact(t('health.chain'), state),
          fact(t('health.signingKey'), key && <code className="ltr breakable">{key.fingerprint}</code>),
          fact(t('health.signingKeyPlace'), keyProblem ?? (key && t(`health.keptIn.${key.keptIn}`))),
          fact(t('health.statedAt'), statedAt && <TimeText value={statedAt} />),
          fact(t('health.statedIn'), statedAt && t(`health.${places}`, { name })),
        ]}
      />
    </section>
  );
}

/** Left-to-right text in every language: numbers with units, versions. */
const Plain = ({ text }: { readonly text: string }): ReactNode => <span className="ltr">{text}</span>;

/** Smallest reported clock difference, milliseconds: the service's times have whole seconds. */
const EQUAL_MS = 2000;

function skewText(skewMs: number, t: TFunction): string {
  if (Math.abs(skewMs) < EQUAL_MS) return t('health.clockEqual');
  const difference = formatDuration(Math.abs(skewMs));
  return t(skewMs > 0 ? 'health.clockBehind' : 'health.clockAhead', { difference });
}

/** Diagnostics of the desktop app; nothing in a browser. */
export function DesktopFacts(): ReactNode {
  const isDesktop = useServices().bridge.desktop !== undefined;
  return isDesktop ? <Diagnosis /> : null;
}

function Diagnosis(): ReactNode {
  const { t } = useTranslation();
  const diagnosis = useDesktopRead('diagnosis.get', {});
  return (
    <section aria-label={t('health.desktop')} className={styles['block']}>
      <h2>{t('health.desktop')}</h2>
      <Loaded read={diagnosis}>{(data) => <Facts facts={factsOf(data, t)} />}</Loaded>
    </section>
  );
}

function factsOf(
  { runtime, isGpuUsed, hasTray, restarts, selfTest, ...counts }: DesktopDiagnosis,
  t: TFunction,
) {
  return [
    fact(t('health.runtime'), runtime ?? t('health.noRuntime')),
    fact(t('health.graphics'), t(isGpuUsed ? 'health.graphicsOn' : 'health.graphicsOff')),
    fact(t('health.tray'), t(hasTray ? 'health.trayOn' : 'health.trayOff')),
    fact(t('health.crashes'), crashText(counts, t)),
    ...(restarts === 0 ? [] : [fact(t('health.restarts'), t('health.restarted', { count: restarts }))]),
    fact(
      t('health.selfTest'),
      selfTest === undefined ? (
        t('health.selfTestNone')
      ) : (
        <>
          <TimeText value={selfTest.at} /> {t('health.selfTestResult', selfTest)}
        </>
      ),
    ),
  ];
}

type Counts = Pick<DesktopDiagnosis, 'pageCrashes' | 'pageHangs' | 'gpuCrashes' | 'processCrashes'>;

/** The kinds of crashes that occurred, with counts. */
function crashText({ pageCrashes, pageHangs, gpuCrashes, processCrashes }: Counts, t: TFunction): string {
  const counts = { page: pageCrashes, hang: pageHangs, gpu: gpuCrashes, process: processCrashes };
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [t(`health.crashCount.${kind}`, { count })],
  );
  return parts.length === 0 ? t('health.noCrashes') : parts.join(' · ');
}
