import { parseAbsolute, type ZonedDateTime } from '@internationalized/date';
import { useState, type ReactNode } from 'react';
import { DateField, DateInput, DateSegment, FieldError, Label } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { IncidentDetail } from '../../../shared/domain/upload-view.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import fields from '../../ui/fields.module.css';
import { FailurePanel } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { changesOf, formOf, problemsOf, type IncidentForm } from './incident-form.ts';

/** Title, description, time and position of an incident; only what was changed is told to the service. */
export function EditIncident({
  incident,
  close,
}: {
  readonly incident: IncidentDetail;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const [form, setForm] = useState(() => formOf(incident));
  const [failure, setFailure] = useState<Failure>();
  const edit = useOrder('incidents.edit', {
    onDone: () => {
      notices.show({ level: 'info', text: t('uploads.edited') });
      close();
    },
    onFailed: setFailure,
  });
  const problems = problemsOf(form);
  const changes = changesOf(incident, form);
  const save = (): void => {
    if (changes === undefined) close();
    else if (problems.size === 0) edit.mutate({ incidentId: incident.row.id, changes });
  };
  return (
    <Dialog
      title={t('uploads.editTitle')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" isDisabled={problems.size > 0 || edit.isPending} onPress={save}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      {failure === undefined ? null : <FailurePanel failure={failure} />}
      <EditFields form={form} problems={problems} change={(change) => setForm({ ...form, ...change })} />
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
        label={t('uploads.columnTitle')}
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

/** A time by its parts, in UTC as evidence needs it. */
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
