import { useNavigate } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { needsPerson, nestedUnits, type SeenExport } from '../../../shared/domain/seen-export.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { formatCount } from '../../format/format.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useLocale, useServices } from '../../stores/services.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark, EmptyState, Loaded, LoadingState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './uploads.module.css';
import { placeOf, SendLoose } from './change-watch.tsx';
import { nothingChosen, type ChangeUploadsSearch } from './uploads-search.ts';

/** The name of an export; loose files share a generic label. */
export function SeenName({ row }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['seenName']}>
      {row.name === '' ? t('uploads.seen.loose') : <SafeName name={row.name} tip />}
    </span>
  );
}

/** The state to show: an export whose parts are sent while it is being written counts as `exporting`. */
export function shownState({ state, facts }: SeenExport): SeenExport['state'] | 'exporting' {
  return facts.sentPercent === undefined ? state : 'exporting';
}

/** An export that is not fully in the queue: why, what to do, and its contents. */
export function SeenInspector({
  exportId,
  change,
}: {
  readonly exportId: string;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const read = useRead('uploads.getExport', { exportId });
  const problem = read.error && policyOf(read.error.failure.code);
  if (problem?.scope === 'call' && problem.recovery === 'none')
    return <Gone key={exportId} exportId={exportId} change={change} />;
  return <Loaded read={read}>{(row) => <SeenDetails row={row} change={change} />}</Loaded>;
}

/** The export left the list: shows the incident that it became. */
function Gone({
  exportId,
  change,
}: {
  readonly exportId: string;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { data, isPending, isPlaceholderData } = useRead('uploads.incidentOfExport', { exportId });
  const incidentId = isPlaceholderData ? undefined : data?.incidentId;
  useEffect(() => {
    if (incidentId !== undefined) change({ ...nothingChosen, incident: incidentId });
  }, [change, incidentId]);
  if (isPending || isPlaceholderData || incidentId !== undefined) return <LoadingState />;
  return <EmptyState title={t('uploads.seen.goneTitle')}>{t('uploads.seen.goneText')}</EmptyState>;
}

function SeenDetails({
  row,
  change,
}: {
  readonly row: SeenExport;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { incidentId } = row;
  return (
    <div className="stack">
      <h2 className="breakable">
        <SeenName row={row} />
      </h2>
      <StateMark state={shownState(row)} />
      <div
        className={styles['why']}
        data-state={needsPerson(row.state) ? 'held' : undefined}
        lang="en"
        dir="auto"
      >
        <p>{row.message}</p>
        <p>{row.advice}</p>
      </div>
      <div className="buttons">
        <CopyButton text={row.folder} label={t('uploads.seen.copyPath')} />
        {row.name === '' && row.state === 'unrecognised' ? <SendLoose folder={row.folder} /> : null}
        {row.state === 'missing' || (row.state === 'held' && row.facts.isJudged === true) ? (
          <SendAnyway folder={row.folder} isLoose={row.facts.isLoose === true} />
        ) : null}
        {row.facts.rootAsked === undefined ? null : <RootAnswers folder={row.facts.rootAsked} />}
        {row.state === 'unrecognised' || row.facts.isDismissed === true ? <UnknownChoices row={row} /> : null}
        {incidentId === undefined ? null : (
          <Button onPress={() => change({ export: undefined, incident: incidentId })}>
            {t('uploads.seen.showIncident')}
          </Button>
        )}
      </div>
      <SeenFactList row={row} />
      <SeenFiles row={row} />
    </div>
  );
}

/** Sends the folder despite a contradicting list in it, on a person's responsibility. */
function SendAnyway({ folder, isLoose }: { readonly folder: string; readonly isLoose: boolean }): ReactNode {
  const { t } = useTranslation();
  const push = useSend(t('uploads.seen.sentAnyway'));
  return (
    <Button isDisabled={push.isPending} onPress={() => push.mutate({ folders: [folder], loose: isLoose })}>
      {t('uploads.seen.sendAnyway')}
    </Button>
  );
}

/** For a watched folder that is not the same as before: asks whether it contains what was already sent. */
function RootAnswers({ folder }: { readonly folder: string }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const answer = useCallMutation('uploads.answerRoot', {
    onDone: ({ answered }) =>
      answered
        ? notices.show({ level: 'info', text: t('uploads.seen.rootAnswered') })
        : notices.hint(t('uploads.seen.rootNotAsked')),
    onFailed: notices.failed,
  });
  return (['adopt', 'send'] as const).map((each) => (
    <Button key={each} isDisabled={answer.isPending} onPress={() => answer.mutate({ folder, answer: each })}>
      {t(`uploads.seen.root.${each}`)}
    </Button>
  ));
}

/** The choices for a folder in which no file is recognised as a clip. */
function UnknownChoices({ row: { id, name, folder, facts } }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const navigate = useNavigate();
  const ignore = useCallMutation('uploads.ignoreExport', { onFailed: notices.failed });
  const [sample] = facts.named;
  return (
    <>
      <SendAsEvidence folder={folder} isLoose={name === ''} />
      {sample === undefined ? null : (
        <Button
          onPress={() => void navigate({ to: '/settings', search: { part: 'names', sample: sample.path } })}
        >
          {t('uploads.seen.namePattern')}
        </Button>
      )}
      {facts.isDismissed === true ? null : (
        <Button isDisabled={ignore.isPending} onPress={() => ignore.mutate({ exportId: id })}>
          {t(name === '' ? 'uploads.seen.ignoreLoose' : 'uploads.seen.ignore')}
        </Button>
      )}
      {(name === '' ? [] : facts.named).map(({ path }) => (
        <SendProgram key={path} folder={folder} path={path} />
      ))}
    </>
  );
}

function useSend(done: string) {
  const { notices } = useServices();
  return useCallMutation('exports.push', {
    onDone: () => notices.show({ level: 'info', text: done }),
    onFailed: notices.failed,
  });
}

/** Also sends files of unknown types and parts of projects. */
export function SendAsEvidence({
  folder,
  isLoose = false,
}: {
  readonly folder: string;
  /** The folder is a watched one, and its loose files are sent, each as an incident. */
  readonly isLoose?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const push = useSend(t('uploads.seen.sentAsEvidence'));
  return (
    <Button
      isDisabled={push.isPending}
      onPress={() => push.mutate({ folders: [folder], asEvidence: true, ...(isLoose && { loose: true }) })}
    >
      {t(isLoose ? 'uploads.seen.sendLooseAsEvidence' : 'uploads.seen.sendAsEvidence')}
    </Button>
  );
}

/**
 * A self-playing video is a program: if the folder's settings allow it, a person is asked about that particular file.
 */
export function SendProgram({ folder, path }: { readonly folder: string; readonly path: string }): ReactNode {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const push = useSend(t('uploads.seen.sentAsEvidence'));
  const watch = view?.settings.watch[placeOf(folder, view.settings.watch)];
  if (watch?.alsoSend.includes('selfPlaying') !== true || !/\.(?:exe|com|scr)$/i.test(path)) return null;
  // A watched folder's settings apply to its exports, and a deeper folder is not an export
  const isExport = nestedUnits.has(watch.unit) ? /./ : /^[^\\/]+$/;
  if (!isExport.test(folder.slice(watch.path.length + 1))) return null;
  return (
    <Button isDisabled={push.isPending} onPress={() => push.mutate({ folders: [folder], programs: [path] })}>
      {t('uploads.seen.sendProgram', { file: path })}
    </Button>
  );
}

function SeenFactList({ row }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { facts, settlesAt, state } = row;
  return (
    <Facts
      facts={[
        fact(
          t(needsPerson(state) ? 'uploads.seen.since' : 'uploads.seen.firstSeen'),
          <TimeText value={row.since} both />,
        ),
        fact(
          t('uploads.seen.settlesAt'),
          state !== 'settling' || settlesAt === undefined ? undefined : <TimeText value={settlesAt} />,
        ),
        fact(t('uploads.seen.files'), <span className="ltr">{formatCount(facts.files, locale)}</span>),
        fact(
          t('uploads.size'),
          facts.sizeBytes === 0 ? undefined : <span className="ltr">{formatBytes(facts.sizeBytes)}</span>,
        ),
        fact(
          t('uploads.folder'),
          <span className="ltr">
            <SafeName name={row.folder} />
          </span>,
        ),
      ]}
    />
  );
}

/** The affected files that are kept by name, with the reason for each. */
function SeenFiles({ row: { facts } }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const { named, concerned } = facts;
  if (named.length === 0) return null;
  return (
    <section aria-label={t('uploads.seen.files')}>
      <h3>{t('uploads.seen.files')}</h3>
      <ul className={styles['files']}>
        {named.map(({ path, failure }) => (
          <li key={path}>
            <span className="ltr">
              <SafeName name={path} />
            </span>
            {failure === undefined || named.length === 1 ? null : (
              <p lang="en" dir="auto" className="dim">
                {failure.message} {failure.advice}
              </p>
            )}
          </li>
        ))}
      </ul>
      {concerned <= named.length ? null : (
        <p className="dim">{t('uploads.seen.more', { count: concerned - named.length })}</p>
      )}
    </section>
  );
}
