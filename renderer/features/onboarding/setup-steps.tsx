import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import { isManaged } from '../../../shared/domain/settings.ts';
import { newWatchedFolder } from '../../../shared/domain/settings.ts';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { Button, ChooseFolder } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/check-lines.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { KeyField, KeyPlace } from '../../ui/key-field.tsx';
import { NameTester } from '../../ui/name-tester.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField, ZoneField } from '../../ui/select-field.tsx';
import { EmptyState, FailurePanel, Loaded, LoadingState } from '../../ui/states.tsx';
import styles from './onboarding.module.css';

/** Where the service is, and the key to it. */
export function ServiceStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data: key } = useRead('settings.key', {});
  const [baseUrl, setBaseUrl] = useState(view.settings.baseUrl ?? '');
  const { save, isSaving, failure } = useSave(forward, { isApplied: true });
  const isLocked = isManaged(view.managed ?? [], 'baseUrl');
  const isSet = key?.isSet === true;
  const goOn = (): void => (baseUrl === view.settings.baseUrl ? forward() : save({ baseUrl }));
  return (
    <>
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
        label={t('onboarding.baseUrl')}
        description={t(isLocked ? 'onboarding.locked' : 'onboarding.baseUrlHelp')}
        value={baseUrl}
        onChange={setBaseUrl}
        isDisabled={isLocked}
        error={failure?.fields?.find(({ name }) => name.endsWith('baseUrl'))?.text}
        isCode
      />
      {isSet ? (
        <>
          <p>✓ {t('onboarding.keySet', { fingerprint: key.fingerprint })}</p>
          <KeyPlace state={key} />
        </>
      ) : null}
      {key?.failure === undefined ? null : <FailurePanel failure={key.failure} />}
      <KeyField label={t('onboarding.key')} action={t('onboarding.setKey')} />
      <FailurePanel failure={failure} />
      <div className="buttons forward">
        <Button kind="primary" onPress={goOn} isDisabled={!isSet || baseUrl.trim() === '' || isSaving}>
          {t('onboarding.next')}
        </Button>
      </div>
    </>
  );
}

/** Saves a part of the settings and then goes on; `isApplied`: the agent starts again with it at once. */
export function useSave(
  forward: () => void,
  { isApplied = false }: { readonly isApplied?: boolean } = {},
): {
  readonly save: (change: CallInput<'settings.save'>['change']) => void;
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
    isSaving: mutation.isPending || apply.isApplying,
    failure: mutation.error?.failure ?? apply.failure,
  };
}

