import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Download, LifeBuoy, RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { CheckLine, Health } from '../../../shared/domain/health.ts';
import type { BundleFile } from '../../../shared/ipc/calls/health.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { formatCount } from '../../format/format.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useCommand, useLocale, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { CheckLines, fact, Facts } from '../../ui/facts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSaveFile } from '../../ui/save-file.ts';
import { Screen } from '../../ui/screen.tsx';
import { FailurePanel, Loaded, LoadingState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { bundleName, bundleText, fixOf, localLines } from './health-texts.ts';
import styles from './health.module.css';
import { DesktopFacts } from './desktop-facts.tsx';
import { RecordPanel } from './log-panel.tsx';

/** How the agent is: checks, facts, its log, and all of it as a bundle for support. */
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
            <FailurePanel key={circuit} failure={failure} title={t(`health.closed.${circuit}`)} />
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

/** The same checks as `vms-export-agent check`: what this desk knows at once, the service as soon as it answers. */
function Checks(): ReactNode {
  const { t } = useTranslation();
  const settings = useRead('settings.get', {});
  const key = useRead('settings.key', {});
  const health = useRead('health.get', {});
  const connection = useRead('connection.check', {});
  const lines = localLines({ settings: settings.data, key: key.data, health: health.data }, t);
  const all = [...lines, ...(connection.data?.lines ?? [])];
  const error = settings.error ?? key.error ?? connection.error;
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

/** The way to where what a check found is put right. */
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

/** How many checks came to which end; none is not said. */
function resultText(lines: readonly CheckLine[], t: TFunction): string {
  const said = (['ok', 'warning', 'failed'] as const).flatMap((state) => {
    const count = lines.filter((line) => line.state === state).length;
    return count === 0 ? [] : [t(`health.resultOf.${state}`, { count })];
  });
  return said.join(' · ');
}

/** What the agent counts and what it is made of. */
function HealthFacts({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const { versions } = health;
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

/** The chain that proves what this desk did, and the key that it signs with. */
function ProofFacts({ proof }: { readonly proof: Health['proof'] }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { rows, problems, key, keyProblem, statedAt, systemLog } = proof;
  const state =
    rows === undefined
      ? t('health.chainChecking')
      : problems.length > 0
        ? t('health.chainBroken')
        : t('health.chainWhole', { rows: formatCount(rows, locale) });
  const name = systemLog?.name ?? '';
  const places =
    systemLog === undefined ? 'statedInFileOnly' : systemLog.takes ? 'statedInLog' : 'statedInFile';
  return (
    <section aria-label={t('health.proof')} className={styles['block']}>
      <h2>{t('health.proof')}</h2>
      {problems.map((problem) => (
        <p key={problem}>✕ {problem}</p>
      ))}
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

/** Numbers with units and versions read from left to right in every language. */
const Plain = ({ text }: { readonly text: string }): ReactNode => <span className="ltr">{text}</span>;

/** Answers of the service carry whole seconds, so a smaller difference says nothing. */
const EQUAL_MS = 2000;

function skewText(skewMs: number, t: TFunction): string {
  if (Math.abs(skewMs) < EQUAL_MS) return t('health.clockEqual');
  const difference = formatDuration(Math.abs(skewMs));
  return t(skewMs > 0 ? 'health.clockBehind' : 'health.clockAhead', { difference });
}

/** Gathers what support needs, shows all of it, and saves it only then. */
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
          <FailurePanel failure={gather.error.failure} onRetry={() => gather.mutate({})} />
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
