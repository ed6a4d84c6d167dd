import { expect, it } from 'vitest';
import { readDrop, type DroppedItem } from '../../../../renderer/app/read-drop.ts';

const item = (name: string, isDirectory: boolean | undefined, kind = 'file'): DroppedItem => ({
  kind,
  getAsFile: () => (kind === 'file' ? new File([], name) : null),
  webkitGetAsEntry: () => (isDirectory === undefined ? null : { isDirectory }),
});

it('tells folders from files, and leaves out what is neither', () => {
  const drop = readDrop([
    item('Gate 4', true),
    item('clip.mp4', false),
    item('text', undefined, 'string'),
    item('Gate 5', true),
    item('from an archive', undefined),
  ]);
  expect(drop.folders.map(({ name }) => name)).toEqual(['Gate 4', 'Gate 5']);
  expect(drop.files).toBe(2);
});
