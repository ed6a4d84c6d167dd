import { useQueryClient } from '@tanstack/react-query';
import { Download, ExternalLink, RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { helpPages, type DesktopChoice, type UpdateState } from '../../../shared/ipc/desktop.ts';
import { showChord } from '../../commands/command-registry.ts';
import { desktopKey, useDesktopMutation, useDesktopRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { ToggleField } from '../../ui/fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ShortcutList } from '../../ui/shortcut-list.tsx';
import { FailurePanel, Loaded } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { keepChoice, readChoice, type NotificationChoice } from '../../stores/preferences.ts';
import styles from './settings.module.css';

const choices = [
  'closeToTray',
  'startAtLogin',
  'notifyFinished',
  'isGpuUsed',
] as const satisfies readonly (keyof DesktopChoice)[];

/** Behaviour of the desktop app on this PC, and links to help; changes take effect immediately. */
export function DesktopPart(): ReactNode {
  const { t } = useTranslation();
  const choice = useDesktopRead('choice.get', {});
  return (
    <>
      <p className="dim">{t('settings.desktopHelp')}</p>
      <Loaded read={choice}>{(data) => <Choices choice={data} />}</Loaded>
      <HelpLinks />
    </>
  );
}

function Choices({ choice }: { readonly choice: DesktopChoice }): ReactNode {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const set = useDesktopMutation('choice.set', {
    // The state the system accepted, not the requested one: it may lack the feature
    onDone: (next) => void queries.setQueryData(desktopKey('choice.get', {}), next),
  });
  return (
    <div className="stack">
      {choices.map((name) => (
        <div key={name}>
          <ToggleField
            label={t(`settings.choice.${name}`)}
            value={choice[name]}
            onChange={(value) => set.mutate({ [name]: value })}
            isDisabled={set.isPending}
          />
          <p className="dim">{t(`settings.choiceHelp.${name}`)}</p>
        </div>
      ))}
      <FailurePanel failure={set.error?.failure} title={t('settings.notSaved')} isAlert />
    </div>
  );
}

/** Links to help pages, opened in the system's browser. */
function HelpLinks(): ReactNode {
  const { t } = useTranslation();
  const open = useDesktopMutation('openHelp');
  return (
    <section aria-label={t('settings.help')} className={styles['block']}>
      <h3>{t('settings.help')}</h3>
      <p className="dim">{t('settings.helpText')}</p>
      <div className="buttons">
        {helpPages.map((page) => (
          <Button key={page} icon={ExternalLink} onPress={() => open.mutate({ page })}>
            {t(`settings.helpPages.${page}`)}
          </Button>
        ))}
      </div>
      <FailurePanel failure={open.error?.failure} isAlert />
    </section>
  );
}

/** The state of app updates, with the available actions. */
export function UpdatesPart(): ReactNode {
  const { t } = useTranslation();
  const update = useDesktopRead('update.state', {});
  return (
    <>
      <p className="dim">{t('settings.updatesHelp')}</p>
      <Loaded read={update}>{(data) => <Standing state={data} />}</Loaded>
    </>
  );
}

function Standing({ state }: { readonly state: UpdateState }): ReactNode {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const check = useDesktopMutation('update.check', {
    onDone: (next) => void queries.setQueryData(desktopKey('update.state', {}), next),
  });
  const install = useDesktopMutation('update.install');
  const failure = check.error?.failure ?? install.error?.failure;
  return (
    <>
      <div role="status">
        <StateText state={state} />
      </div>
      {state.kind === 'off' ? null : (
        <div className="buttons">
          {state.kind === 'ready' ? (
            <Button
              kind="primary"
              icon={Download}
              isDisabled={install.isPending}
              onPress={() => install.mutate({})}
            >
              {t('frame.updateInstall')}
            </Button>
          ) : null}
          <Button
            icon={RefreshCw}
            isDisabled={check.isPending || state.kind === 'loading'}
            onPress={() => {
              // The result of an earlier attempt no longer applies
              install.reset();
              check.mutate({});
            }}
          >
            {t(check.isPending ? 'settings.checkingUpdates' : 'settings.checkUpdates')}
          </Button>
        </div>
      )}
      <FailurePanel failure={failure} isAlert />
    </>
  );
}

function StateText({ state }: { readonly state: UpdateState }): ReactNode {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'off':
      return (
        <p>
          ○ {t('settings.updatesOff')} <span lang="en">{state.reason}</span>
        </p>
      );
    case 'current':
      if (state.checkedAt === undefined) return <p>○ {t('settings.updatesUnchecked')}</p>;
      return (
        <p>
          ✓ {t('settings.updatesCurrent')} {t('settings.updatesChecked')} <TimeText value={state.checkedAt} />
        </p>
      );
    case 'held':
      return <p>○ {t('settings.updatesHeld', { version: state.version, share: state.share })}</p>;
    case 'loading':
      return <p>▲ {t('settings.updatesLoading', { version: state.version })}</p>;
    case 'ready':
      return <p>✓ {t('settings.updatesReady', { version: state.version })}</p>;
    case 'failed':
      return (
        <p className="warning">
          ✕ {t('settings.updatesFailed')} <span lang="en">{state.reason}</span>
        </p>
      );
  }
}

const themes = ['system', 'dark', 'light'] as const;

const densities = ['compact', 'normal', 'comfortable'] as const;

const timeDisplays = ['utc', 'local'] as const;

const languages = ['en'] as const;

/** Percent of the normal text size. */
const textSizes = [100, 110, 125, 150] as const;

/** How this desk displays things; changes take effect immediately and are kept in this browser. */
export function DisplayPart(): ReactNode {
  const { t } = useTranslation();
  const { preferences, bridge } = useServices();
  const { theme, density, textSize, times, language, set } = useStore(preferences);
  // A pseudo-language for testing is listed only if it was set
  const known = [...new Set([...languages, language])];
  return (
    <>
      <p className="dim">
        {t(bridge.desktop === undefined ? 'settings.displayHelp' : 'settings.desktopHelp')}
      </p>
      <div className="stack">
        <SelectField
          label={t('settings.theme')}
          value={theme}
          choices={themes.map((id) => ({ id, label: t(`settings.themes.${id}`) }))}
          onChange={(chosen) => set({ theme: chosen })}
        />
        <SelectField
          label={t('settings.density')}
          value={density}
          choices={densities.map((id) => ({ id, label: t(`settings.densities.${id}`) }))}
          onChange={(chosen) => set({ density: chosen })}
        />
        <SelectField
          label={t('settings.textSize')}
          value={String(textSize)}
          choices={textSizes.map((size) => ({ id: String(size), label: `${size}%` }))}
          onChange={(chosen) => {
            const size = textSizes.find((each) => String(each) === chosen);
            if (size !== undefined) set({ textSize: size });
          }}
        />
        <SelectField
          label={t('settings.times')}
          description={t('settings.timesHelp')}
          value={times}
          choices={timeDisplays.map((id) => ({ id, label: t(`settings.timeDisplays.${id}`) }))}
          onChange={(chosen) => set({ times: chosen })}
        />
        <SelectField
          label={t('settings.language')}
          value={language}
          choices={known.map((id) => ({ id, label: t(`settings.languages.${id}`, { defaultValue: id }) }))}
          onChange={(chosen) => set({ language: chosen })}
        />
      </div>
    </>
  );
}

const levels = ['all', 'problems', 'none'] as const;

/** Which news this desk shows. */
export function NotificationsPart(): ReactNode {
  const { t } = useTranslation();
  const isDesktop = useServices().bridge.desktop !== undefined;
  const [choice, setChoice] = useState(() => readChoice(localStorage));
  const [problem, setProblem] = useState<string>();
  const change = (fields: Partial<NotificationChoice>): void => {
    const next = { ...choice, ...fields };
    setChoice(next);
    setProblem(keepChoice(localStorage, next) ? undefined : t('settings.notKept'));
  };
  const askDesktop = async (isWanted: boolean): Promise<void> => {
    const answer = isWanted ? await Notification.requestPermission() : 'granted';
    if (answer === 'granted') change({ desktop: isWanted });
    else setProblem(t('settings.desktopRefused'));
  };
  return (
    <>
      <p className="dim">{t(isDesktop ? 'settings.notificationsOfWindow' : 'settings.notificationsHelp')}</p>
      <div className="stack">
        <SelectField
          label={t('settings.toasts')}
          description={t('settings.toastsHelp')}
          value={choice.toasts}
          choices={levels.map((id) => ({ id, label: t(`settings.toastLevels.${id}`) }))}
          onChange={(toasts) => change({ toasts })}
        />
        {isDesktop ? null : (
          <ToggleField
            label={t('settings.desktop')}
            value={choice.desktop}
            onChange={(isWanted) => void askDesktop(isWanted)}
            isDisabled={!('Notification' in globalThis)}
          />
        )}
        <p role="status" className="warning">
          {problem}
        </p>
      </div>
    </>
  );
}

/** Every command with its keys. Commands without keys are in the palette. */
export function ShortcutsPart(): ReactNode {
  const { t } = useTranslation();
  const { isMac } = useServices();
  return (
    <>
      <p className="dim">{t('settings.shortcutsHelp', { palette: showChord('Mod+K', isMac) })}</p>
      <ShortcutList withoutKeys={t('settings.inPalette')} />
    </>
  );
}
