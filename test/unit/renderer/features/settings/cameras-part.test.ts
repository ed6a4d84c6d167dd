import { expect, it } from 'vitest';
import { readCameras } from '../../../../../renderer/features/settings/cameras-part.tsx';
import { readCsv } from '../../../../../renderer/format/read-csv.ts';
import type { CameraSettings } from '../../../../../shared/domain/naming-settings.ts';

function read(text: string, listed: readonly CameraSettings[] = []) {
  const table = readCsv(new TextEncoder().encode(text));
  if (!table.ok) throw new Error(table.error.kind);
  return readCameras(table.value, listed);
}

it('adds and changes cameras by their match, and keeps what the table does not say', () => {
  const listed = [{ match: 'gate 4', by: 'any', cameraName: 'Old', measuredBy: 'Ada' }] as const;
  const table =
    'Match;Camera ID;camera_name;Latitude;longitude\nGate 4;C4;North;51,5;-0,2\nNVR/7;C7;South;;\n';
  expect(read(table, listed)).toEqual({
    cameras: [
      {
        match: 'Gate 4',
        by: 'any',
        cameraId: 'C4',
        cameraName: 'North',
        latitude: 51.5,
        longitude: -0.2,
        measuredBy: 'Ada',
      },
      { match: 'NVR/7', by: 'any', cameraId: 'C7', cameraName: 'South' },
    ],
    added: 1,
    changed: 1,
    refused: [],
  });
});

it('counts each camera once, however often the table has it', () => {
  const listed = [{ match: 'gate 4', by: 'any' }] as const;
  const table = 'match,camera_name\nNew,A\nnew,B\nGate 4,C\nGate 4,D\n';
  expect(read(table, listed)).toMatchObject({ added: 1, changed: 1, refused: [] });
});

it('refuses rows one by one, and says which column is wrong', () => {
  const table =
    'match,by,latitude,camera_name\n,any,,A\nB,nothing,,B\nC,any,91,C\nD,any,north,D\nE,mac,1,E\n';
  const found = read(table);
  expect(found?.refused).toEqual([
    { row: 2, column: 'match' },
    { row: 3, column: 'by' },
    { row: 4, column: 'latitude' },
    { row: 5, column: 'latitude' },
  ]);
  expect(found?.cameras.map(({ match }) => match)).toEqual(['E']);
});

it('reads nothing of a table without a column to match by', () => {
  expect(read('camera_id,camera_name\n1,2\n')).toBeUndefined();
});
