import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isManaged, type WatchSettings } from '../../../shared/domain/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ChooseFolder } from '../../ui/choose-folder.tsx';
import { NameTester } from '../../ui/name-tester.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ZoneField } from '../../ui/zone-field.tsx';
import styles from './onboarding.module.css';
import type { StepProps } from './step-props.ts';
import { useSave } from './use-save.ts';

const emptyFolder: WatchSettings = {
  path: '',
  unit: 'folder',
  profile: 'auto',
  settleSeconds: 30,
  clockOffsetSeconds: 0,
};

/** The folder that is watched, and a name from it to see that it is read rightly. */
export function FolderStep({ view, forward }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [first = emptyFolder, ...others] = view.settings.watch;
  const [folder, setFolder] = useState(first);
  const { save, isSaving, failure } = useSave(forward);
  const isLocked = isManaged(view.managed ?? [], 'watch');
  const errorOf = (field: string): string | undefined =>
    failure?.fields?.find(({ name }) => name.endsWith(`.${field}`))?.text;
  return (
    <>
      <p className="dim">{t('onboarding.folderHelp')}</p>
      <TextField
        label={t('onboarding.path')}
        description={t(isLocked ? 'onboarding.locked' : 'onboarding.pathHelp')}
        value={folder.path}
        onChange={(path) => setFolder({ ...folder, path })}
        error={errorOf('path')}
        isDisabled={isLocked}
        isCode
      />
      <div>
        <ChooseFolder onChosen={(path) => setFolder({ ...folder, path })} />
      </div>
      <ZoneField
        label={t('onboarding.timeZone')}
        description={t('onboarding.timeZoneHelp')}
        value={folder.timeZone}
        onChange={(timeZone) => setFolder({ ...folder, timeZone })}
        error={errorOf('timeZone')}
        isDisabled={isLocked}
      />
      <NameTester rules={folder} />
      {failure === undefined ? null : <FailurePanel failure={failure} />}
      <div className={styles['forward']}>
        <Button
          kind="primary"
          isDisabled={folder.path.trim() === '' || isSaving}
          onPress={() => (isLocked ? forward() : save({ watch: [folder, ...others] }))}
        >
          {t(isLocked ? 'onboarding.next' : 'onboarding.watch')}
        </Button>
      </div>
    </>
  );
}
