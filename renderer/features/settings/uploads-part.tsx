import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  DEFAULT_MULTIPART_THRESHOLD_BYTES,
  MIN_PART_BYTES,
  type Settings,
} from '../../../shared/domain/settings.ts';
import { TextField, ToggleField } from '../../ui/fields.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { helpText, partSizes, readHosts } from './field-texts.ts';
import type { SettingsForm } from './use-settings-form.ts';

type Upload = Settings['upload'];
const MB = 1_000_000;
/** The limit that a switched-on one begins with, bytes per second. */
const FIRST_LIMIT = 6 * MB;

interface Props {
  readonly form: SettingsForm;
}

/** How much of the line and of the machine uploads may take, and where they may go. */
export function UploadsPart({ form }: Props): ReactNode {
  const { t } = useTranslation();
  const { upload } = form.values;
  const change = (fields: Partial<Upload>): void => form.change({ upload: { ...upload, ...fields } });
  const isLocked = form.isLocked('upload.hosts');
  return (
    <div className="stack">
      <SpeedLimit form={form} change={change} />
      <Concurrency form={form} change={change} />
      <Parts form={form} change={change} />
      <TextField
        label={t('settings.hosts')}
        description={helpText(isLocked, t('settings.hostsHelp'), t)}
        value={upload.hosts.join('\n')}
        onChange={(text) => change({ hosts: readHosts(text) })}
        error={form.errorOf('upload.hosts')}
        isDisabled={isLocked}
        lines={3}
        isCode
      />
    </div>
  );
}

interface GroupProps extends Props {
  readonly change: (fields: Partial<Upload>) => void;
}

function SpeedLimit({ form, change }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const { maxBytesPerSecond } = form.values.upload;
  const isLocked = form.isLocked('upload.maxBytesPerSecond');
  return (
    <div className="pair">
      <ToggleField
        label={t('settings.limitSpeed')}
        value={maxBytesPerSecond !== null}
        onChange={(isLimited) => change({ maxBytesPerSecond: isLimited ? FIRST_LIMIT : null })}
        isDisabled={isLocked}
      />
      {maxBytesPerSecond === null ? null : (
        <NumberField
          label={t('settings.maxSpeed')}
          description={helpText(isLocked, t('settings.maxSpeedHelp'), t)}
          value={maxBytesPerSecond / MB}
          onChange={(value) => {
            if (value !== undefined) change({ maxBytesPerSecond: Math.round(value * MB) });
          }}
          least={0.01}
          most={10_000}
          error={form.errorOf('upload.maxBytesPerSecond')}
          isDisabled={isLocked}
        />
      )}
    </div>
  );
}

function Concurrency({ form, change }: GroupProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="pair">
      {[['concurrentFiles', 16] as const, ['concurrentParts', 32] as const].map(([field, most]) => {
        const isLocked = form.isLocked(`upload.${field}`);
        return (
          <NumberField
            key={field}
            label={t(`settings.${field}`)}
            description={helpText(isLocked, t(`settings.${field}Help`), t)}
            value={form.values.upload[field]}
            onChange={(value) => {
              if (value !== undefined) change({ [field]: value });
            }}
            least={1}
            most={most}
            step={1}
            error={form.errorOf(`upload.${field}`)}
            isDisabled={isLocked}
          />
        );
      })}
    </div>
  );
}

function Parts({ form, change }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const { multipartThresholdBytes, partSizeBytes } = form.values.upload;
  const isLocked = form.isLocked('upload.multipartThresholdBytes');
  return (
    <div className="pair">
      <NumberField
        label={t('settings.threshold')}
        description={helpText(isLocked, t('settings.thresholdHelp'), t)}
        value={multipartThresholdBytes / MB}
        onChange={(value) => {
          if (value !== undefined) change({ multipartThresholdBytes: Math.round(value * MB) });
        }}
        least={MIN_PART_BYTES / MB}
        most={DEFAULT_MULTIPART_THRESHOLD_BYTES / MB}
        error={form.errorOf('upload.multipartThresholdBytes')}
        isDisabled={isLocked}
      />
      <SelectField
        label={t('settings.partSize')}
        description={helpText(form.isLocked('upload.partSizeBytes'), t('settings.partSizeHelp'), t)}
        value={partSizeBytes === undefined ? 'auto' : String(partSizeBytes)}
        choices={[
          { id: 'auto', label: t('settings.partSizeAuto') },
          ...partSizes(partSizeBytes).map(({ bytes, mib }) => ({ id: String(bytes), label: `${mib} MiB` })),
        ]}
        onChange={(id) => change({ partSizeBytes: id === 'auto' ? undefined : Number(id) })}
        error={form.errorOf('upload.partSizeBytes')}
        isDisabled={form.isLocked('upload.partSizeBytes')}
      />
    </div>
  );
}

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
