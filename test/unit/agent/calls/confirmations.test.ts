import { describe, expect, it } from 'vitest';
import {
  concernedUser,
  confirmationFor,
  needsFacts,
  type DeskFacts,
} from '../../../../electron/agent/calls/confirmations.ts';
import { say } from '../../../helpers/desk-tools.ts';

const desk: DeskFacts = {
  service: { baseUrl: 'https://api.example.com/v1', auth: { scheme: 'bearer' } },
  hasKey: true,
  userName: undefined,
};
const unknown: DeskFacts = { service: undefined, hasKey: undefined, userName: undefined };
const fresh: DeskFacts = {
  service: { baseUrl: undefined, auth: { scheme: 'bearer' } },
  hasKey: false,
  userName: undefined,
};
const save = (change: unknown) => ({ call: 'settings.save', input: { change } });
const create = (user: object) => ({
  call: 'users.create',
  input: {
    user: {
      loginType: 'PHONE_NUMBER',
      firstName: 'Jo',
      lastName: 'Doe',
      phoneNumber: '+14155550100',
      ...user,
    },
  },
});
const update = (changes: object) => ({ call: 'users.update', input: { userId: 7, changes } });
const jo: DeskFacts = {
  ...desk,
  userName: 'Jo Doe',
  access: { phoneNumber: '+14155550100', role: 'member' },
};
const elsewhere = save({ baseUrl: 'https://evil.example/v1' });

/** Requests that need a confirmation and requests that do not: name, request, known facts, the question. */
const table: readonly (readonly [string, unknown, DeskFacts, string | undefined])[] = [
  ['a list of users', { call: 'users.list', input: {} }, desk, undefined],
  ['a new user', { call: 'users.create', input: {} }, desk, undefined],
  ['a user to delete', { call: 'users.remove', input: { userId: 7 } }, desk, 'Delete the user with ID 7?'],
  [
    'a user with a name',
    { call: 'users.remove', input: { userId: 'a' } },
    { ...desk, userName: 'Jo Doe' },
    'Delete Jo Doe?',
  ],
  [
    'a user with a hiding name',
    { call: 'users.remove', input: { userId: 'a' } },
    { ...desk, userName: 'Jo\u202Eeod' },
    'Delete Jo<U+202E>eod?',
  ],
  ['a new member', create({ role: 'member' }), desk, undefined],
  ['a new admin', create({ role: 'admin' }), desk, 'Create an admin who signs in with +14155550100?'],
  [
    'a new admin who is a device with a hiding id',
    {
      call: 'users.create',
      input: { user: { loginType: 'DEVICE', name: 'Gate', deviceId: 'a\u202Eb', role: 'admin' } },
    },
    desk,
    'Create an admin who signs in with a<U+202E>b?',
  ],
  ['another name of a user', update({ firstName: 'Joe', isActive: false }), jo, undefined],
  [
    'another phone number of a user',
    update({ phoneNumber: '+14155550199' }),
    jo,
    'Let +14155550199 sign in as Jo Doe?',
  ],
  ['the same phone number', update({ phoneNumber: '+14155550100', firstName: 'Joe' }), jo, undefined],
  [
    'another device of a user of whom nothing is known',
    update({ deviceId: 'tablet-9' }),
    unknown,
    'Let tablet-9 sign in as the user with ID 7?',
  ],
  ['a user who becomes an admin', update({ role: 'admin' }), jo, 'Make Jo Doe an admin?'],
  ['an admin who stays one', update({ role: 'admin' }), { ...jo, access: { role: 'admin' } }, undefined],
  ['a user who becomes less', update({ role: 'staff' }), jo, undefined],
  [
    'a folder to send',
    { call: 'exports.push', input: { folders: ['/e/Fight'], asEvidence: true } },
    desk,
    undefined,
  ],
  [
    'a program to send',
    { call: 'exports.push', input: { folders: ['/e/Fight'], programs: ['film.exe'] } },
    desk,
    'Send film.exe?',
  ],
  [
    'programs with hiding names',
    { call: 'exports.push', input: { folders: ['/e/Fight'], programs: ['film\u202E4pm.exe', 'b.exe'] } },
    unknown,
    'Send film<U+202E>4pm.exe, b.exe?',
  ],
  ['no user', { call: 'users.remove', input: {} }, desk, undefined],
  ['another service', elsewhere, desk, 'Send the key and the clips to https://evil.example?'],
  [
    'another proxy',
    save({ proxy: { url: 'http://proxy.evil.example:3128', bypass: [] } }),
    { ...desk, service: { auth: { scheme: 'bearer' }, proxy: { url: 'http://proxy.example', bypass: [] } } },
    'Send everything through the proxy http://proxy.evil.example:3128?',
  ],
  [
    'the same proxy with another exception',
    save({ proxy: { url: 'http://proxy.example', bypass: ['x.example'] } }),
    { ...desk, service: { auth: { scheme: 'bearer' }, proxy: { url: 'http://proxy.example', bypass: [] } } },
    undefined,
  ],
  ['no proxy', save({ proxy: { url: 'none', bypass: [] } }), desk, undefined],
  [
    'a proxy before there is a key',
    save({ proxy: { url: 'http://p.example', bypass: [] } }),
    fresh,
    undefined,
  ],
  [
    'another path of the same host',
    save({ baseUrl: 'https://api.example.com/v2' }),
    desk,
    'Send the key and the clips to https://api.example.com?',
  ],
  [
    'a look-alike host',
    save({ baseUrl: 'https://аpi.example.com/v1' }),
    desk,
    'Send the key and the clips to https://xn--pi-6kc.example.com?',
  ],
  [
    'a user name in the address',
    save({ baseUrl: 'https://api.example.com@evil.example/' }),
    desk,
    'Send the key and the clips to https://evil.example?',
  ],
  ['no address at all', save({ baseUrl: 'no\naddress' }), desk, 'Send the key and the clips to no␊address?'],
  ['the same service', save({ baseUrl: 'https://api.example.com/v1' }), desk, undefined],
  [
    'another way to show the key',
    save({ auth: { scheme: 'query', name: 'k' } }),
    desk,
    'Change how the key is sent to https://api.example.com?',
  ],
  ['the same way', save({ auth: { scheme: 'bearer' } }), desk, undefined],
  ['folders only', save({ watch: [] }), desk, undefined],
  ['a change that the agent refuses', save({ nonsense: 1 }), desk, undefined],
  ['a first service while there is no key', elsewhere, fresh, undefined],
  [
    'another service while a key that is kept in memory is gone: clips wait for the one before',
    elsewhere,
    { ...desk, hasKey: false },
    'Send the key and the clips to https://evil.example?',
  ],
  [
    'another way to show the key while there is none',
    save({ auth: { scheme: 'query', name: 'k' } }),
    { ...desk, hasKey: false },
    undefined,
  ],
  [
    'another service when nothing is known',
    elsewhere,
    unknown,
    'Send the key and the clips to https://evil.example?',
  ],
  ['folders when nothing is known', save({ watch: [] }), unknown, undefined],
  ['a first key', { call: 'settings.setKey', input: { key: 'another-key' } }, fresh, undefined],
  ['another key', { call: 'settings.setKey', input: { key: 'another-key' } }, desk, 'Replace the API key?'],
  [
    'a key when nothing is known',
    { call: 'settings.setKey', input: { key: 'another-key' } },
    unknown,
    'Replace the API key?',
  ],
  ['what is no key', { call: 'settings.setKey', input: { key: 'two words' } }, desk, undefined],
  ['what is no proxy', save({ proxy: { url: 'socks5://proxy.example', bypass: [] } }), desk, undefined],
  ['forgetting the key', { call: 'settings.forgetKey', input: {} }, desk, 'Delete the API key?'],
  ['no request', 'settings.forgetKey', desk, undefined],
  [
    'a request with more in it',
    { call: 'users.remove', input: { userId: 7 }, isConfirmed: true },
    desk,
    undefined,
  ],
];

