import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  dateOrders,
  epochUnits,
  MOST_PATTERNS,
  type PatternSettings,
} from '../../../shared/domain/naming-settings.ts';
import { newWatchedFolder, type WatchSettings } from '../../../shared/domain/settings.ts';
import type { PatternSample } from '../../../shared/ipc/calls/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusKept } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { ProposePattern, proposeTemplate, type NameExample } from './propose-pattern.tsx';
import styles from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';

const EXAMPLE = '{camera}_{date:YYYYMMDD}_{time:HHmmss}';

const newPattern = (number: number, sample?: string, template = EXAMPLE): PatternSettings => ({
  name: `own ${number}`,
  template,
  dateOrder: 'YMD',
  clock: 'local',
  epoch: 's',
  samples: sample === undefined ? [] : [sample],
});

/** This desk's patterns for names that no known system explains, with a preview of each. */
export function NamesPart({
  form,
  example,
}: {
  readonly form: SettingsForm;
  readonly example: NameExample;
}): ReactNode {
  const { t } = useTranslation();
  const { values, change } = form;
  const isLocked = form.isLocked('patterns');
  const add = useFocusKept<HTMLDivElement>(values.patterns.length);
  const set = (patterns: PatternSettings[]): void => change({ patterns });
  const [entered, setEntered] = useState(example);
  const template = example.sample === undefined ? undefined : proposeTemplate(example.sample, entered);
  return (
    <>
      <p className="dim">{t('settings.patternsHelp')}</p>
      {values.patterns.map((pattern, index) => (
        <PatternFields
          // Items have no identity but their position: the name is being typed
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          pattern={pattern}
          place={`patterns[${index}]`}
          form={form}
          onChange={(next) => set(values.patterns.map((each, place) => (place === index ? next : each)))}
          onRemove={() => set(values.patterns.filter((_, place) => place !== index))}
        />
      ))}
      {example.sample === undefined ? null : (
        <ProposePattern sample={example.sample} entered={entered} onChange={setEntered} template={template} />
      )}
      <div ref={add}>
        <Button
          icon={Plus}
          isDisabled={isLocked || values.patterns.length >= MOST_PATTERNS}
          onPress={() =>
            set([...values.patterns, newPattern(values.patterns.length + 1, example.sample, template)])
          }
        >
          {t('settings.addPattern')}
        </Button>
      </div>
    </>
  );
}

interface PatternProps {
  readonly pattern: PatternSettings;
  /** Path of the setting: `patterns[0]`. */
  readonly place: string;
  readonly form: SettingsForm;
  readonly onChange: (pattern: PatternSettings) => void;
}

function PatternFields({ onRemove, ...props }: PatternProps & { readonly onRemove: () => void }): ReactNode {
  const { t } = useTranslation();
  const { pattern, place, form, onChange } = props;
  const { name, samples } = pattern;
  const isLocked = form.isLocked('patterns');
  const sampleErrors = samples.map((_, index) => form.field(`${place}.samples[${index}]`).error);
  return (
    <fieldset className={styles['folder']} disabled={isLocked}>
      <legend>{t('settings.patternOf', { name })}</legend>
      <TextField
        label={t('settings.patternName')}
        {...form.field(`${place}.name`)}
        value={name}
        onChange={(next) => onChange({ ...pattern, name: next })}
      />
      <PatternText {...props} />
      <PatternClock {...props} />
      <TextField
        label={t('settings.patternSamples')}
        {...form.field(`${place}.samples`, t('settings.patternSamplesHelp'))}
        error={sampleErrors.find((error) => error !== undefined) ?? form.field(`${place}.samples`).error}
        value={samples.join('\n')}
        onChange={(text) => onChange({ ...pattern, samples: text === '' ? [] : text.split('\n') })}
        lines={3}
        isCode
      />
      <Preview pattern={pattern} folders={form.values.watch} />
      <div>
        <Button kind="quiet" icon={Trash2} isDisabled={isLocked} onPress={onRemove}>
          {t('settings.removePattern')}
        </Button>
      </div>
    </fieldset>
  );
}

/** A template or, for experts, a regular expression. */
function PatternText({ pattern, place, form, onChange }: PatternProps): ReactNode {
  const { t } = useTranslation();
  const { template, expression, ...rest } = pattern;
  const way = expression === undefined ? 'template' : 'expression';
  return (
    <>
      <SelectField
        label={t('settings.patternWay')}
        {...form.field(`${place}.${way}`)}
        error={undefined}
        value={way}
        choices={(['template', 'expression'] as const).map((id) => ({
          id,
          label: t(`settings.patternWays.${id}`),
        }))}
        onChange={(next) =>
          onChange({ ...rest, ...(next === 'template' ? { template: '' } : { expression: '' }) })
        }
      />
      <TextField
        label={t(`settings.patternWays.${way}`)}
        {...form.field(`${place}.${way}`, t(`settings.patternWayHelp.${way}`))}
        value={template ?? expression ?? ''}
        onChange={(text) => onChange({ ...rest, [way]: text })}
        isCode
      />
    </>
  );
}