/** Has the agent start again with what is saved, and goes on. */
export function useApply(forward: () => void): {
  readonly apply: () => void;
  readonly isApplying: boolean;
  readonly failure: Failure | undefined;
} {
  const queries = useQueryClient();
  const mutation = useCallMutation('settings.apply', {
    onDone: () => {
      // What was found with the settings before says nothing about these
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

/** What a step gets: the settings as they are saved, and the way on. */
export interface StepProps {
  readonly view: SettingsView;
  readonly forward: () => void;
}

/** The folder that is watched, and a name from it to see that it is read rightly. */
export function FolderStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [first = newWatchedFolder, ...others] = view.settings.watch;
  const [folder, setFolder] = useState(first);
  const { save, isSaving, failure } = useSave(forward);
  const isLocked = isManaged(view.managed ?? [], 'watch');
  const errorOf = (field: string): string | undefined =>
    failure?.fields?.find(({ name }) => name.endsWith(`.${field}`))?.text;
  return (
    <>
      <p className="dim">{t('onboarding.folderHelp')}</p>
      <TextField
        label={t('onboarding.path')}
        description={t(isLocked ? 'onboarding.locked' : 'onboarding.pathHelp')}
        value={folder.path}
        onChange={(path) => setFolder({ ...folder, path })}
        error={errorOf('path')}
        isDisabled={isLocked}
        isCode
      />
      <div>
        <ChooseFolder onChosen={(path) => setFolder({ ...folder, path })} />
      </div>
      <ZoneField
        label={t('onboarding.timeZone')}
        description={t('onboarding.timeZoneHelp')}
        value={folder.timeZone}
        onChange={(timeZone) => setFolder({ ...folder, timeZone })}
        error={errorOf('timeZone')}
        isDisabled={isLocked}
      />
      <NameTester rules={folder} />
      <FailurePanel failure={failure} />
      <div className="buttons forward">
        <Button
          kind="primary"
          isDisabled={folder.path.trim() === '' || isSaving}
          onPress={() => (isLocked ? forward() : save({ watch: [folder, ...others] }))}
        >
          {t(isLocked ? 'onboarding.next' : 'onboarding.watch')}
        </Button>
      </div>
    </>
  );
}

/** Whether the service can be reached with that key, a line for each thing that can be wrong. */
export function TestStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useRead(
    'connection.check',
    {},
    // The agent is about to start again with what was saved; a test before would be one of the settings before
    { isEnabled: !view.needsRestart },
  );
  const hasFailed = data?.lines.some(({ state }) => state === 'failed') === true;
  return (
    <>
      <p className="dim">{t(view.needsRestart ? 'onboarding.testLater' : 'onboarding.testHelp')}</p>
      <div role="status">
        {isFetching ? <LoadingState /> : null}
        {data === undefined || isFetching ? null : (
          <CheckLines label={t('onboarding.step.test')} lines={data.lines} />
        )}
      </div>
      <FailurePanel failure={error?.failure} />
      <div className="buttons forward">
        <Button onPress={() => void refetch()} isDisabled={isFetching}>
          {t('onboarding.testAgain')}
        </Button>
        <Button kind={hasFailed ? 'normal' : 'primary'} onPress={forward} isDisabled={isFetching}>
          {t(hasFailed ? 'onboarding.nextAnyway' : 'onboarding.next')}
        </Button>
      </div>
    </>
  );
}

/** What would become of one export that is there already; nothing is sent. */
export function TrialStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const path = view.settings.watch[0]?.path ?? '';
  const read = useRead('folders.list', { path }, { isEnabled: path !== '' });
  const { apply, isApplying, failure } = useApply(forward);
  return (
    <>
      <p className="dim">{t('onboarding.trialHelp')}</p>
      <Loaded read={read}>
        {({ folders }) =>
          folders.length === 0 ? (
            <EmptyState title={t('onboarding.noExports')}>{t('onboarding.noExportsText')}</EmptyState>
          ) : (
            <SelectField
              label={t('onboarding.export')}
              value={chosen}
              choices={folders.map((folder) => ({ id: folder.path, label: visibleName(folder.name) }))}
              onChange={setChosen}
            />
          )
        }
      </Loaded>
      {chosen === undefined ? null : <Preview folder={chosen} />}
      {view.needsRestart ? <p className="dim">{t('onboarding.restart')}</p> : null}
      <FailurePanel failure={failure} />
      <div className="buttons forward">
        <Button kind="primary" isDisabled={isApplying} onPress={view.needsRestart ? apply : forward}>
          {t('onboarding.finish')}
        </Button>
      </div>
    </>
  );
}

function Preview({ folder }: { readonly folder: string }): ReactNode {
  const { t } = useTranslation();
  const preview = useRead('exports.preview', { folder });
  return (
    <Loaded read={preview}>
      {(data) => (
        <div role="status" className={styles['preview']}>
          <Facts
            facts={[
              fact(t('onboarding.incident'), <SafeName name={data.title} />),
              fact(
                t('onboarding.clips'),
                t('onboarding.clipCount', { count: data.clips.length, size: formatBytes(data.totalBytes) }),
              ),
              fact(
                t('onboarding.cameras'),
                <SafeName name={camerasOf(data.clips, t('onboarding.noCamera'))} />,
              ),
            ]}
          />
        </div>
      )}
    </Loaded>
  );
}

function camerasOf(
  clips: readonly { readonly cameraName?: string; readonly cameraId?: string }[],
  unknown: string,
): string {
  return [...new Set(clips.map(({ cameraName, cameraId }) => cameraName ?? cameraId ?? unknown))].join(', ');
}
