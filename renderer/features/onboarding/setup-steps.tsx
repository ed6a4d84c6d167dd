import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import { isManaged } from '../../../shared/ipc/calls/settings.ts';
import { newWatchedFolder } from '../../../shared/domain/settings.ts';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';
import { useAsk, useCallMutation, useRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button, ChooseFolder } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/facts.tsx';
import { FolderList, KeyInput, KeyPlace, useTypedKey, NameTester } from '../../ui/setup-fields.tsx';
import { FormBody, TextField } from '../../ui/fields.tsx';
import { ZoneField } from '../../ui/select-field.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import styles from './onboarding.module.css';

/** Address and key of the service. */
export function ServiceStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data: key } = useRead('settings.key', {});
  const [baseUrl, setBaseUrl] = useState(view.settings.baseUrl ?? '');
  const typed = useTypedKey(forward);
  // The key comes last: a desk that already has one is asked to confirm before its address changes
  const goOn = typed.isEmpty ? forward : typed.store;
  const { save, tried, isSaving, failure } = useSave(goOn, { isApplied: true });
  const isLocked = isManaged(view.managed ?? [], 'baseUrl');
  const isSet = key?.isSet === true;
  const refused = failure?.fields?.find(({ name }) => name.endsWith('baseUrl'))?.text;
  // The error is about the address that was tried, not an edited one
  const atField = tried?.baseUrl === baseUrl ? refused : undefined;
  const lacks = baseUrl.trim() === '' ? 'needAddress' : !isSet && typed.isEmpty ? 'needKey' : undefined;
  const canGoOn = lacks === undefined && !isSaving && !typed.isStoring;
  const next = (): void => (baseUrl === view.settings.baseUrl ? goOn() : save({ baseUrl }));
  return (
    <FormBody onSubmit={() => canGoOn && next()}>
      <p className="dim">{t('onboarding.serviceHelp')}</p>
      {view.isDemo === true && isSet ? (
        <div className={styles['offer']}>
          <p>{t('onboarding.simulated')}</p>
          <Button kind="primary" onPress={forward}>
            {t('onboarding.useSimulated')}
          </Button>
        </div>
      ) : null}
      <TextField
        label={t('settings.baseUrl')}
        description={t(isLocked ? 'settings.locked' : 'settings.baseUrlHelp')}
        value={baseUrl}
        onChange={setBaseUrl}
        isDisabled={isLocked}
        error={atField}
        isCode
      />
      {isSet ? (
        <>
          <p>✓ {t('onboarding.keySet', { fingerprint: key.fingerprint })}</p>
          <KeyPlace state={key} />
        </>
      ) : null}
      {key?.failure === undefined ? null : <FailurePanel failure={key.failure} />}
      <KeyInput label={t('onboarding.key')} typed={typed} />
      <FailurePanel failure={refused === undefined ? failure : undefined} isAlert />
      <div className="buttons forward">
        {lacks === undefined ? null : <span className="dim">{t(`onboarding.${lacks}`)}</span>}
        <Button kind="primary" type="submit" isDisabled={!canGoOn}>
          {t('onboarding.next')}
        </Button>
      </div>
    </FormBody>
  );
}

/** Saves part of the settings and moves on; with `isApplied`, the agent restarts with them first. */
export function useSave(
  forward: () => void,
  { isApplied = false }: { readonly isApplied?: boolean } = {},
): {
  readonly save: (change: CallInput<'settings.save'>['change']) => void;
  /** The change that `failure` is about. */
  readonly tried: CallInput<'settings.save'>['change'] | undefined;
  readonly isSaving: boolean;
  readonly failure: Failure | undefined;
} {
  const queries = useQueryClient();
  const apply = useApply(forward);
  const mutation = useCallMutation('settings.save', {
    onDone: (saved) => {
      queries.setQueryData(['settings.get', {}], saved);
      if (isApplied && saved.needsRestart) apply.apply();
      else forward();
    },
  });
  return {
    save: (change) => mutation.mutate({ change }),
    tried: mutation.variables?.change,
    isSaving: mutation.isPending || apply.isApplying,
    failure: mutation.error?.failure ?? apply.failure,
  };
}

/** Restarts the agent with the saved settings, then moves on. */
export function useApply(forward: () => void): {
  readonly apply: () => void;
  readonly isApplying: boolean;
  readonly failure: Failure | undefined;
} {
  const queries = useQueryClient();
  const mutation = useCallMutation('settings.apply', {
    onDone: () => {
      // Results of checks with the previous settings no longer apply
      queries.removeQueries({ queryKey: ['connection.check'] });
      forward();
    },
  });
  return {
    apply: () => mutation.mutate({}),
    isApplying: mutation.isPending,
    failure: mutation.error?.failure,
  };
}

/** Props of a step: the saved settings, and a function that moves on. */
export interface StepProps {
  readonly view: SettingsView;
  readonly forward: () => void;
}

