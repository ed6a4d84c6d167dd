import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { useServices } from '../../stores/services.ts';
import { Screen } from '../../ui/screen.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ConnectionPart } from './connection-part.tsx';
import { DesktopPart } from './desktop-part.tsx';
import { DisplayPart } from './display-part.tsx';
import { FoldersPart } from './folders-part.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { NotificationsPart } from './notifications-part.tsx';
import { SaveBar } from './save-bar.tsx';
import { ServicePart } from './service-part.tsx';
import { partsOf, settingsSearchSchema, type SettingsPart } from './settings-search.ts';
import styles from './settings.module.css';
import { ShortcutsPart } from './shortcuts-part.tsx';
import { UpdatesPart } from './updates-part.tsx';
import { UploadsPart } from './uploads-part.tsx';
import { useSettingsForm, type SettingsForm } from './use-settings-form.ts';

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
  const { bridge } = useServices();
  const [search, change] = useScreenSearch(settingsSearchSchema);
  const parts = partsOf(bridge.desktop !== undefined);
  const part = parts.includes(search.part) ? search.part : 'connection';
  const form = useSettingsForm(view);
  return (
    <div className={styles['layout']}>
      <Tabs
        orientation="vertical"
        selectedKey={part}
        onSelectionChange={(key) => {
          const chosen = parts.find((each) => each === key);
          if (chosen !== undefined) change({ part: chosen });
        }}
        className={styles['parts'] ?? ''}
      >
        <TabList aria-label={t('settings.parts')} className={styles['list'] ?? ''}>
          {parts.map((id) => (
            <Tab key={id} id={id} className={styles['tab'] ?? ''}>
              {t(`settings.part.${id}`)}
            </Tab>
          ))}
        </TabList>
        {parts.map((id) => (
          <TabPanel key={id} id={id} className={styles['panel'] ?? ''}>
            <h2>{t(`settings.part.${id}`)}</h2>
            <PartBody part={id} form={form} />
          </TabPanel>
        ))}
      </Tabs>
      <SaveBar form={form} />
      <LeaveGuard form={form} />
    </div>
  );
}

function PartBody({ part, form }: { readonly part: SettingsPart; readonly form: SettingsForm }): ReactNode {
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
    case 'desktop':
      return <DesktopPart />;
    case 'updates':
      return <UpdatesPart />;
    case 'shortcuts':
      return <ShortcutsPart />;
  }
}
