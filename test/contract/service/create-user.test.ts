import { describe, expect, it } from 'vitest';
import { newUserSchema } from '../../../shared/domain/team-user.ts';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

let count = 0;
/** A user with a phone number that is not in use. */
const phone = () => {
  count += 1;
  return {
    loginType: 'PHONE_NUMBER' as const,
    phoneNumber: `+4930901820${String(count).padStart(2, '0')}`,
    firstName: 'Jürgen',
    lastName: 'Weiß',
  };
};
/** A device that is not in use. */
const device = () => {
  count += 1;
  return { loginType: 'DEVICE' as const, deviceId: `GATE-${count}`, name: `Tablet ${count}` };
};

/** Creates the user and returns the body that the service received. */
async function create(user: object): Promise<Record<string, unknown>> {
  await valueOf(desk().team.users.create(newUserSchema.parse(user), going));
  return { ...Object(desk().lastRequest().body) };
}
const refused = (user: object) => () => newUserSchema.parse(user);
const stored = () => desk().simulator.team().users.at(-1);

describe('12. Create User', () => {
  it('12 | address | POST /users', async () => {
    await create(phone());
    const request = { method: 'POST', path: '/v1/users', search: '', status: 201 };
    expect(desk().lastRequest()).toMatchObject(request);
  });

  it('12 | login_type | required, PHONE_NUMBER or DEVICE', async () => {
    expect(await create(phone())).toMatchObject({ login_type: 'PHONE_NUMBER' });
    expect(await create(device())).toMatchObject({ login_type: 'DEVICE' });
    expect(refused({ ...device(), loginType: 'EMAIL' })).toThrow(/loginType/);
  });

  it('12 | name | required for DEVICE, device name', async () => {
    expect(await create({ ...device(), name: 'Tablet of gate 4' })).toMatchObject({
      name: 'Tablet of gate 4',
    });
    expect(refused({ ...device(), name: undefined })).toThrow(/name/);
    expect(await create(phone())).not.toHaveProperty('name');
  });

  it('12 | first_name | required for PHONE_NUMBER', async () => {
    expect(await create(phone())).toMatchObject({ first_name: 'Jürgen' });
    expect(refused({ ...phone(), firstName: undefined })).toThrow(/firstName/);
    expect(await create(device())).not.toHaveProperty('first_name');
  });

  it('12 | last_name | required for PHONE_NUMBER', async () => {
    expect(await create(phone())).toMatchObject({ last_name: 'Weiß' });
    expect(refused({ ...phone(), lastName: undefined })).toThrow(/lastName/);
    expect(await create(device())).not.toHaveProperty('last_name');
  });

  it('12 | phone_number | required for PHONE_NUMBER, begins with + and country code', async () => {
    const user = phone();
    expect(await create(user)).toMatchObject({ phone_number: user.phoneNumber });
    for (const phoneNumber of [undefined, '0301234567', '+49 30 1234567', '+49-30', '49301234567']) {
      expect(refused({ ...phone(), phoneNumber }), phoneNumber).toThrow(/phoneNumber/);
    }
  });

  it('12 | device_id | required for DEVICE, unique device identifier', async () => {
    const user = device();
    expect(await create(user)).toMatchObject({ device_id: user.deviceId });
    expect(refused({ ...device(), deviceId: undefined })).toThrow(/deviceId/);
    expect(await create(phone())).not.toHaveProperty('device_id');
  });

  it('12 | role | optional, default member: admin, supervisor, member, staff', async () => {
    expect((await create(phone()))['role'] ?? 'member').toBe('member');
    expect(stored()?.role).toBe('member');
    for (const role of ['admin', 'supervisor', 'member', 'staff']) {
      expect(await create({ ...phone(), role })).toMatchObject({ role });
    }
    expect(refused({ ...phone(), role: 'owner' })).toThrow(/role/);
  });

  it('12 | is_active | optional, default true; when false the user cannot log in', async () => {
    expect((await create(phone()))['is_active'] ?? true).toBe(true);
    expect(await create({ ...phone(), isActive: false })).toMatchObject({ is_active: false });
  });

  it('12 | send_invitation | optional, default false; when true an SMS is sent', async () => {
    const before = desk().simulator.invitations().length;
    expect((await create(phone()))['send_invitation'] ?? false).toBe(false);
    expect(desk().simulator.invitations()).toHaveLength(before);
    const user = { ...phone(), sendInvitation: true };
    expect(await create(user)).toMatchObject({ send_invitation: true });
    expect(desk().simulator.invitations().at(-1)?.phoneNumber).toBe(user.phoneNumber);
  });

  it('12 | send_invitation | PHONE_NUMBER users only', async () => {
    expect(refused({ ...device(), sendInvitation: true })).toThrow(/sendInvitation/);
    expect(await create(device())).not.toHaveProperty('send_invitation');
  });

  it('12 | existing user | is added to the team, first and last name left unchanged', async () => {
    const outsider = desk()
      .simulator.team()
      .outsiders.find((user) => user.login_type === 'PHONE_NUMBER');
    if (outsider?.login_type !== 'PHONE_NUMBER') throw new Error('There is no outsider');
    const asked = { ...phone(), phoneNumber: outsider.phone_number, firstName: 'Another' };
    const created = await valueOf(desk().team.users.create(asked, going));
    expect(created).toMatchObject({ wasExisting: true, user: { firstName: outsider.first_name } });
    expect(created).not.toHaveProperty('temporaryPassword');
    expect(created.keptFields).toContainEqual({
      name: 'firstName',
      asked: 'Another',
      kept: outsider.first_name,
    });
    expect(stored()?.id).toBe(outsider.id);
  });

  it('12 | existing device | is added to the team, its name left unchanged', async () => {
    const outsider = desk()
      .simulator.team()
      .outsiders.find((user) => user.login_type === 'DEVICE');
    if (outsider?.login_type !== 'DEVICE') throw new Error('There is no outsider');
    const asked = { ...device(), deviceId: outsider.device_id ?? '', name: 'Another' };
    const created = await valueOf(desk().team.users.create(asked, going));
    expect(created).toMatchObject({ wasExisting: true, user: { name: outsider.name } });
  });

  it('12 | 201 | same body as Get Specified User', async () => {
    const created = await valueOf(desk().team.users.create(phone(), going));
    expect(desk().lastRequest().status).toBe(201);
    expect(created).toMatchObject({ wasExisting: false, temporaryPassword: expect.stringMatching(/.{8}/) });
    expect(created.user).toEqual(await valueOf(desk().team.users.get(created.user.id, going)));
  });
});

