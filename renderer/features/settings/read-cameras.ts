import { MOST_CAMERAS, namingFields, type CameraSettings } from '../../../shared/domain/naming-settings.ts';
import type { CsvTable } from '../../format/read-csv.ts';

/** Headings of `cameras.csv`, and what they are in the settings. */
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
const numbers: ReadonlySet<keyof CameraSettings> = new Set(['latitude', 'longitude', 'clockOffsetSeconds']);

/** What a table makes of the list of cameras. */
export interface ReadCameras {
  readonly cameras: CameraSettings[];
  readonly added: number;
  readonly changed: number;
  /** Rows that were not taken, as spreadsheets count, and the column that is wrong. */
  readonly refused: readonly { readonly row: number; readonly column: string }[];
}

const camera = namingFields.cameras.unwrap().element;
const keyOf = ({ match, by, folder }: CameraSettings): string =>
  JSON.stringify([match.trim().toLowerCase(), by, folder]);

/** Reads `cameras.csv`; undefined when it has no column `match`. A camera that is listed already is changed in its place. */
export function readCameras(table: CsvTable, listed: readonly CameraSettings[]): ReadCameras | undefined {
  const fields = table.headings.map(
    (heading) => columns[heading.trim().toLowerCase().replaceAll(/[ -]+/g, '_')],
  );
  if (!fields.includes('match')) return undefined;
  const cameras = new Map(listed.map((each) => [keyOf(each), each]));
  const refused: { row: number; column: string }[] = [];
  let added = 0;
  let changed = 0;
  for (const { number, cells } of table.rows) {
    const entries = fields.flatMap((field, index): [string, string | number][] => {
      const text = cells[index]?.trim() ?? '';
      if (field === undefined || text === '') return [];
      return [[field, numbers.has(field) ? Number(text.replace(',', '.')) : text]];
    });
    const read = camera.safeParse(Object.fromEntries(entries));
    const key = read.success ? keyOf(read.data) : '';
    const isKnown = cameras.has(key);
    if (!read.success || (!isKnown && cameras.size >= MOST_CAMERAS)) {
      refused.push({ row: number, column: String(read.error?.issues[0]?.path[0] ?? '') });
      continue;
    }
    if (isKnown) changed += 1;
    else added += 1;
    cameras.set(key, { ...cameras.get(key), ...read.data });
  }
  return { cameras: [...cameras.values()], added, changed, refused };
}

/** Headings that a table may have. */
export const cameraColumns: readonly string[] = Object.keys(columns).filter((name) => name !== 'description');
