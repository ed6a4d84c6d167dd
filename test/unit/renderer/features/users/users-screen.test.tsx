import { act, cleanup, renderHook, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { BulkBar, useMarks } from '../../../../../renderer/features/users/bulk-bar.tsx';
import { CreateUser } from '../../../../../renderer/features/users/users-screen.tsx';
import { UserList } from '../../../../../renderer/features/users/user-list.tsx';
import { usersSearchSchema } from '../../../../../renderer/features/users/users-search.ts';
import { useBatch } from '../../../../../renderer/features/users/run-batch.ts';
import { UserInspector } from '../../../../../renderer/features/users/user-inspector.tsx';
import { ok } from '../../../../../shared/lib/result.ts';
import { showPart, type Answers } from '../../show-part.tsx';

const password = 'aB3dE6gH9kLm';
const creates: Answers = {
  'users.create': ({ user }) => ({
    user: { id: 'u-1', isActive: true, ...Object(user) },
    wasExisting: false,
    ...(user.loginType === 'DEVICE' ? {} : { temporaryPassword: password }),
    keptFields: [],
  }),
};

async function openForm(answers: Answers = creates) {
  const part = await showPart(<CreateUser />, answers);
  await part.user.click(screen.getByRole('button', { name: /Create user/ }));
  const form = within(await screen.findByRole('dialog', { name: 'Create a user' }));
  return { ...part, form };
}

/** The text that a screen reader reads with a field. */
const descriptionsOf = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.querySelector(`[id="${id}"]`)?.textContent);

