import { CalendarPlus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  weekdays,
  type ScheduleLimit,
  type ScheduleLine,
  type Weekday,
} from '../../../shared/domain/line-schedule.ts';
import { settingLimits } from '../../../shared/domain/settings.ts';
import { useLocale, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusKept } from '../../ui/dialog.tsx';
import { CheckField, TextField, NumberField } from '../../ui/fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import styles from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';
import { WeekGrid, dayName, linesOf, paintWeek, weekOf } from './week-grid.tsx';

const MB = 1_000_000;
/** The limit that a new line starts with, bytes per second. */
const FIRST_LIMIT = 2 * MB;
const powerLimits = ['onBattery', 'onMetered'] as const;
const newLine: ScheduleLine = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '07:00',
  to: '19:00',
  limit: FIRST_LIMIT,
};

/** Bandwidth limits by weekday and time of day: as lines to edit, and as a week to paint. */
export function SchedulePart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const [brush, setBrush] = useState<ScheduleLimit | undefined>(FIRST_LIMIT);
  const { upload } = form.values;
  const { schedule } = upload;
  const { description, error, isDisabled } = form.field('upload.schedule', t('settings.scheduleHelp'));
  const change = (next: ScheduleLine[]): void => form.change({ upload: { ...upload, schedule: next } });
  const week = weekOf(schedule);
  const add = useFocusKept<HTMLDivElement>(schedule.length);
  // Only the desktop app can tell whether the PC is on battery power
  const limits = useServices().bridge.desktop === undefined ? (['onMetered'] as const) : powerLimits;
  return (
    <section aria-label={t('settings.schedule')} className={styles['block']}>
      <h3>{t('settings.schedule')}</h3>
      <p className="dim">{description}</p>
      <Problem text={error} />
      {schedule.map((line, index) => (
        <LineFields
          // Items have no identity but their position: the times are being typed
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          line={line}
          index={index}
          form={form}
          onChange={(next) => change(schedule.map((each, place) => (place === index ? next : each)))}
          onRemove={() => change(schedule.filter((_, place) => place !== index))}
        />
      ))}
      <div ref={add}>
        <Button icon={CalendarPlus} isDisabled={isDisabled} onPress={() => change([...schedule, newLine])}>
          {t('settings.addLine')}
        </Button>
      </div>
      <fieldset className={styles['folder']} disabled={isDisabled}>
        <legend>{t('settings.paint')}</legend>
        <LimitFields
          label={t('settings.paintWith')}
          limit={brush}
          onChange={setBrush}
          hasNone
          isDisabled={isDisabled}
        />
        <p className="dim">{t('settings.paintHelp')}</p>
        <WeekGrid
          week={week}
          isDisabled={isDisabled}
          onPaint={(area) => change(linesOf(paintWeek(week, area, brush)))}
        />
      </fieldset>
      {limits.map((name) => (
        <LimitFields
          key={name}
          label={t(`settings.${name}`)}
          limit={upload[name]}
          onChange={(limit) => form.change({ upload: { ...upload, [name]: limit } })}
          error={form.field(`upload.${name}`).error}
          hasNone
          isDisabled={form.isLocked(`upload.${name}`)}
        />
      ))}
    </section>
  );
}

function LineFields({
  line,
  index,
  form,
  onChange,
  onRemove,
}: {
  readonly line: ScheduleLine;
  readonly index: number;
  readonly form: SettingsForm;
  readonly onChange: (line: ScheduleLine) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const place = `upload.schedule[${index}]`;
  const isDisabled = form.isLocked(place);
  const turn = (day: Weekday, isOn: boolean): void =>
    onChange({ ...line, days: weekdays.filter((each) => (each === day ? isOn : line.days.includes(each))) });
  const time = (field: 'from' | 'to', label: string): ReactNode => (
    <TextField
      label={label}
      description={undefined}
      error={form.field(`${place}.${field}`).error}
      isDisabled={isDisabled}
      value={line[field]}
      onChange={(text) => onChange({ ...line, [field]: text.trim() })}
      isCode
    />
  );
  return (
    <fieldset className={styles['folder']} disabled={isDisabled}>
      <legend>{t('settings.line', { number: index + 1 })}</legend>
      <div className={styles['lineDays']}>
        <div className="buttons">
          {weekdays.map((day) => (
            <CheckField
              key={day}
              label={dayName(day, locale)}
              value={line.days.includes(day)}
              onChange={(isOn) => turn(day, isOn)}
              isDisabled={isDisabled}
            />
          ))}
        </div>
        <Button kind="quiet" icon={Trash2} isDisabled={isDisabled} onPress={onRemove}>
          {t('settings.removeLine')}
        </Button>
      </div>
      <Problem text={form.field(`${place}.days`).error} />
      <div className={styles['lineFields']}>
        {time('from', t('settings.from'))}
        {time('to', t('settings.to'))}
        <LimitFields
          label={t('settings.lineLimit')}
          limit={line.limit}
          onChange={(limit) => onChange({ ...line, limit: limit ?? 'full' })}
          error={form.field(`${place}.limit`).error}
          isDisabled={isDisabled}
        />
      </div>
    </fieldset>
  );
}

/** A validation error of a group of fields. */
function Problem({ text }: { readonly text: string | undefined }): ReactNode {
  return text === undefined ? null : (
    <p role="alert" className="warning">
      ! {text}
    </p>
  );
}

/** Pause, full speed, or a number; with `hasNone`, also no limit set. */
function LimitFields({
  label,
  limit,
  onChange,
  error,
  hasNone = false,
  isDisabled,
}: {
  readonly label: string;
  readonly limit: ScheduleLimit | undefined;
  readonly onChange: (limit: ScheduleLimit | undefined) => void;
  readonly error?: string | undefined;
  readonly hasNone?: boolean;
  readonly isDisabled: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const kinds = ['limit', 'pause', 'full', ...(hasNone ? (['none'] as const) : [])] as const;
  type Kind = (typeof kinds)[number];
  const limits: Readonly<Record<Kind, ScheduleLimit | undefined>> = {
    limit: FIRST_LIMIT,
    pause: 'pause',
    full: 'full',
    none: undefined,
  };
  const kind: Kind = typeof limit === 'number' ? 'limit' : (limit ?? 'none');
  return (
    <div className="pair">
      <SelectField
        label={label}
        value={kind}
        choices={kinds.map((id) => ({ id, label: t(`settings.limitKind.${id}`) }))}
        onChange={(chosen) => onChange(limits[chosen])}
        description={undefined}
        error={error}
        isDisabled={isDisabled}
      />
      {typeof limit === 'number' ? (
        <NumberField
          label={t('settings.lineSpeed')}
          description={undefined}
          error={undefined}
          isDisabled={isDisabled}
          value={limit / MB}
          onChange={(value) => onChange(Math.round(value * MB))}
          least={settingLimits.upload.maxBytesPerSecond.least / MB}
        />
      ) : null}
    </div>
  );
}
