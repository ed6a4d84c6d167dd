import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopDiagnosis } from '../../../shared/ipc/desktop.ts';
import { useDesktopRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { fact, Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './health.module.css';

/** How the desktop app itself fares; nothing in a browser. */
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

function crashText(counts: Counts, t: TFunction): string {
  const { pageCrashes: page, pageHangs: hang, gpuCrashes: gpu, processCrashes } = counts;
  if (page + hang + gpu + processCrashes === 0) return t('health.noCrashes');
  return t('health.crashCounts', { page, hang, gpu, process: processCrashes });
}