describe('the form of a new user', () => {
  it('registers a device, with the fields that a device has', async () => {
    const { user, form, asked } = await openForm();
    await user.click(form.getByRole('radio', { name: 'Device' }));
    expect(form.queryByLabelText('First name')).toBeNull();
    expect(form.queryByText('Send an SMS invitation')).toBeNull();
    await user.type(form.getByLabelText('Device name'), 'Kiosk 9');
    await user.type(form.getByLabelText('Device ID'), 'KB-KI-9999');
    await user.click(form.getByRole('button', { name: /Role/ }));
    await user.click(await screen.findByRole('option', { name: 'Staff' }));
    await user.click(form.getByRole('button', { name: 'Create' }));
    const told = within(await screen.findByRole('dialog', { name: 'Kiosk 9 was created' }));
    expect(told.getByText(/Devices have no password\./)).toBeDefined();
    await user.click(told.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(asked('users.create')).toEqual([
      { user: expect.objectContaining({ loginType: 'DEVICE', deviceId: 'KB-KI-9999', role: 'staff' }) },
    ]);
  });

  it('asks for what is missing at its fields, and the agent for nothing', async () => {
    const { user, form, asked } = await openForm();
    await user.click(form.getByRole('button', { name: 'Create' }));
    expect(form.getAllByText('Required.')).toHaveLength(3);
    await user.click(form.getByRole('radio', { name: 'Device' }));
    expect(form.getAllByText('Required.').length).toBeGreaterThan(0);
    expect(asked('users.create')).toEqual([]);
  });

  it('asks before Escape throws away what was typed, and closes at once when nothing was', async () => {
    const { user, form } = await openForm();
    await user.type(form.getByLabelText('First name'), 'Ada');
    await user.keyboard('{Escape}');
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(form.getByLabelText('First name')).toHaveProperty('value', 'Ada');
    await user.clear(form.getByLabelText('First name'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says of what the service refused at its field what it was', async () => {
    const failure = {
      code: 'VALIDATION' as const,
      message: 'The service refused it.',
      advice: 'Change it.',
      retryable: false,
      fields: [{ name: 'device_id', text: 'has already been taken' }],
    };
    const { user, form } = await openForm({ 'users.create': () => ({ failure }) });
    await user.click(form.getByRole('radio', { name: 'Device' }));
    await user.type(form.getByLabelText('Device name'), 'Kiosk 9');
    await user.type(form.getByLabelText('Device ID'), 'KB-KI-9999');
    await user.click(form.getByRole('button', { name: /Role/ }));
    await user.click(await screen.findByRole('option', { name: 'Staff' }));
    await user.click(form.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(descriptionsOf(form.getByLabelText('Device ID'))).toContain('Has already been taken.'),
    );
    // Announced at the keyboard focus, the button that was just pressed
    expect(form.getByRole('alert').textContent).toContain('The service refused it.');
  });
});

describe('when a change of a user fails', () => {
  const ada = {
    id: 'u1',
    loginType: 'PHONE_NUMBER',
    firstName: 'Ada',
    lastName: 'L',
    phoneNumber: '+14155550100',
  };
  const failure = {
    code: 'SERVICE_FAULT',
    message: 'It is down.',
    advice: 'Wait.',
    retryable: true,
  } as const;

  /** Shows a user who could be read once, from a service that has failed since. */
  async function showAda() {
    let reads = 0;
    const fails = () => ({ failure });
    return showPart(<UserInspector userId="u1" onDeleted={() => undefined} />, {
      'users.get': () => ((reads += 1) === 1 ? ada : { failure }),
      'users.update': fails,
      'users.remove': fails,
    });
  }

  it('what was typed stays, although the user cannot be read again', async () => {
    const { user, asked } = await showAda();
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const form = within(await screen.findByRole('dialog', { name: 'Edit Ada L' }));
    await user.type(form.getByLabelText('First name'), ' Byron');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.getAllByText('It is down.')).toHaveLength(2));
    expect(asked('users.get')).toHaveLength(2);
    expect(form.getByLabelText('First name')).toHaveProperty('value', 'Ada Byron');
  });

  it.each(['Deactivate', 'Delete'])(
    'by %s, the user is read again: somebody else may have been first',
    async (name) => {
      const { user, asked } = await showAda();
      await user.click(await screen.findByRole('button', { name }));
      if (name === 'Delete') {
        const dialog = within(await screen.findByRole('alertdialog'));
        await user.type(dialog.getByRole('textbox'), 'Ada L');
        await user.click(dialog.getByRole('button', { name }));
      }
      await waitFor(() => expect(asked('users.get')).toHaveLength(2));
    },
  );
});

it('says of each marked user why the change failed, in the language of the agent', async () => {
  const failure = {
    code: 'NOT_FOUND',
    message: 'It is gone.',
    advice: 'Refresh.',
    retryable: false,
  } as const;
  const users = [{ id: 1, isActive: true }];
  const marks = { ...renderHook(() => useMarks('', users)).result.current, users };
  const { user } = await showPart(<BulkBar marks={marks} />, { 'users.update': () => ({ failure }) });
  await user.click(screen.getByRole('button', { name: 'Deactivate selected' }));
  expect((await screen.findByText('It is gone. Refresh.')).lang).toBe('en');
});

describe('undoing a change of users', () => {
  const marked = [
    { id: 1, isActive: true, role: 'member' },
    { id: 2, isActive: false, role: 'staff' },
    { id: 3 },
  ];
  const updates: Answers = { 'users.update': ({ userId, changes }) => ({ id: userId, ...Object(changes) }) };
  const marks = (users: typeof marked) => ({
    ...renderHook(() => useMarks('', users)).result.current,
    users,
  });

  it.each([
    ['Deactivate selected', undefined, { isActive: true }],
    ['Change role', 'Staff', { role: 'member' }],
  ])('by %s leaves alone whose value was not known or stayed', async (button, choice, changes) => {
    const { user, services, asked } = await showPart(<BulkBar marks={marks(marked)} />, updates);
    await user.click(screen.getByRole('button', { name: new RegExp(button) }));
    if (choice !== undefined) await user.click(await screen.findByRole('menuitem', { name: choice }));
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(1));
    expect(asked('users.update')).toHaveLength(3);
    act(() => services.notices.getState().toasts[0]?.undo?.());
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(2));
    expect(asked('users.update').slice(3)).toEqual([{ userId: 1, changes }]);
  });

  it('is offered for one user only if it is known whether they had access', async () => {
    const known = { id: 'u1', isActive: true };
    const show = async (one: object) => {
      const part = await showPart(<UserInspector userId="u1" onDeleted={() => undefined} />, {
        ...updates,
        'users.get': () => ({ id: 'u1', ...one }),
      });
      await part.user.click(await screen.findByRole('button', { name: 'Deactivate' }));
      await waitFor(() => expect(part.services.notices.getState().toasts).toHaveLength(1));
      cleanup();
      return { ...part, undo: part.services.notices.getState().toasts[0]?.undo };
    };
    expect((await show({})).undo).toBeUndefined();
    const { undo, asked } = await show(known);
    act(() => undo?.());
    await waitFor(() =>
      expect(asked('users.update').at(-1)).toEqual({ userId: 'u1', changes: { isActive: true } }),
    );
  });
});

