import { Plus, Trash2, Upload } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import {
  cameraKeys,
  MOST_CAMERAS,
  type CameraSettings,
  namingFields,
} from '../../../shared/domain/naming-settings.ts';
import { readCsvFile, type CsvTable } from '../../format/read-csv.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusKept } from '../../ui/dialog.tsx';
import { TextField, type FieldProps } from '../../ui/fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EmptyState, FailurePanel } from '../../ui/states.tsx';
import styles from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';

/** Headings of `cameras.csv`, with the settings they stand for. */
const columns: Readonly<Record<string, keyof CameraSettings>> = {
  match: 'match',
  by: 'by',
  folder: 'folder',
  camera_id: 'cameraId',
  camera_name: 'cameraName',
  camera_description: 'description',
  description: 'description',
  latitude: 'latitude',
  longitude: 'longitude',
  clock_offset_seconds: 'clockOffsetSeconds',
  measured_by: 'measuredBy',
  valid_from: 'validFrom',
  valid_to: 'validTo',
};
const numeric: ReadonlySet<keyof CameraSettings> = new Set(['latitude', 'longitude', 'clockOffsetSeconds']);

/** The result of merging a table into the list of cameras. */
interface ReadCameras {
  readonly cameras: CameraSettings[];
  readonly added: number;
  readonly changed: number;
  /** Refused rows, numbered like a spreadsheet, with the invalid column. */
  readonly refused: readonly { readonly row: number; readonly column: string }[];
}

const camera = namingFields.cameras.unwrap().element;
const keyOf = ({ match, by, folder }: CameraSettings): string =>
  JSON.stringify([match.trim().toLowerCase(), by, folder]);

/** Reads `cameras.csv`; undefined when it has no `match` column. A camera already listed is updated in place. */
export function readCameras(table: CsvTable, listed: readonly CameraSettings[]): ReadCameras | undefined {
  const fields = table.headings.map(
    (heading) => columns[heading.trim().toLowerCase().replaceAll(/[ -]+/g, '_')],
  );
  if (!fields.includes('match')) return undefined;
  const known = new Map(listed.map((each) => [keyOf(each), each]));
  const cameras = new Map(known);
  const refused: { row: number; column: string }[] = [];
  for (const { number, cells } of table.rows) {
    const entries = fields.flatMap((field, index): [string, string | number][] => {
      const text = cells[index]?.trim() ?? '';
      if (field === undefined || text === '') return [];
      return [[field, numeric.has(field) ? Number(text.replace(',', '.')) : text]];
    });
    const read = camera.safeParse(Object.fromEntries(entries));
    const key = read.success ? keyOf(read.data) : '';
    const isFull = !cameras.has(key) && cameras.size >= MOST_CAMERAS;
    if (!read.success || isFull)
      refused.push({ row: number, column: String(read.error?.issues[0]?.path[0] ?? '') });
    else cameras.set(key, { ...cameras.get(key), ...read.data });
  }
  const added = cameras.size - known.size;
  const changed = [...known].filter(([key, each]) => cameras.get(key) !== each).length;
  return { cameras: [...cameras.values()], added, changed, refused };
}

/** Headings that a table can have. */
const cameraColumns: readonly string[] = Object.keys(columns).filter((name) => name !== 'description');

/** The cameras of this desk, and those named in clips but not listed yet. */
export function CamerasPart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { cameras } = form.values;
  const isFull = form.isLocked('cameras') || cameras.length >= MOST_CAMERAS;
  const add = useFocusKept<HTMLDivElement>(cameras.length);
  const set = (next: CameraSettings[]): void => form.change({ cameras: next });
  return (
    <>
      <p className="dim">{t('settings.camerasHelp')}</p>
      <Unnamed cameras={cameras} isFull={isFull} onAdd={(camera) => set([...cameras, camera])} />
      {cameras.length === 0 ? <EmptyState title={t('settings.noCameras')} /> : null}
      {cameras.map((camera, index) => (
        <CameraFields
          // Items have no identity but their position: the value to match is being typed
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          camera={camera}
          place={`cameras[${index}]`}
          form={form}
          onChange={(next) => set(cameras.map((each, place) => (place === index ? next : each)))}
          onRemove={() => set(cameras.filter((_, place) => place !== index))}
        />
      ))}
      <div ref={add} className="buttons">
        <Button icon={Plus} isDisabled={isFull} onPress={() => set([...cameras, { match: '', by: 'any' }])}>
          {t('settings.addCamera')}
        </Button>
        <ImportCameras cameras={cameras} isFull={isFull} onRead={set} />
      </div>
    </>
  );
}

