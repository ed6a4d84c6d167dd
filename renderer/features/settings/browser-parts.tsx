import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { showChord } from '../../commands/chord.ts';
import { useServices } from '../../stores/services.ts';
import { ToggleField } from '../../ui/fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ShortcutList } from '../../ui/shortcut-list.tsx';
import { keepChoice, readChoice, type NotificationChoice } from './notification-choice.ts';

const themes = ['system', 'dark', 'light'] as const;
const densities = ['compact', 'normal', 'comfortable'] as const;
const timeDisplays = ['utc', 'local'] as const;
const languages = ['en'] as const;

/** How things look at this desk; counts at once and is kept in this browser. */
export function DisplayPart(): ReactNode {
  const { t } = useTranslation();
  const { preferences } = useServices();
  const { theme, density, times, language, set } = useStore(preferences);
  // A language for testing is in the list only where someone set it
  const known = [...new Set([...languages, language])];
  return (
    <>
      <p className="dim">{t('settings.displayHelp')}</p>
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

/** Which news come up at this desk. */
export function NotificationsPart(): ReactNode {
  const { t } = useTranslation();
  const isDesktop = useServices().bridge.desktop !== undefined;
  const [choice, setChoice] = useState(() => readChoice(localStorage));
  const [trouble, setTrouble] = useState<string>();
  const change = (fields: Partial<NotificationChoice>): void => {
    const next = { ...choice, ...fields };
    setChoice(next);
    setTrouble(keepChoice(localStorage, next) ? undefined : t('settings.notKept'));
  };
  const askDesktop = async (isWanted: boolean): Promise<void> => {
    const answer = isWanted ? await Notification.requestPermission() : 'granted';
    if (answer === 'granted') change({ desktop: isWanted });
    else setTrouble(t('settings.desktopRefused'));
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
          {trouble}
        </p>
      </div>
    </>
  );
}

/** Every command with its keys. Those without are found in the palette. */
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
