import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import styles from './onboarding.module.css';
import type { StepProps } from './step-props.ts';
import { useApply } from './use-save.ts';

/** What would become of one export that is there already; nothing is sent. */
export function TrialStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const path = view.settings.watch[0]?.path ?? '';
  const { data, error, refetch } = useRead('folders.list', { path }, { isEnabled: path !== '' });
  const folders = data?.folders ?? [];
  const { apply, isApplying, failure } = useApply(forward);
  return (
    <>
      <p className="dim">{t('onboarding.trialHelp')}</p>
      {error !== null ? (
        <FailurePanel failure={error.failure} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState />
      ) : folders.length === 0 ? (
        <EmptyState title={t('onboarding.noExports')}>{t('onboarding.noExportsText')}</EmptyState>
      ) : (
        <SelectField
          label={t('onboarding.export')}
          value={chosen}
          choices={folders.map((folder) => ({ id: folder.path, label: visibleName(folder.name) }))}
          onChange={setChosen}
        />
      )}
      {chosen === undefined ? null : <Preview folder={chosen} />}
      {view.needsRestart ? <p className="dim">{t('onboarding.restart')}</p> : null}
      {failure === undefined ? null : <FailurePanel failure={failure} />}
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
  const { data, error, refetch } = useRead('exports.preview', { folder });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState />;
  return (
    <div role="status" className={styles['preview']}>
      <Facts
        facts={[
          fact(t('onboarding.incident'), <SafeName name={data.title} />),
          fact(
            t('onboarding.clips'),
            t('onboarding.clipCount', { count: data.clips.length, size: formatBytes(data.totalBytes) }),
          ),
          fact(t('onboarding.cameras'), <SafeName name={camerasOf(data.clips, t('onboarding.noCamera'))} />),
        ]}
      />
    </div>
  );
}

function camerasOf(
  clips: readonly { readonly cameraName?: string; readonly cameraId?: string }[],
  unknown: string,
): string {
  return [...new Set(clips.map(({ cameraName, cameraId }) => cameraName ?? cameraId ?? unknown))].join(', ');
}
