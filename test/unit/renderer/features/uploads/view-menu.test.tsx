import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { uploadsSearchSchema } from '../../../../../renderer/features/uploads/uploads-search.ts';
import { ViewMenu } from '../../../../../renderer/features/uploads/view-menu.tsx';
import { showPart } from '../../show-part.tsx';

async function openMenu() {
  const changes: unknown[] = [];
  const search = uploadsSearchSchema.parse({ state: 'failed', open: true });
  const part = await showPart(<ViewMenu search={search} change={(change) => changes.push(change)} />);
  await part.user.click(screen.getByRole('button', { name: /^View/ }));
  const names = () => part.services.preferences.getState().views.map(({ name }) => name);
  return { ...part, changes, names, menu: within(await screen.findByRole('dialog', { name: 'View' })) };
}

it('a view is saved by Enter, and shown by its name, which closes the menu', async () => {
  const { user, menu, names, changes } = await openMenu();
  await user.type(menu.getByLabelText('Name for this view'), ' Night {Enter}');
  expect(names()).toEqual(['Night']);
  await user.click(menu.getByRole('button', { name: 'Night' }));
  expect(changes).toEqual([expect.objectContaining({ state: 'failed', open: true, turned: [] })]);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'View' })).toBeNull());
});

it('a deleted view comes back by Undo, beside one that was saved meanwhile', async () => {
  const { user, menu, names, services } = await openMenu();
  const field = menu.getByLabelText('Name for this view');
  await user.type(field, 'Night{Enter}');
  await user.click(menu.getByRole('button', { name: 'Delete the view Night' }));
  expect(names()).toEqual([]);
  await user.type(field, 'Day{Enter}');
  services.notices.getState().toasts[0]?.undo?.();
  expect(names()).toEqual(['Day', 'Night']);
});

it('a view that is saved under the name of another one replaces it, and Undo brings that back', async () => {
  const { user, menu, services } = await openMenu();
  const states = () => services.preferences.getState().views.map(({ search: { state } }) => state);
  act(() => services.preferences.getState().set({ views: [{ name: 'Night', search: { state: 'held' } }] }));
  await user.type(menu.getByLabelText('Name for this view'), 'Night{Enter}');
  expect(states()).toEqual(['failed']);
  const [notice] = services.notices.getState().toasts;
  expect(notice?.text).toBe('View replaced: Night');
  act(() => notice?.undo?.());
  expect(states()).toEqual(['held']);
});