it('the list is sorted without its headings, which only a pointer reaches', async () => {
  const changes: unknown[] = [];
  const search = usersSearchSchema.parse({});
  const refetch = vi.fn<Parameters<typeof UserList>[0]['team']['refetch']>();
  const team = { data: { users: [], pages: 1, pagesRead: 1 }, error: null, refetch };
  const change = (next: unknown): void => void changes.push(next);
  const { user } = await showPart(<UserList team={team} search={search} change={change} />);
  await user.tab();
  expect(document.activeElement?.textContent).toContain('Name');
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('option', { name: 'Updated' }));
  await user.click(screen.getByRole('button', { name: 'A to Z' }));
  expect(changes).toEqual([
    { sort: 'updated', order: 'descending' },
    { sort: 'name', order: 'descending' },
  ]);
});

it('marked users are changed by what the list says now, and nobody is who has left it', () => {
  const member = { id: 1, role: 'member' };
  const both = [member, { id: 'gone' }];
  const { result, rerender } = renderHook(({ listed }) => useMarks('', listed), {
    initialProps: { listed: both },
  });
  act(() => result.current.toggleAll(both));
  expect(result.current.users).toEqual(both);
  rerender({
    listed: [
      { ...member, role: 'supervisor' },
      { id: 2, role: 'member' },
    ],
  });
  expect(result.current.users).toEqual([{ id: 1, role: 'supervisor' }]);
  expect([...result.current.ids]).toEqual(['1']);
  act(() => result.current.toggle(member));
  expect(result.current.users).toEqual([]);
});

it('the details of a user make way at once for those of the next, however slow the service is', async () => {
  const never = new Promise<never>(() => undefined);
  const userOf = (id: unknown) => ({ id: String(id), firstName: 'Ada', isActive: true });
  function Chosen() {
    const [userId, choose] = useState('u-1');
    return (
      <>
        <button onClick={() => choose('u-2')}>Next</button>
        <UserInspector userId={userId} onDeleted={() => undefined} />
      </>
    );
  }
  const { user } = await showPart(<Chosen />, {
    'users.get': ({ userId }) => (userId === 'u-1' ? userOf(userId) : never),
  });
  expect(await screen.findByRole('heading', { name: 'Ada' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.queryByRole('heading', { name: 'Ada' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Deactivate/ })).toBeNull();
});

it('a run that is started during another one follows it, unless that is stopped', async () => {
  const ends: (() => void)[] = [];
  const asked: number[] = [];
  const acts = (item: number) => {
    asked.push(item);
    return new Promise<ReturnType<typeof ok<number>>>((resolve) => void ends.push(() => resolve(ok(item))));
  };
  const { result } = renderHook(() => useBatch(acts, () => undefined));
  const endNext = () => act(async () => ends.shift()?.());
  act(() => result.current.start([1]));
  act(() => result.current.start([2]));
  expect(asked).toEqual([1]);
  await endNext();
  expect(asked).toEqual([1, 2]);
  act(() => result.current.start([3]));
  act(() => result.current.cancel());
  await endNext();
  expect(asked).toEqual([1, 2]);
});
