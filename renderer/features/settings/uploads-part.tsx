import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  hashTimes,
  publishTimes,
  unknownTimes,
  settingLimits,
  updateMethods,
  type Settings,
} from '../../../shared/domain/settings.ts';
import { TextField, ToggleField, NumberField } from '../../ui/fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { partSizes, readHosts } from './use-settings-form.ts';
import { SchedulePart } from './schedule-part.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type Upload = Settings['upload'];
const MB = 1_000_000;
/** The limit that is set when limiting is switched on, bytes per second. */
const FIRST_LIMIT = 6 * MB;

interface Props {
  readonly form: SettingsForm;
}

/** How much bandwidth and machine capacity uploads may use, and where they may go. */
export function UploadsPart({ form }: Props): ReactNode {
  const { t } = useTranslation();
  const { upload } = form.values;
  const change = (fields: Partial<Upload>): void => form.change({ upload: { ...upload, ...fields } });
  return (
    <div className="stack">
      <SpeedLimit form={form} change={change} />
      <SchedulePart form={form} />
      <Concurrency form={form} change={change} />
      <PartSizes form={form} change={change} />
      <SentAhead form={form} change={change} />
      <TextField
        label={t('settings.hosts')}
        {...form.field('upload.hosts', t('settings.hostsHelp'))}
        value={upload.hosts.join('\n')}
        onChange={(text) => change({ hosts: readHosts(text) })}
        lines={3}
        isCode
      />
      <SelectField
        label={t('settings.hashAtIntake')}
        {...form.field('evidence.hashAtIntake', t('settings.hashAtIntakeHelp'))}
        value={form.values.evidence.hashAtIntake}
        choices={hashTimes.map((id) => ({ id, label: t(`settings.hashing.${id}`) }))}
        onChange={(hashAtIntake) => form.change({ evidence: { ...form.values.evidence, hashAtIntake } })}
      />
      <RetentionTimes form={form} />
      <TextField
        label={t('settings.headChannel')}
        {...form.field('evidence.headChannel', t('settings.headChannelHelp'))}
        value={form.values.evidence.headChannel ?? ''}
        onChange={(text) => form.change({ evidence: withText(form.values.evidence, 'headChannel', text) })}
        isCode
      />
      <TextField
        label={t('settings.timestampUrl')}
        {...form.field('evidence.timestampUrl', t('settings.timestampUrlHelp'))}
        value={form.values.evidence.timestampUrl ?? ''}
        onChange={(text) => form.change({ evidence: withText(form.values.evidence, 'timestampUrl', text) })}
        isCode
      />
    </div>
  );
}

type Evidence = Props['form']['values']['evidence'];

/** An empty field removes the value. */
function withText(evidence: Evidence, name: 'headChannel' | 'timestampUrl', text: string): Evidence {
  const { [name]: _before, ...others } = evidence;
  return text.trim() === '' ? others : { ...others, [name]: text.trim() };
}

/** How long finished work stays in the database; 0 means forever. */
function RetentionTimes({ form }: Props): ReactNode {
  const { t } = useTranslation();
  const { retention } = form.values;
  return (
    <div className="pair">
      {(['incidentsDays', 'auditMonths'] as const).map((field) => (
        <NumberField
          key={field}
          label={t(`settings.${field}`)}
          {...form.field(`retention.${field}`, t(`settings.${field}Help`))}
          value={retention[field]}
          onChange={(value) => form.change({ retention: { ...retention, [field]: value } })}
          {...settingLimits.retention[field]}
          step={1}
        />
      ))}
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
          {...form.field('upload.maxBytesPerSecond', t('settings.maxSpeedHelp'))}
          value={maxBytesPerSecond / MB}
          onChange={(value) => change({ maxBytesPerSecond: Math.round(value * MB) })}
          least={settingLimits.upload.maxBytesPerSecond.least / MB}
        />
      )}
    </div>
  );
}