/** Date order, the clock that the times come from, and the folder it applies to. */
function PatternClock({ pattern, place, form, onChange }: PatternProps): ReactNode {
  const { t } = useTranslation();
  const { folder, ...rest } = pattern;
  const clocks = [...new Set(['local', 'utc', pattern.clock])];
  const folders = form.values.watch.map(({ path }) => ({ id: path, label: path }));
  return (
    <div className="pair">
      <SelectField
        label={t('settings.dateOrder')}
        {...form.field(`${place}.dateOrder`, t('settings.dateOrderHelp'))}
        value={pattern.dateOrder}
        choices={dateOrders.map((id) => ({ id, label: t(`settings.dateOrders.${id}`) }))}
        onChange={(dateOrder) => onChange({ ...pattern, dateOrder })}
      />
      <SelectField
        label={t('settings.patternClock')}
        {...form.field(`${place}.clock`)}
        value={pattern.clock}
        choices={clocks.map((id) => ({
          id,
          label: id === 'local' || id === 'utc' ? t(`settings.patternClocks.${id}`) : id,
        }))}
        onChange={(clock) => onChange({ ...pattern, clock })}
      />
      <SelectField
        label={t('settings.epoch')}
        {...form.field(`${place}.epoch`)}
        value={pattern.epoch}
        choices={epochUnits.map((id) => ({ id, label: t(`settings.epochs.${id}`) }))}
        onChange={(epoch) => onChange({ ...pattern, epoch })}
      />
      <SelectField
        label={t('settings.patternFolder')}
        {...form.field(`${place}.folder`)}
        value={folder ?? ''}
        choices={[{ id: '', label: t('settings.patternAllFolders') }, ...folders]}
        onChange={(path) => onChange({ ...rest, ...(path !== '' && { folder: path }) })}
      />
    </div>
  );
}

/** What the pattern reads from its samples, and what it would change in a folder. */
function Preview({
  pattern,
  folders,
}: {
  readonly pattern: PatternSettings;
  readonly folders: readonly WatchSettings[];
}): ReactNode {
  const { t } = useTranslation();
  const samples = pattern.samples.filter((sample) => sample.trim() !== '');
  const known = folders.filter(({ path }) => path !== '');
  const watch = known.find(({ path }) => path === pattern.folder) ??
    known[0] ?? { ...newWatchedFolder, path: '/' };
  const isReady = samples.length > 0 && (pattern.template ?? pattern.expression ?? '') !== '';
  const input = { pattern: { ...pattern, samples }, watch };
  const { data, error } = useRead('names.preview', input, { isEnabled: isReady });
  if (!isReady) return <p className="dim">{t('settings.patternNeeds')}</p>;
  if (error !== null) return <FailurePanel failure={error.failure} />;
  if (data === undefined) return null;
  const { looked, different, examples, problem } = data;
  return (
    <section role="status" aria-label={t('settings.patternPreview')} className={styles['block']}>
      {problem === undefined ? null : (
        <p className="warning">
          <span aria-hidden>! </span>
          {t('settings.patternProblem', { problem })}
        </p>
      )}
      <ul className={styles['samples']}>
        {data.samples.map((sample, index) => (
          // Two samples may have the same text
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <SampleView sample={sample} />
          </li>
        ))}
      </ul>
      {looked === 0 ? null : <p>{t('settings.patternDifferent', { different, looked })}</p>}
      {examples.length === 0 ? null : (
        <ul className="dim">
          {examples.map((path) => (
            <li key={path} className="ltr">
              <SafeName name={path} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A name with its parts marked, and the time derived from it. */
function SampleView({ sample }: { readonly sample: PatternSample }): ReactNode {
  const { t } = useTranslation();
  const { name, parts, fits, reading, local } = sample;
  const pieces = parts.map(({ kind, from, to }, index) => ({
    kind,
    from,
    to,
    before: parts[index - 1]?.to ?? 0,
  }));
  return (
    <>
      <code className={`ltr breakable ${styles['sample']}`}>
        {pieces.map(({ kind, from, to, before }) => (
          <span key={from}>
            {name.slice(before, from)}
            <mark data-kind={kind} title={t(`settings.patternParts.${kind}`)}>
              {name.slice(from, to)}
            </mark>
          </span>
        ))}
        {name.slice(parts.at(-1)?.to ?? 0)}
      </code>
      {fits === 'yes' ? (
        <p>
          <span aria-hidden>✓ </span>
          {reading?.cameraName === undefined
            ? t('settings.patternNoCamera')
            : t('settings.patternCamera', { camera: reading.cameraName })}{' '}
          {local === undefined ? t('names.noTime') : t('settings.patternLocal', { local })}{' '}
          {reading?.startedAt === undefined ? null : <TimeText value={reading.startedAt.at} both />}
        </p>
      ) : (
        <p className="warning">
          <span aria-hidden>! </span>
          {t(fits === 'no' ? 'settings.patternNoFit' : 'settings.patternNoTime')}
        </p>
      )}
    </>
  );
}
