import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useServices } from '../../stores/services.ts';
import { SelectField } from '../../ui/select-field.tsx';

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