function Concurrency({ form, change }: GroupProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="pair">
      {(['concurrentFiles', 'concurrentParts'] as const).map((field) => (
        <NumberField
          key={field}
          label={t(`settings.${field}`)}
          {...form.field(`upload.${field}`, t(`settings.${field}Help`))}
          value={form.values.upload[field]}
          onChange={(value) => change({ [field]: value })}
          {...settingLimits.upload[field]}
          step={1}
        />
      ))}
    </div>
  );
}

function PartSizes({ form, change }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const { multipartThresholdBytes, partSizeBytes } = form.values.upload;
  const { least, most } = settingLimits.upload.multipartThresholdBytes;
  return (
    <div className="pair">
      <NumberField
        label={t('settings.threshold')}
        {...form.field('upload.multipartThresholdBytes', t('settings.thresholdHelp'))}
        value={multipartThresholdBytes / MB}
        onChange={(value) => change({ multipartThresholdBytes: Math.round(value * MB) })}
        least={least / MB}
        most={most / MB}
      />
      <SelectField
        label={t('settings.partSize')}
        {...form.field('upload.partSizeBytes', t('settings.partSizeHelp'))}
        value={partSizeBytes === undefined ? 'auto' : String(partSizeBytes)}
        choices={[
          { id: 'auto', label: t('settings.partSizeAuto') },
          ...partSizes(partSizeBytes).map(({ bytes, mib }) => ({ id: String(bytes), label: `${mib} MiB` })),
        ]}
        onChange={(id) => change({ partSizeBytes: id === 'auto' ? undefined : Number(id) })}
      />
    </div>
  );
}

/** Sending parts of clips that are still being written. */
function SentAhead({ form, change }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const { whileWriting, wastedBytesPerDay } = form.values.upload;
  return (
    <div className="pair">
      <ToggleField
        label={t('settings.whileWriting')}
        {...form.field('upload.whileWriting', t('settings.whileWritingHelp'))}
        value={whileWriting === 'auto'}
        onChange={(isOn) => change({ whileWriting: isOn ? 'auto' : 'off' })}
      />
      {whileWriting === 'off' ? null : (
        <NumberField
          label={t('settings.wasted')}
          {...form.field('upload.wastedBytesPerDay', t('settings.wastedHelp'))}
          value={wastedBytesPerDay / MB}
          onChange={(value) => change({ wastedBytesPerDay: Math.round(value * MB) })}
          least={0}
        />
      )}
    </div>
  );
}

/** When incidents are written to the service, and how user changes are sent to it. */
export function ServicePart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { values, change, field } = form;
  const { incident } = values;
  const { updateMethod } = values.users;
  return (
    <div className="stack">
      <SelectField
        label={t('settings.publish')}
        {...field('incident.publish', t(`settings.publishHelp.${incident.publish}`))}
        value={incident.publish}
        choices={publishTimes.map((id) => ({ id, label: t(`settings.publishing.${id}`) }))}
        onChange={(chosen) => change({ incident: { ...incident, publish: chosen } })}
      />
      <SelectField
        label={t('settings.unknownTimes')}
        {...field('incident.unknownTimes', t(`settings.unknownTimesHelp.${incident.unknownTimes}`))}
        value={incident.unknownTimes}
        choices={unknownTimes.map((id) => ({ id, label: t(`settings.timesUnknown.${id}`) }))}
        onChange={(chosen) => change({ incident: { ...incident, unknownTimes: chosen } })}
      />
      <TextField
        label={t('settings.siteId')}
        {...field('siteId', t('settings.siteIdHelp'))}
        value={values.siteId}
        onChange={(siteId) => change({ siteId })}
        isCode
      />
      <SelectField
        label={t('settings.updateMethod')}
        {...field('users.updateMethod', t('settings.updateMethodHelp'))}
        value={updateMethod}
        choices={updateMethods.map((id) => ({ id, label: id }))}
        onChange={(chosen) => change({ users: { updateMethod: chosen } })}
      />
    </div>
  );
}
