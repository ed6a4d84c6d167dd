import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../ui/select-field.tsx';
import { helpText } from './help-text.ts';
import type { SettingsForm } from './use-settings-form.ts';

const publishings = ['progressive', 'whenComplete'] as const;
const updateMethods = ['POST', 'PUT'] as const;

/** When incidents are told to the service, and how it takes changes of users. */
export function ServicePart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { values, change, errorOf, isLocked } = form;
  const { publish } = values.incident;
  const { updateMethod } = values.users;
  return (
    <div className="stack">
      <SelectField
        label={t('settings.publish')}
        description={helpText(isLocked('incident.publish'), t(`settings.publishHelp.${publish}`), t)}
        value={publish}
        choices={publishings.map((id) => ({ id, label: t(`settings.publishing.${id}`) }))}
        onChange={(chosen) => change({ incident: { publish: chosen } })}
        error={errorOf('incident.publish')}
        isDisabled={isLocked('incident.publish')}
      />
      <SelectField
        label={t('settings.updateMethod')}
        description={helpText(isLocked('users.updateMethod'), t('settings.updateMethodHelp'), t)}
        value={updateMethod}
        choices={updateMethods.map((id) => ({ id, label: id }))}
        onChange={(chosen) => change({ users: { updateMethod: chosen } })}
        error={errorOf('users.updateMethod')}
        isDisabled={isLocked('users.updateMethod')}
      />
    </div>
  );
}
