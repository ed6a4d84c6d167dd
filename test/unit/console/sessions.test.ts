import { describe, expect, it } from 'vitest';
import {
  createSessions,
  createTokenBucket,
  readSessionCookies,
  writeSessionCookie,
} from '../../../electron/console/sessions.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

const HOUR_MS = 3_600_000;

function start() {
  const clock = createFakeClock();
  return { clock, sessions: createSessions(clock) };
}

describe('createSessions', () => {
  it('finds a session by the secret of its cookie, among others', () => {
    const { sessions } = start();
    const one = sessions.open();
    const two = sessions.open();
    expect(one).not.toBe(two);
    expect(sessions.find([one])).not.toBe(sessions.find([two]));
    expect(sessions.find(['planted', one])).toBe(sessions.find([one]));
    expect(sessions.find([])).toBeUndefined();
    expect(sessions.find(['', 'planted', `${one}x`, one.slice(1)])).toBeUndefined();
  });

  it('has a token that is not the cookie, and takes no other', () => {
    const { sessions } = start();
    const secret = sessions.open();
    const session = sessions.find([secret])!;
    const token = session.takeToken()!;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(token).not.toBe(secret);
    expect(session.acceptToken(token)).toBe(true);
    for (const other of ['', secret, `${token}x`, token.slice(1)])
      expect(session.acceptToken(other)).toBe(false);
  });

  it('gives no second token once the first was shown: whoever is sent the cookie later comes too late', () => {
    const { sessions } = start();
    const session = sessions.find([sessions.open()])!;
    const token = session.takeToken()!;
    expect(session.acceptToken(token)).toBe(true);
    expect(session.takeToken()).toBeUndefined();
    expect(session.acceptToken(token)).toBe(true);
  });

  it('gives another token when the page of the first was left before it showed it, and the first is void', () => {
    const { sessions } = start();
    const session = sessions.find([sessions.open()])!;
    const lost = session.takeToken()!;
    const token = session.takeToken()!;
    expect(token).not.toBe(lost);
    expect(session.acceptToken(lost)).toBe(false);
    expect(session.acceptToken(token)).toBe(true);
  });

  it('gives no token ten seconds after the first, used or not, and a wrong one uses nothing up', async () => {
    const { clock, sessions } = start();
    const session = sessions.find([sessions.open()])!;
    const first = session.takeToken()!;
    expect(session.acceptToken('guess')).toBe(false);
    await clock.advance(9999);
    const last = session.takeToken()!;
    await clock.advance(1);
    expect(session.takeToken()).toBeUndefined();
    expect([session.acceptToken(first), session.acceptToken(last)]).toEqual([false, true]);
  });

  it('does not take the token of another session', () => {
    const { sessions } = start();
    const one = sessions.find([sessions.open()])!;
    const two = sessions.find([sessions.open()])!;
    expect(one.acceptToken(two.takeToken()!)).toBe(false);
  });

  it('ends after twelve hours without use', async () => {
    const { clock, sessions } = start();
    const secret = sessions.open();
    await clock.advance(12 * HOUR_MS - 1);
    expect(sessions.find([secret])).toBeDefined();
    await clock.advance(12 * HOUR_MS);
    expect(sessions.find([secret])).toBeUndefined();
  });

  it('lives on while it is used, and while a page is open', async () => {
    const { clock, sessions } = start();
    const secret = sessions.open();
    const session = sessions.find([secret])!;
    for (let shift = 0; shift < 5; shift += 1) {
      await clock.advance(11 * HOUR_MS);
      session.touch();
    }
    await clock.advance(11 * HOUR_MS);
    expect(sessions.find([secret])).toBe(session);
  });

  it('ends by order, alone or with all others, and says so', () => {
    const { sessions } = start();
    const one = sessions.open();
    const two = sessions.open();
    const first = sessions.find([one])!;
    const second = sessions.find([two])!;
    sessions.end(one);
    sessions.end('unknown');
    expect(sessions.find([one])).toBeUndefined();
    expect(first.ended.aborted).toBe(true);
    expect(second.ended.aborted).toBe(false);
    sessions.endAll();
    expect(sessions.find([two])).toBeUndefined();
    expect(second.ended.aborted).toBe(true);
  });

  it('makes room for a seventeenth by ending the one that was used least recently', async () => {
    const { clock, sessions } = start();
    const secrets: string[] = [];
    for (let count = 0; count < 16; count += 1) {
      secrets.push(sessions.open());
      await clock.advance(1);
    }
    sessions.find([secrets[0]!]);
    sessions.open();
    expect(sessions.find([secrets[1]!])).toBeUndefined();
    expect(sessions.find([secrets[0]!])).toBeDefined();
    expect(sessions.find([secrets[2]!])).toBeDefined();
  });

  it('grants 200 requests at once, and then 100 a second, each session its own', async () => {
    const { clock, sessions } = start();
    const busy = sessions.find([sessions.open()])!;
    const calm = sessions.find([sessions.open()])!;
    for (let count = 0; count < 200; count += 1) expect(busy.takeTurn()).toBe(0);
    expect(busy.takeTurn()).toBe(10);
    expect(calm.takeTurn()).toBe(0);
    await clock.advance(1000);
    const granted = Array.from({ length: 150 }, () => busy.takeTurn()).filter((waitMs) => waitMs === 0);
    expect(granted).toHaveLength(100);
  });
});

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

it('grants a burst, says how long to wait, and grants again after just that', async () => {
  const clock = createFakeClock();
  const bucket = createTokenBucket(clock, { burst: 3, perSecond: 4 });
  expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 0, 250]);
  await clock.advance(100);
  expect(bucket.take()).toBe(150);
  await clock.advance(150);
  expect(bucket.take()).toBe(0);
});

it('saves up no more than one burst', async () => {
  const clock = createFakeClock();
  const bucket = createTokenBucket(clock, { burst: 2, perSecond: 10 });
  await clock.advance(3_600_000);
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 100]);
});
