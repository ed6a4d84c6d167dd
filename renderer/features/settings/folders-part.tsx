import { FolderPlus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button, ChooseFolder } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { NameTester } from '../../ui/name-tester.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { SelectField, ZoneField } from '../../ui/select-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { helpText } from './field-texts.ts';
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

/** One watched folder: where it is, what one incident is in it, and how its names are read. */
function FolderFields({
  folder,
  index,
  form,
  onChange,
  onRemove,
}: {
  readonly folder: WatchSettings;
  readonly index: number;
  readonly form: SettingsForm;
  readonly onChange: (folder: WatchSettings) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const place = `watch[${index}]`;
  const isLocked = form.isLocked(place);
  const errorOf = (field: keyof WatchSettings): string | undefined => form.errorOf(`${place}.${field}`);
  const change = (fields: Partial<WatchSettings>): void => onChange({ ...folder, ...fields });
  return (
    <fieldset className={styles['folder']} disabled={isLocked}>
      <legend>{t('settings.folder', { number: index + 1 })}</legend>
      <TextField
        label={t('settings.path')}
        description={helpText(isLocked, t('settings.pathHelp'), t)}
        value={folder.path}
        onChange={(path) => change({ path })}
        error={errorOf('path')}
        isDisabled={isLocked}
        isCode
      />
      {isLocked ? null : (
        <div>
          <ChooseFolder onChosen={(path) => change({ path })} />
        </div>
      )}
      <div className="pair">
        <SelectField
          label={t('settings.unit')}
          description={t('settings.unitHelp')}
          value={folder.unit}
          choices={[{ id: 'folder', label: t('settings.unitFolder') }]}
          onChange={(unit) => change({ unit })}
          error={errorOf('unit')}
          isDisabled={isLocked}
        />
        <NumberField
          label={t('settings.settleSeconds')}
          description={t('settings.settleHelp')}
          value={folder.settleSeconds}
          onChange={(settleSeconds) => {
            if (settleSeconds !== undefined) change({ settleSeconds });
          }}
          least={0.1}
          most={3600}
          error={errorOf('settleSeconds')}
          isDisabled={isLocked}
        />
      </div>
      <NameRuleFields folder={folder} change={change} errorOf={errorOf} isLocked={isLocked} />
      <div>
        <Button kind="quiet" icon={Trash2} isDisabled={isLocked} onPress={onRemove}>
          {t('settings.removeFolder')}
        </Button>
      </div>
    </fieldset>
  );
}

function NameRuleFields({
  folder,
  change,
  errorOf,
  isLocked,
}: {
  readonly folder: WatchSettings;
  readonly change: (fields: Partial<WatchSettings>) => void;
  readonly errorOf: (field: keyof WatchSettings) => string | undefined;
  readonly isLocked: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const { data } = useRead('names.profiles', {});
  const profiles = [...new Set(['auto', ...(data?.profiles ?? []), folder.profile])];
  return (
    <div className="pair">
      <SelectField
        label={t('settings.profile')}
        value={folder.profile}
        choices={profiles.map((id) => ({ id, label: id === 'auto' ? t('settings.profileAuto') : id }))}
        onChange={(profile) => change({ profile })}
        error={errorOf('profile')}
        isDisabled={isLocked}
      />
      <ZoneField
        label={t('settings.timeZone')}
        description={t('settings.timeZoneHelp', {
          zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        })}
        value={folder.timeZone}
        onChange={(zone) => change({ timeZone: zone })}
        error={errorOf('timeZone')}
        isDisabled={isLocked}
      />
      <NumberField
        label={t('settings.clockOffset')}
        description={t('settings.clockOffsetHelp')}
        value={folder.clockOffsetSeconds}
        onChange={(clockOffsetSeconds) => {
          if (clockOffsetSeconds !== undefined) change({ clockOffsetSeconds });
        }}
        least={-86_400}
        most={86_400}
        error={errorOf('clockOffsetSeconds')}
        isDisabled={isLocked}
      />
    </div>
  );
}
