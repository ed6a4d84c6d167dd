import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  AddFolder,
  ArrivedFolders,
  PreviewFolder,
} from '../../../../../renderer/features/uploads/preview-folder.tsx';
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

it('a dropped folder that is left by Escape is named, and Undo looks at it again', async () => {
  const folder = '/exports/Gate 4';
  const { user, services } = await showPart(<ArrivedFolders />, {
    'exports.preview': () => previewOf(false),
  });
  act(() => services.arrivals.addFolders([folder]));
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  expect(services.arrivals.getState().folders).toEqual([]);
  const [notice] = services.notices.getState().toasts;
  expect(notice?.text).toBe(`Skipped, nothing was sent: ${folder}`);
  act(() => notice?.undo?.());
  expect(services.arrivals.getState().folders).toEqual([folder]);
});

it('a path is looked at once it is typed, and what is wrong with it stands at its field', async () => {
  const failure = {
    code: 'ROOT_MISSING',
    message: 'Not found.',
    advice: 'Check the path.',
    retryable: false,
  } as const;
  const root = { path: '/', folders: [], isCut: false };
  const { user, asked } = await showPart(<AddFolder />, {
    'folders.list': ({ path }) => (path === undefined ? root : { failure }),
  });
  await user.click(screen.getByRole('button', { name: 'Add folder' }));
  const field = await screen.findByLabelText('Folder');
  await user.type(field, '/exp');
  expect(screen.queryByText(/Not found/)).toBeNull();
  await waitFor(() => expect(screen.getByText('Not found. Check the path.')).toBeDefined());
  expect(asked('folders.list').filter((input) => JSON.stringify(input) !== '{}')).toEqual([{ path: '/exp' }]);
  expect(screen.queryByRole('region', { name: 'What went wrong' })).toBeNull();
});
