import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CreateUser } from '../../../../../renderer/features/users/users-screen.tsx';
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

/** What is read out beside a field. */
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
  });
});