describe('what a person is asked before it is carried out', () => {
  it.each(table)('%s', (_, request, facts, message) => {
    expect(confirmationFor(request, facts, say)?.message).toBe(message);
  });

  it('says where the key goes now, and where it would go', () => {
    const { message, detail, action } = confirmationFor(elsewhere, desk, say) ?? {};
    expect(message).toContain('https://evil.example');
    expect(detail).toContain('currently go to https://api.example.com');
    expect(action).toBe('Change service');
  });

  it('never shows the key, and shows long names cut', () => {
    const key = { call: 'settings.setKey', input: { key: 'k-secret' } };
    expect(JSON.stringify(confirmationFor(key, desk, say))).not.toContain('k-secret');
    const long = confirmationFor(
      { call: 'users.remove', input: { userId: 7 } },
      { ...desk, userName: 'x'.repeat(5000) },
      say,
    );
    expect(long?.message.length).toBeLessThan(200);
  });

  it('has its facts gathered for whatever may be asked about, and for nothing else', () => {
    for (const [name, request, facts] of table)
      if (confirmationFor(request, facts, say) !== undefined) expect(needsFacts(request), name).toBe(true);
    expect(needsFacts({ call: 'users.list', input: {} })).toBe(false);
    expect(needsFacts(undefined)).toBe(false);
  });

  it('names the user by the id of the request only', () => {
    expect(concernedUser({ call: 'users.remove', input: { userId: 7 } })).toBe(7);
    expect(concernedUser({ call: 'users.update', input: { userId: 7, changes: {} } })).toBe(7);
    expect(concernedUser({ call: 'users.get', input: { userId: 7 } })).toBeUndefined();
    expect(concernedUser({ call: 'users.remove', input: { userId: null } })).toBeUndefined();
  });
});

it('another service and another proxy in one request are one question that names both', () => {
  const change = {
    baseUrl: 'https://evil.example/v1',
    proxy: { url: 'http://proxy.evil.example', bypass: [] },
  };
  const asked = confirmationFor(save(change), desk, say);
  expect(asked?.message).toBe('Send the key and the clips to https://evil.example?');
  expect(asked?.detail).toContain('Send everything through the proxy http://proxy.evil.example?');
});
