import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EmptyState, FailurePanel, Loaded } from '../../ui/states.tsx';
import styles from './onboarding.module.css';
import { useApply, type StepProps } from './setup-steps.tsx';

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