/** The watched folder, and a sample name to see whether it is read correctly. */
export function FolderStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [first = newWatchedFolder, ...others] = view.settings.watch;
  const [folder, setFolder] = useState(first);
  const { save, tried, isSaving, failure } = useSave(forward);
  const isLocked = isManaged(view.managed ?? [], 'watch');
  const ask = useAsk();
  const [refused, setRefused] = useState<{ readonly path: string; readonly text: string }>();
  const [isLooking, setLooking] = useState(false);
  /** A folder that is already watched may be offline for a while; a newly named one should exist. */
  async function watch(): Promise<void> {
    setLooking(true);
    const { path } = folder;
    try {
      const { isEmpty } = await ask('folders.list', { path });
      // A new recorder has not exported anything yet: the second attempt confirms an empty folder
      const isDoubted = isEmpty === true && refused?.path !== path;
      setRefused(isDoubted ? { path, text: t('onboarding.emptyFolder') } : undefined);
      if (!isDoubted) save({ watch: [folder, ...others] });
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { message, advice, fields } = error.failure;
      // The call has one field, which is only refused when the path is not absolute
      setRefused({ path, text: fields === undefined ? `${message} ${advice}` : t('onboarding.fullPath') });
    } finally {
      setLooking(false);
    }
  }
  const missing = refused?.path === folder.path ? refused.text : undefined;
  const formId = useId();
  const canGoOn = folder.path.trim() !== '' && !isSaving && !isLooking;
  const goOn = (): void => (isLocked ? forward() : void watch());
  const errorOf = (field: string): string | undefined =>
    failure?.fields?.find(({ name }) => name.endsWith(`.${field}`))?.text;
  return (
    <>
      <p className="dim">{t('onboarding.folderHelp')}</p>
      <FormBody id={formId} onSubmit={() => canGoOn && goOn()}>
        <TextField
          label={t('onboarding.path')}
          description={t(isLocked ? 'settings.locked' : 'onboarding.pathHelp')}
          value={folder.path}
          onChange={(path) => setFolder({ ...folder, path })}
          error={missing ?? (tried?.watch?.[0]?.path === folder.path ? errorOf('path') : undefined)}
          isDisabled={isLocked}
          isCode
        />
      </FormBody>
      <div>
        <ChooseFolder onChosen={(path) => setFolder({ ...folder, path })} />
        {isLocked ? null : (
          <BrowseFolders path={folder.path} go={(path) => setFolder({ ...folder, path: path ?? '' })} />
        )}
      </div>
      <ZoneField
        label={t('settings.timeZone')}
        description={t('onboarding.timeZoneHelp')}
        value={folder.timeZone}
        onChange={(timeZone) => setFolder({ ...folder, timeZone })}
        error={errorOf('timeZone')}
        isDisabled={isLocked}
      />
      <NameTester rules={folder} />
      <FailurePanel
        failure={(errorOf('path') ?? errorOf('timeZone')) === undefined ? failure : undefined}
        isAlert
      />
      <div className="buttons forward">
        {folder.path.trim() === '' ? <span className="dim">{t('onboarding.needFolder')}</span> : null}
        <Button kind="primary" type="submit" form={formId} isDisabled={!canGoOn}>
          {t(isLocked ? 'onboarding.next' : 'onboarding.watch')}
        </Button>
      </div>
    </>
  );
}

/** Browses folders on the agent's machine, where no system dialog is available. */
function BrowseFolders({
  path,
  go,
}: {
  readonly path: string;
  readonly go: (path: string | undefined) => void;
}): ReactNode {
  const { bridge } = useServices();
  const { data } = useRead('folders.list', path === '' ? {} : { path }, {
    isEnabled: bridge.desktop === undefined,
    isLive: true,
  });
  // While a path is being typed or is wrong, the last folder that was found stays listed
  const [shown, setShown] = useState(data);
  if (data !== undefined && data !== shown) setShown(data);
  return shown === undefined ? null : <FolderList list={shown} go={go} />;
}

/** Checks whether the service can be reached with the key, with a line for each thing that can be wrong. */
export function TestStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useRead(
    'connection.check',
    {},
    // The agent is about to restart with the saved settings; a check before that would use the old ones
    { isEnabled: !view.needsRestart },
  );
  // Coming back from the folder step, the agent first restarts with them; the check then runs automatically
  const apply = useApply(() => undefined);
  const test = (): void => (view.needsRestart ? apply.apply() : void refetch());
  const isBusy = isFetching || apply.isApplying;
  // Coming back to this step means that something was changed
  const queries = useQueryClient();
  useEffect(() => () => queries.removeQueries({ queryKey: ['connection.check'] }), [queries]);
  const hasFailed = data?.lines.some(({ state }) => state === 'failed') === true;
  return (
    <>
      <p className="dim">{t(view.needsRestart ? 'onboarding.testLater' : 'onboarding.testHelp')}</p>
      <div role="status">
        {isBusy ? <LoadingState /> : null}
        {data === undefined || isBusy ? null : (
          <CheckLines label={t('onboarding.step.test')} lines={data.lines} />
        )}
      </div>
      <FailurePanel failure={apply.failure ?? error?.failure} isAlert />
      <div className="buttons forward">
        <Button onPress={test} isDisabled={isBusy}>
          {t('onboarding.testAgain')}
        </Button>
        <Button kind={hasFailed ? 'normal' : 'primary'} onPress={forward} isDisabled={isBusy}>
          {t(hasFailed ? 'onboarding.nextAnyway' : 'onboarding.next')}
        </Button>
      </div>
    </>
  );
}
