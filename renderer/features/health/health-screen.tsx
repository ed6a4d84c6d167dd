import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Download, LifeBuoy, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { CheckLine } from '../../../shared/domain/health.ts';
import type { BundleFile } from '../../../shared/ipc/calls/health.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useCommand, useLocale, usePreference, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/facts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSaveFile } from '../../ui/save-file.ts';
import { Screen } from '../../ui/screen.tsx';
import { FailurePanel, Loaded, LoadingState } from '../../ui/states.tsx';
import { fullTime } from '../../ui/time-text.tsx';
import { bundleName, bundleText, fixOf, localLines } from './health-texts.ts';
import styles from './health.module.css';
import { DesktopFacts, HealthFacts } from './health-facts.tsx';
import { RecordPanel } from './log-panel.tsx';

/** The state of the agent: checks, facts and logs, and a bundle of them for support. */
export function HealthScreen(): ReactNode {
  const { t } = useTranslation();
  const health = useRead('health.get', {});
  return (
    <Screen
      title={t('health.title')}
      actions={
        <>
          <Link to="/wall">{t('wall.title')}</Link>
          <Bundle />
        </>
      }
    >
      <div className={styles['layout']}>
        <div className={styles['column']}>
          {health.data?.pausedCircuits.map(({ circuit, failure }) => (
            <FailurePanel
              key={circuit}
              failure={failure}
              title={t('health.onHold', { reason: t(`health.closed.${circuit}`) })}
            />
          ))}
          <Checks />
          <Loaded read={health} title={t('health.factsFailed')}>
            {(data) => <HealthFacts health={data} />}
          </Loaded>
          <DesktopFacts />
        </div>
        <RecordPanel />
      </div>
    </Screen>
  );
}

/** The same checks as `vms-export-agent check`: local results immediately, the service's as soon as it answers. */
function Checks(): ReactNode {
  const { t } = useTranslation();
  const settings = useRead('settings.get', {});
  const key = useRead('settings.key', {});
  const health = useRead('health.get', {});
  const connection = useRead('connection.check', {}, { isLive: true });
  const { refetch } = connection;
  // What was found before uploads were put on hold, or went on again, says nothing about now
  const holds = health.data && JSON.stringify(health.data.pausedCircuits.map(({ since }) => since));
  const before = useRef(holds);
  useEffect(() => {
    if (before.current !== undefined && before.current !== holds) void refetch();
    before.current = holds;
  }, [holds, refetch]);
  const locale = useLocale();
  const display = usePreference((preferences) => preferences.times);
  const known = { settings: settings.data, key: key.data, health: health.data };
  const lines = localLines(known, t, (time) => fullTime(time, display, locale));
  const all = [...lines, ...(connection.data?.lines ?? [])];
  const error = settings.error ?? key.error ?? health.error ?? connection.error;
  const checkAgain = (): void => {
    for (const read of [settings, key, health, connection]) void read.refetch();
  };
  return (
    <section aria-label={t('health.checks')} className={styles['block']}>
      <div className={styles['head']}>
        <h2>{t('health.checks')}</h2>
        <Button icon={RefreshCw} onPress={checkAgain} isPending={connection.isFetching}>
          {t(connection.isFetching ? 'health.checking' : 'health.checkAgain')}
        </Button>
      </div>
      <p role="status" className="dim">
        {connection.isFetching ? t('health.waiting') : resultText(all, t)}
      </p>
      <CheckLines label={t('health.checks')} lines={all} fixOf={(line) => <Fix line={line} />} />
      {error === null ? null : (
        <FailurePanel failure={error.failure} title={t('health.checksFailed')} onRetry={checkAgain} />
      )}
    </section>
  );
}

/** A link to where the problem found by a check can be fixed. */
function Fix({ line }: { readonly line: CheckLine }): ReactNode {
  const { t } = useTranslation();
  const fix = fixOf(line);
  if (fix === undefined) return null;
  return (
    <Link to={fix.to} search={fix.search}>
      {t(fix.words)}
    </Link>
  );
}

/** How many checks had each result; zero counts are omitted. */
function resultText(lines: readonly CheckLine[], t: TFunction): string {
  const parts = (['ok', 'warning', 'failed'] as const).flatMap((state) => {
    const count = lines.filter((line) => line.state === state).length;
    return count === 0 ? [] : [t(`health.resultOf.${state}`, { count })];
  });
  return parts.join(' · ');
}

/** Collects diagnostics for support, shows all of them, and only then saves them. */
function Bundle(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const gather = useCallMutation('health.bundle');
  const open = (): void => {
    setOpen(true);
    gather.mutate({});
  };
  useCommand('health.bundle', open);
  return (
    <>
      <Button icon={LifeBuoy} onPress={open}>
        {t('health.bundle')}
      </Button>
      <Dialog
        title={t('health.bundle')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
        actions={<Actions files={gather.data?.files} close={() => setOpen(false)} />}
      >
        <p>{t('health.bundleHelp')}</p>
        {gather.isPending ? <LoadingState /> : null}
        {gather.error === null ? null : (
          <FailurePanel failure={gather.error.failure} onRetry={() => gather.mutate({})} isAlert />
        )}
        {gather.data === undefined ? null : <Files files={gather.data.files} />}
      </Dialog>
    </>
  );
}

function Actions({
  files,
  close,
}: {
  readonly files: readonly BundleFile[] | undefined;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { clock, notices } = useServices();
  const saveFile = useSaveFile();
  const save = async (bundle: readonly BundleFile[]): Promise<void> => {
    const saved = await saveFile(bundleName(clock.now()), 'text/plain', bundleText(bundle));
    if (saved === 'left') return;
    notices.show({
      level: 'info',
      text: t(saved === 'saved' ? 'health.bundleStored' : 'health.bundleSaved'),
    });
    close();
  };
  return (
    <>
      <Button onPress={close}>{t('common.close')}</Button>
      <Button
        kind="primary"
        icon={Download}
        isDisabled={files === undefined}
        onPress={() => void (files !== undefined && save(files))}
      >
        {t('health.saveBundle')}
      </Button>
    </>
  );
}

const byteCount = (text: string): number => new TextEncoder().encode(text).length;

function Files({ files }: { readonly files: readonly BundleFile[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Tabs orientation="vertical" className={styles['files'] ?? ''}>
      <TabList aria-label={t('health.bundleFiles')} className={styles['fileList'] ?? ''}>
        {files.map(({ name, text }) => (
          <Tab key={name} id={name} className={styles['file'] ?? ''}>
            <span className="ltr">{name}</span>
            <span className="dim">{formatBytes(byteCount(text))}</span>
          </Tab>
        ))}
      </TabList>
      {files.map(({ name, text }) => (
        <TabPanel key={name} id={name} className={styles['fileText'] ?? ''}>
          <pre className="ltr">{text}</pre>
        </TabPanel>
      ))}
    </Tabs>
  );
}
