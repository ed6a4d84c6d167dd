import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/ipc/calls/agent.ts';
import { useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { Screen } from '../../ui/screen.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ConnectionPart } from './connection-part.tsx';
import { DisplayPart } from './display-part.tsx';
import { FoldersPart } from './folders-part.tsx';
import { NotificationsPart } from './notifications-part.tsx';
import { SaveBar } from './save-bar.tsx';
import { ServicePart } from './service-part.tsx';
import { settingsParts, settingsSearchSchema } from './settings-search.ts';
import styles from './settings.module.css';
import { ShortcutsPart } from './shortcuts-part.tsx';
import { UploadsPart } from './uploads-part.tsx';
import { useSettingsForm, type SettingsForm } from './use-settings-form.ts';

type Part = (typeof settingsParts)[number];

/** What the agent works with, and how this desk shows it. */
export function SettingsScreen(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useRead('settings.get', {});
  return (
    <Screen title={t('settings.title')}>
      {error !== null ? (
        <FailurePanel failure={error.failure} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <Parts view={data} />
      )}
    </Screen>
  );
}

function Parts({ view }: { readonly view: SettingsView }): ReactNode {
  const { t } = useTranslation();
  const [{ part }, change] = useScreenSearch(settingsSearchSchema);
  const form = useSettingsForm(view);
  return (
    <div className={styles['layout']}>
      <Tabs
        orientation="vertical"
        selectedKey={part}
        onSelectionChange={(key) => {
          const chosen = settingsParts.find((each) => each === key);
          if (chosen !== undefined) change({ part: chosen });
        }}
        className={styles['parts'] ?? ''}
      >
        <TabList aria-label={t('settings.parts')} className={styles['list'] ?? ''}>
          {settingsParts.map((id) => (
            <Tab key={id} id={id} className={styles['tab'] ?? ''}>
              {t(`settings.part.${id}`)}
            </Tab>
          ))}
        </TabList>
        {settingsParts.map((id) => (
          <TabPanel key={id} id={id} className={styles['panel'] ?? ''}>
            <h2>{t(`settings.part.${id}`)}</h2>
            <PartBody part={id} form={form} />
          </TabPanel>
        ))}
      </Tabs>
      <SaveBar form={form} />
    </div>
  );
}

function PartBody({ part, form }: { readonly part: Part; readonly form: SettingsForm }): ReactNode {
  switch (part) {
    case 'connection':
      return <ConnectionPart form={form} />;
    case 'folders':
      return <FoldersPart form={form} />;
    case 'uploads':
      return <UploadsPart form={form} />;
    case 'service':
      return <ServicePart form={form} />;
    case 'display':
      return <DisplayPart />;
    case 'notifications':
      return <NotificationsPart />;
    case 'shortcuts':
      return <ShortcutsPart />;
  }
}