/** Reads `cameras.csv` into the form: nothing takes effect until it is saved. */
function ImportCameras({
  cameras,
  isFull,
  onRead,
}: {
  readonly cameras: readonly CameraSettings[];
  readonly isFull: boolean;
  readonly onRead: (cameras: CameraSettings[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [result, setResult] = useState('');
  const open = async (file: File): Promise<void> => {
    const table = await readCsvFile(file);
    const read = table.ok ? readCameras(table.value, cameras) : undefined;
    if (read === undefined)
      return setResult(
        table.ok
          ? t('settings.camerasNoMatch', { columns: cameraColumns.join(', ') })
          : t('settings.camerasUnreadable'),
      );
    onRead(read.cameras);
    const rows = read.refused.map(({ row, column }) => `${row}${column === '' ? '' : ` (${column})`}`);
    const refused = rows.length === 0 ? '' : ` ${t('settings.camerasRefused', { rows: rows.join(', ') })}`;
    setResult(t('settings.camerasRead', { added: read.added, changed: read.changed }) + refused);
  };
  return (
    <>
      <FileTrigger
        acceptedFileTypes={['.csv', '.txt', 'text/csv', 'text/plain']}
        onSelect={(files) => {
          const file = files?.[0];
          if (file !== undefined) void open(file);
        }}
      >
        <Button icon={Upload} isDisabled={isFull}>
          {t('settings.importCameras')}
        </Button>
      </FileTrigger>
      <p role="status">{result}</p>
    </>
  );
}

/** Cameras of the latest clips, each with a button that adds it to the list. */
function Unnamed({
  cameras,
  isFull,
  onAdd,
}: {
  readonly cameras: readonly CameraSettings[];
  readonly isFull: boolean;
  readonly onAdd: (camera: CameraSettings) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useRead('cameras.unnamed', {});
  if (error !== null) return <FailurePanel failure={error.failure} />;
  const listed = new Set(cameras.map(({ match }) => match.toLowerCase()));
  const unnamed = (data?.cameras ?? []).flatMap(({ cameraName, cameraId, clips }) => {
    const match = cameraName ?? cameraId;
    return listed.has(match.toLowerCase()) ? [] : [{ match, clips, id: `${cameraName ?? ''} ${cameraId}` }];
  });
  if (unnamed.length === 0) return null;
  return (
    <section aria-label={t('settings.unnamedCameras')} className={styles['block']}>
      <h3>{t('settings.unnamedCameras')}</h3>
      <ul className={styles['unnamed']}>
        {unnamed.map(({ match, clips, id }) => (
          <li key={id}>
            <SafeName name={match} />
            <span className="dim">{t('settings.unnamedClips', { count: clips })}</span>
            <Button
              kind="quiet"
              icon={Plus}
              isDisabled={isFull}
              aria-label={t('settings.nameCameraOf', { camera: visibleName(match) })}
              onPress={() => onAdd({ match, by: 'any', cameraName: match })}
            >
              {t('settings.nameCamera')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Text fields of a camera, in the order of the form. */
const texts = ['cameraName', 'cameraId', 'description', 'measuredBy', 'validFrom', 'validTo'] as const;
const numbers = ['latitude', 'longitude', 'clockOffsetSeconds'] as const;

/** A camera: how it is matched, and its details. */
function CameraFields({
  camera,
  place,
  form,
  onChange,
  onRemove,
}: {
  readonly camera: CameraSettings;
  /** Path of the setting: `cameras[0]`. */
  readonly place: string;
  readonly form: SettingsForm;
  readonly onChange: (camera: CameraSettings) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const isLocked = form.isLocked('cameras');
  const change = (name: keyof CameraSettings, value: string | number | undefined): void =>
    onChange({ ...camera, [name]: value === '' ? undefined : value });
  return (
    <fieldset className={styles['folder']} disabled={isLocked}>
      <legend>{t('settings.cameraOf', { camera: camera.cameraName ?? camera.match })}</legend>
      <div className="pair">
        <TextField
          label={t('settings.cameraMatch')}
          {...form.field(`${place}.match`, t('settings.cameraMatchHelp'))}
          value={camera.match}
          onChange={(match) => onChange({ ...camera, match })}
        />
        <SelectField
          label={t('settings.cameraBy')}
          {...form.field(`${place}.by`)}
          value={camera.by}
          choices={cameraKeys.map((id) => ({ id, label: t(`settings.cameraKeys.${id}`) }))}
          onChange={(by) => onChange({ ...camera, by })}
        />
        {texts.map((name) => (
          <TextField
            key={name}
            label={t(`settings.cameraField.${name}`)}
            {...form.field(`${place}.${name}`)}
            value={camera[name] ?? ''}
            onChange={(text) => change(name, text)}
          />
        ))}
        {numbers.map((name) => (
          <NumberText
            key={name}
            label={t(`settings.cameraField.${name}`)}
            {...form.field(`${place}.${name}`)}
            value={camera[name]}
            onChange={(number) => change(name, number)}
          />
        ))}
      </div>
      <div>
        <Button kind="quiet" icon={Trash2} isDisabled={isLocked} onPress={onRemove}>
          {t('settings.removeCamera')}
        </Button>
      </div>
    </fieldset>
  );
}

const parsed = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text.replace(',', '.'));

/** An optional number. Text that is not a number yet is kept as typed; saving refuses it. */
export function NumberText({
  value,
  onChange,
  ...field
}: FieldProps & {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}): ReactNode {
  const [typed, setTyped] = useState('');
  const shown = Object.is(parsed(typed), value) ? typed : (value?.toString() ?? '');
  return (
    <TextField
      {...field}
      inputMode="decimal"
      isCode
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(parsed(text));
      }}
    />
  );
}
