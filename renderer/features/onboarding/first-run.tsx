import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from '@tanstack/react-router';
import type { SettingsView, KeyState } from '../../../shared/ipc/calls/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusAfter } from '../../ui/dialog.tsx';
import { Screen } from '../../ui/screen.tsx';
import styles from './onboarding.module.css';
import { FolderStep, ServiceStep, TestStep, type StepProps, useApply } from './setup-steps.tsx';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EmptyState, FailurePanel, Loaded } from '../../ui/states.tsx';

/** The screen that setup replaces; the other screens stay available, so that anything can be looked up meanwhile. */
const FIRST_SCREEN = '/uploads';

/** Four setup steps, shown instead of a screen that is still empty; they can be skipped. */
export function FirstRun({ children }: { readonly children: ReactNode }): ReactNode {
  const { data: view } = useRead('settings.get', {});
  const { data: key } = useRead('settings.key', {});
  const [step, setStep] = useState<SetupStep>();
  const { pathname } = useLocation();
  const [isLeft, setLeft] = useState(false);
  const missing = view !== undefined && key !== undefined ? firstMissingStep(view, key) : undefined;
  // Once started, setup runs to its end, even when nothing is missing any more
  if (step === undefined && missing !== undefined) setStep(missing);
  if (isLeft || view === undefined || step === undefined || pathname !== FIRST_SCREEN) return children;
  return <Steps view={view} step={step} go={setStep} leave={() => setLeft(true)} />;
}

function Steps({
  view,
  step,
  go,
  leave,
}: {
  readonly view: SettingsView;
  readonly step: SetupStep;
  readonly go: (step: SetupStep) => void;
  readonly leave: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const heading = useFocusAfter<HTMLHeadingElement>(step, true);
  const index = setupSteps.indexOf(step);
  const next = setupSteps[index + 1];
  const forward = next === undefined ? leave : () => go(next);
  return (
    <Screen title={t('onboarding.title')} actions={<Button onPress={leave}>{t('onboarding.later')}</Button>}>
      <div className={styles['page']}>
        <ol className={styles['steps']} aria-label={t('onboarding.steps')}>
          {setupSteps.map((id, place) => (
            <li key={id} aria-current={id === step ? 'step' : undefined}>
              <span aria-hidden>{place < index ? '✓' : place + 1}</span> {t(`onboarding.step.${id}`)}
              {place < index ? <span className="visually-hidden"> {t('onboarding.done')}</span> : null}
            </li>
          ))}
        </ol>
        <section aria-label={t(`onboarding.step.${step}`)} className={styles['step']}>
          <h2 ref={heading} tabIndex={-1}>
            {t(`onboarding.step.${step}`)}
          </h2>
          <Step step={step} view={view} forward={forward} />
        </section>
        {index === 0 ? null : (
          <div>
            <Button kind="quiet" onPress={() => go(setupSteps[index - 1] ?? step)}>
              {t('onboarding.back')}
            </Button>
          </div>
        )}
      </div>
    </Screen>
  );
}

function Step({ step, ...props }: StepProps & { readonly step: SetupStep }): ReactNode {
  switch (step) {
    case 'service':
      return <ServiceStep {...props} />;
    case 'test':
      return <TestStep {...props} />;
    case 'folder':
      return <FolderStep {...props} />;
    case 'trial':
      return <TrialStep {...props} />;
  }
}

/** The steps of the first run, in order. */
const setupSteps = ['service', 'test', 'folder', 'trial'] as const;

/** One of `setupSteps`. */
type SetupStep = (typeof setupSteps)[number];

/** The step to start with; undefined when the desk is ready to work. */
export function firstMissingStep(
  { settings }: Pick<SettingsView, 'settings'>,
  { isSet }: Pick<KeyState, 'isSet'>,
): SetupStep | undefined {
  if (settings.baseUrl === undefined || !isSet) return 'service';
  return settings.watch.length === 0 ? 'folder' : undefined;
}

/** Interval for reading the list, milliseconds: it is empty until the agent runs with the new folder. */
const REFRESH_MS = 5000;

/** Previews one of the existing exports; nothing is sent. */
function TrialStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const path = view.settings.watch[0]?.path ?? '';
  const read = useRead('folders.list', { path }, { isEnabled: path !== '', refreshMs: REFRESH_MS });
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
      <FailurePanel failure={failure} isAlert />
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
  const preview = useRead('exports.preview', { folder }, { isLive: true });
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
