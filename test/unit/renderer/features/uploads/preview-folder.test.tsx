import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PreviewFolder } from '../../../../../renderer/features/uploads/preview-folder.tsx';
import { showPart } from '../../show-part.tsx';

const previewOf = (isCut: boolean) => ({
  folder: '/exports/Gate 4',
  title: 'Gate 4',
  totalBytes: 1,
  clips: [{ file: 'cam1.mp4', sizeBytes: 1, duplicates: [], origins: [] }],
  origins: [],
  skipped: [],
  warnings: [],
  isCut,
});

it.each([
  [false, 'Send 1 clip'],
  [true, 'Send the folder'],
])('a preview that stopped early (%s) does not count what will be sent: %s', async (isCut, name) => {
  const nothing = (): void => undefined;
  await showPart(<PreviewFolder folder="/exports/Gate 4" leave={null} onSent={nothing} onClose={nothing} />, {
    'exports.preview': () => previewOf(isCut),
  });
  expect(await screen.findByRole('button', { name })).toBeDefined();
});
