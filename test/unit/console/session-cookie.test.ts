import { describe, expect, it } from 'vitest';
import { readSessionCookies, writeSessionCookie } from '../../../electron/console/session-cookie.ts';

describe('the cookie of a session', () => {
  it('is named after the port and kept from scripts and from other sites', () => {
    expect(writeSessionCookie(7443, 'abc')).toBe('vms_console_7443=abc; HttpOnly; SameSite=Strict; Path=/');
  });

  it.each([
    [undefined, []],
    ['', []],
    ['other=1', []],
    ['vms_console_7443=abc', ['abc']],
    ['other=1; vms_console_7443=abc;more=2', ['abc']],
    ['vms_console_7444=abc', []],
    ['vms_console_74430=abc', []],
    ['xvms_console_7443=abc', []],
    ['VMS_CONSOLE_7443=abc', []],
    ['vms_console_7443', []],
    ['vms_console_7443=', ['']],
    ['vms_console_7443=a=b', ['a=b']],
    ['vms_console_7443=planted; vms_console_7443=abc', ['planted', 'abc']],
  ])('is found in %j', (header, secrets) => {
    expect(readSessionCookies(header, 7443)).toEqual(secrets);
  });

  it('is tried four times at most', () => {
    const header = Array.from({ length: 9 }, (_, index) => `vms_console_1=${index}`).join('; ');
    expect(readSessionCookies(header, 1)).toEqual(['0', '1', '2', '3']);
  });
});
