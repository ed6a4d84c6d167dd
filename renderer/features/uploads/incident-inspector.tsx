import { parseAbsolute, type ZonedDateTime } from '@internationalized/date';
import { Pencil } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { DateField, DateInput, DateSegment, FieldError, Label } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { IncidentDetail } from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import fields from '../../ui/fields.module.css';
import { FormBody, TextField } from '../../ui/fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark, FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { ExplanationPanel, OriginNote, FileAccountNote } from './explanation.tsx';
import { changesOf, formOf, problemsOf, type IncidentForm } from './incident-form.ts';
import { IncidentProofPanel } from './proof.tsx';
import { UploadButtons } from './upload-commands.tsx';
import { UploadHistory } from './upload-history.tsx';

/** An incident: its state, the actions for all of it, and its details. */
export function IncidentInspector({ incident }: { readonly incident: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const { row, reason, isOneReason } = incident;
  const failed = t(isOneReason === true ? 'frame.failed' : 'uploads.failedOneOf', { count: row.failed });
  return (
    <div className="stack">
      <h2 className="breakable">
        <SafeName name={row.title} />
      </h2>
      <StateMark state={row.state} />
      <FailurePanel
        failure={row.failure ?? reason}
        title={row.failure === undefined ? failed : t('uploads.failedTitle')}
      />
      {incident.folderGone ? <p>{t('uploads.folderGone')}</p> : null}
      <IncidentCommands incident={incident} />
      <IncidentFacts incident={incident} />
      <FileAccountNote files={incident.files} folder={incident.folderGone ? undefined : row.folder} />
      <IncidentProofPanel key={`proof ${row.id}`} incidentId={row.id} />
      <UploadHistory key={row.id} of={{ kind: 'incident', incidentId: row.id }} />
      <OriginNote origins={incident.origins} />
      <ExplanationPanel key={`explanation ${row.id}`} incidentId={row.id} />
    </div>
  );
}

function IncidentFacts({ incident }: { readonly incident: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const { row, latitude, longitude } = incident;
  const counts = t('uploads.clipCounts', {
    uploaded: row.uploaded,
    total: row.uploaded + row.failed + row.leftOut + row.pending,
  });
  const failed = row.failed === 0 ? '' : `, ${t('uploads.failedCount', { count: row.failed })}`;
  const leftOut = row.leftOut === 0 ? '' : `, ${t('uploads.leftOutCount', { count: row.leftOut })}`;
  const { guessedAt } = incident;
  const guess = guessedAt && <GuessedTime incidentId={row.id} at={guessedAt.at} />;
  return (
    <Facts
      facts={[
        fact(
          t('uploads.happened'),
          row.incidentAt === undefined ? guess : <TimeText value={row.incidentAt} both />,
        ),
        fact(
          t('uploads.description'),
          incident.description === undefined ? undefined : <SafeName name={incident.description} />,
        ),
        fact(t('uploads.clips'), counts + failed + leftOut),
        fact(t('uploads.size'), <span className="ltr">{formatBytes(row.sizeBytes)}</span>),
        fact(
          t('uploads.position'),
          latitude === undefined || longitude === undefined ? undefined : (
            <span className="ltr">{`${latitude}, ${longitude}`}</span>
          ),
        ),
        fact(t('uploads.synced'), incident.isSynced ? t('uploads.syncedYes') : t('uploads.syncedNo')),
        fact(
          t('uploads.lastSynced'),
          incident.lastSyncedAt === undefined ? undefined : <TimeText value={incident.lastSyncedAt} both />,
        ),
        fact(t('uploads.foundAt'), <TimeText value={row.createdAt} both />),
        fact(
          t('uploads.folder'),
          <span className="ltr">
            <SafeName name={row.folder} />
          </span>,
        ),
        fact(t('uploads.id'), <code className="ltr">{row.id}</code>),
      ]}
    />
  );
}

/** A time that nobody stated: it is only sent once a person accepts it (service.md gap 31). */
function GuessedTime({ incidentId, at }: { readonly incidentId: string; readonly at: string }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const edit = useCallMutation('incidents.edit', {
    onDone: () => notices.show({ level: 'info', text: t('uploads.edited') }),
    onFailed: notices.failed,
  });
  return (
    <>
      <p>{t('uploads.guessedAt')}</p>
      <p>
        <TimeText value={at} both />
      </p>
      <Button
        isDisabled={edit.isPending}
        onPress={() => edit.mutate({ incidentId, changes: { incidentAt: at } })}
      >
        {t('uploads.useGuess')}
      </Button>
    </>
  );
}

function IncidentCommands({ incident }: { readonly incident: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const { row } = incident;
  const [isEditing, setEditing] = useState(false);
  useCommand('uploads.edit', () => setEditing(true));
  return (
    <div className="buttons">
      <Button icon={Pencil} command="uploads.edit" onPress={() => setEditing(true)}>
        {t('uploads.edit')}
      </Button>
      {row.uploaded > 0 ? <ApplyCameras incidentId={row.id} /> : null}
      {isEditing ? <EditIncident incident={incident} close={() => setEditing(false)} /> : null}
      <UploadButtons incidents={[row]} />
    </div>
  );
}

/** Applies the current list of cameras to clips that were already sent; this only happens on request. */
function ApplyCameras({ incidentId }: { readonly incidentId: string }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { data: view } = useRead('settings.get', {});
  const apply = useCallMutation('incidents.applyCameras', {
    onDone: ({ changed }) =>
      notices.show({ level: 'info', text: t('uploads.camerasApplied', { count: changed }) }),
    onFailed: notices.failed,
  });
  if ((view?.settings.cameras ?? []).length === 0) return null;
  return (
    <Button isDisabled={apply.isPending} onPress={() => apply.mutate({ incidentId })}>
      {t('uploads.applyCameras')}
    </Button>
  );
}

/** Edits title, description, time and position of an incident; only changed values are sent to the service. */
function EditIncident({
  incident,
  close,
}: {
  readonly incident: IncidentDetail;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  // Values learned meanwhile are not changes by the user
  const [before] = useState(incident);
  const [form, setForm] = useState(() => formOf(before));
  const [failure, setFailure] = useState<Failure>();
  const edit = useCallMutation('incidents.edit', {
    onDone: () => {
      notices.show({ level: 'info', text: t('uploads.edited') });
      close();
    },
    onFailed: setFailure,
  });
  const problems = problemsOf(form);
  const changes = changesOf(before, form);
  const formId = useId();
  const save = (): void => {
    if (changes === undefined) close();
    else if (problems.size === 0 && !edit.isPending) edit.mutate({ incidentId: before.row.id, changes });
  };
  return (
    <Dialog
      title={t('uploads.editTitle')}
      isOpen
      onClose={close}
      isDirty={changes !== undefined}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} isDisabled={problems.size > 0 || edit.isPending}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <FormBody id={formId} onSubmit={save}>
        <FailurePanel failure={failure} isAlert />
        <EditFields form={form} problems={problems} change={(change) => setForm({ ...form, ...change })} />
      </FormBody>
    </Dialog>
  );
}

function EditFields({
  form,
  problems,
  change,
}: {
  readonly form: IncidentForm;
  readonly problems: ReadonlyMap<keyof IncidentForm, string>;
  readonly change: (change: Partial<IncidentForm>) => void;
}): ReactNode {
  const { t } = useTranslation();
  const problem = (field: keyof IncidentForm): string | undefined => {
    const key = problems.get(field);
    return key === undefined ? undefined : t(key);
  };
  return (
    <div className="stack">
      <TextField
        label={t('uploads.titleLabel')}
        value={form.title}
        onChange={(title) => change({ title })}
        error={problem('title')}
        autoFocus
      />
      <TextField
        label={t('uploads.description')}
        value={form.description}
        onChange={(description) => change({ description })}
        lines={4}
      />
      <TimeField value={form.incidentAt} onChange={(incidentAt) => change({ incidentAt })} />
      <div className="pair">
        <TextField
          label={t('uploads.latitude')}
          value={form.latitude}
          onChange={(latitude) => change({ latitude })}
          error={problem('latitude')}
          isCode
        />
        <TextField
          label={t('uploads.longitude')}
          value={form.longitude}
          onChange={(longitude) => change({ longitude })}
          error={problem('longitude')}
          isCode
        />
      </div>
    </div>
  );
}

/** A time by its components, in UTC as evidence needs it. */
function TimeField({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  const shown = value === undefined ? null : parseAbsolute(value, 'UTC');
  return (
    <DateField<ZonedDateTime>
      className={fields['field'] ?? ''}
      value={shown}
      onChange={(next) => onChange(next?.toDate().toISOString())}
      granularity="second"
      hourCycle={24}
      shouldForceLeadingZeros
    >
      <Label className={fields['label'] ?? ''}>{t('uploads.happenedUtc')}</Label>
      <DateInput className={`${fields['input'] ?? ''} segments ltr`}>
        {(segment) => <DateSegment segment={segment} className="segment" />}
      </DateInput>
      <FieldError className={fields['error'] ?? ''} />
    </DateField>
  );
}