describe('User activity', () => {
  it('User activity | none to active | Create User with is_active omitted or true', async () => {
    for (const isActive of [undefined, true]) {
      const user = newUserSchema.parse({ ...phone(), ...(isActive === undefined ? {} : { isActive }) });
      const created = await valueOf(desk().team.users.create(user, going));
      expect(created.user.isActive).toBe(true);
      expect(stored()?.is_active).toBe(true);
    }
  });

  it('User activity | none to inactive | Create User with is_active false', async () => {
    const created = await valueOf(desk().team.users.create({ ...phone(), isActive: false }, going));
    expect(created.user.isActive).toBe(false);
    expect(stored()?.is_active).toBe(false);
  });
});

describe('Errors of creating', () => {
  it('Errors | user creation | a failure returns status and message', async () => {
    desk().answerNext({ status: 409, message: 'The team is full' }, 409);
    const failure = await errorOf(desk().team.users.create(phone(), going));
    expect(failure).toMatchObject({ status: 409 });
    expect(failure.detail).toBe('The team is full');
  });

  it('Errors | user creation | 422, a string that begins with Validation failed', async () => {
    const message = "Validation failed: Phone number has already been taken, First name can't be blank";
    desk().answerNext({ status: 422, message }, 422);
    const failure = await errorOf(desk().team.users.create(phone(), going));
    expect(failure).toMatchObject({ code: 'VALIDATION', status: 422, detail: message });
    expect(failure.fields?.map(({ name }) => name)).toEqual(['phone_number', 'first_name']);
  });
});
