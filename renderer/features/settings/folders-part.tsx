import { FolderPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import { Button } from '../../ui/button.tsx';
import { NameTester } from '../../ui/name-tester.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { FolderFields } from './folder-fields.tsx';
import styles from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';

/** Most folders that can be watched. */
const MOST_FOLDERS = 64;
const newFolder: WatchSettings = {
  path: '',
  unit: 'folder',
  profile: 'auto',
  settleSeconds: 30,
  clockOffsetSeconds: 0,
};

/** The watched folders, and a place to try how their file names are read. */
export function FoldersPart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { values, change } = form;
  const isLocked = form.isLocked('watch');
  const replace = (index: number, folder: WatchSettings): void =>
    change({ watch: values.watch.map((each, place) => (place === index ? folder : each)) });
  return (
    <>
      <p className="dim">{t('settings.foldersHelp')}</p>
      {values.watch.length === 0 ? <EmptyState title={t('settings.noFolders')} /> : null}
      {values.watch.map((folder, index) => (
        <FolderFields
          // The list has no other identity than its order: the path is being typed
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          folder={folder}
          index={index}
          form={form}
          onChange={(next) => replace(index, next)}
          onRemove={() => change({ watch: values.watch.filter((_, place) => place !== index) })}
        />
      ))}
      <div>
        <Button
          icon={FolderPlus}
          isDisabled={isLocked || values.watch.length >= MOST_FOLDERS}
          onPress={() => change({ watch: [...values.watch, newFolder] })}
        >
          {t('settings.addFolder')}
        </Button>
      </div>
      <Tester folders={values.watch} />
    </>
  );
}

/** Tries a name by the rules of a folder as they stand in the form, saved or not. */
function Tester({ folders }: { readonly folders: readonly WatchSettings[] }): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('0');
  const rules = folders[Number(chosen)] ?? folders[0] ?? newFolder;
  return (
    <section aria-label={t('settings.tester')} className={styles['block']}>
      <h3>{t('settings.tester')}</h3>
      {folders.length > 1 ? (
        <SelectField
          label={t('settings.testerFolder')}
          value={chosen}
          choices={folders.map(({ path }, index) => ({
            id: String(index),
            label: path === '' ? t('settings.folder', { number: index + 1 }) : path,
          }))}
          onChange={setChosen}
        />
      ) : null}
      <NameTester rules={rules} />
    </section>
  );
}
