import { describe, expect, it } from 'vitest';
import { createLaunchCodes } from '../../../electron/console/sessions.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

function start() {
  const clock = createFakeClock();
  return { clock, codes: createLaunchCodes(clock) };
}

describe('createLaunchCodes', () => {
  it('makes codes of 32 random bytes that stand in an address as they are', () => {
    const { codes } = start();
    const made = Array.from({ length: 50 }, codes.create);
    expect(new Set(made).size).toBe(50);
    for (const code of made) {
      expect(code).toMatch(/^[\w-]{43}$/);
      expect(Buffer.from(code, 'base64url')).toHaveLength(32);
    }
  });

  it('checklist 49: takes a code once', () => {
    const { codes } = start();
    const code = codes.create();
    expect(codes.redeem(code)).toEqual({ kind: 'accepted' });
    expect(codes.redeem(code)).toEqual({ kind: 'refused' });
  });

  it('input G12: takes a code for less than a minute', async () => {
    const { clock, codes } = start();
    const code = codes.create();
    await clock.advance(59_999);
    expect(codes.redeem(code)).toEqual({ kind: 'accepted' });
    const late = codes.create();
    await clock.advance(60_000);
    expect(codes.redeem(late)).toEqual({ kind: 'refused' });
  });

  it('is not misled by a wall clock that is set back', async () => {
    const { clock, codes } = start();
    const code = codes.create();
    clock.stepWallClock(-3_600_000);
    await clock.advance(60_000);
    expect(codes.redeem(code)).toEqual({ kind: 'refused' });
  });

  it('takes the newest code only', () => {
    const { codes } = start();
    const older = codes.create();
    const newer = codes.create();
    expect(codes.redeem(older)).toEqual({ kind: 'refused' });
    expect(codes.redeem(newer)).toEqual({ kind: 'accepted' });
  });

  it('takes nothing before it made a code, and nothing like it', () => {
    const { codes } = start();
    expect(codes.redeem('')).toEqual({ kind: 'refused' });
    const code = codes.create();
    expect(codes.redeem('')).toEqual({ kind: 'refused' });
    expect(codes.redeem(`${code}x`)).toEqual({ kind: 'refused' });
    expect(codes.redeem(code.slice(0, -1))).toEqual({ kind: 'refused' });
    expect(codes.redeem(code)).toEqual({ kind: 'accepted' });
  });

  it('tells others to wait for the rest of the minute after five were refused, and takes the right one', async () => {
    const { clock, codes } = start();
    for (let tries = 0; tries < 4; tries += 1) codes.redeem('guess');
    await clock.advance(40_000);
    expect(codes.redeem('guess')).toEqual({ kind: 'refused' });
    expect(codes.redeem('guess')).toEqual({ kind: 'too-many', retryAfterMs: 20_000 });
    expect(codes.redeem(codes.create())).toEqual({ kind: 'accepted' });
    await clock.advance(20_000);
    expect(codes.redeem('guess')).toEqual({ kind: 'refused' });
  });

  it('does not count those that it took', () => {
    const { codes } = start();
    for (let times = 0; times < 20; times += 1) expect(codes.redeem(codes.create()).kind).toBe('accepted');
  });
});
