import { describe, expect, it } from 'vitest';
import { concernsAllCalls } from '../../../../../shared/domain/failure-policy.ts';
import {
  type Failure,
  type FailureCode,
  failureCodes,
  FailureError,
} from '../../../../../shared/domain/failure.ts';
import { err, ok } from '../../../../../shared/lib/result.ts';
import { countOutcomes, runBatch } from '../../../../../renderer/features/users/run-batch.ts';
import { useTeamDesk, type Told } from '../../../agent/service/team-desk.ts';

const failure = (code: FailureCode): Failure => ({ code, message: '', advice: '', retryable: false });
const ignore = (): void => undefined;
const never = new AbortController().signal;
const users = Array.from({ length: 500 }, (_, index) => index + 1);
const open = useTeamDesk();

describe('a run over many', () => {
  it('goes one after another and tells how many are through', async () => {
    const steps: number[] = [];
    let running = 0;
    const outcomes = await runBatch(
      [1, 2, 3],
      async (item) => {
        running += 1;
        expect(running).toBe(1);
        await Promise.resolve();
        running -= 1;
        return ok(item * 10);
      },
      { signal: never, onStep: (done) => steps.push(done) },
    );
    expect(outcomes).toEqual([1, 2, 3].map((item) => ({ kind: 'done', item, output: item * 10 })));
    expect(steps).toEqual([1, 2, 3]);
  });

  it('goes on after a refusal of one', async () => {
    const act = (item: number) => Promise.resolve(item === 2 ? err(failure('VALIDATION')) : ok(item));
    const outcomes = await runBatch([1, 2, 3], act, { signal: never, onStep: ignore });
    expect(countOutcomes(outcomes)).toEqual({ done: 2, failed: 1, left: 0 });
  });

  it.each<FailureCode>(['NETWORK', 'KEY_REFUSED', 'RATE_LIMITED', 'CALL_FAULT'])(
    'stops at %s, which all others would meet too',
    async (code) => {
      const asked: number[] = [];
      const act = (item: number) => {
        asked.push(item);
        return Promise.resolve(item === 2 ? err(failure(code)) : ok(item));
      };
      const outcomes = await runBatch([1, 2, 3, 4], act, { signal: never, onStep: ignore });
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'left', 'left']);
      expect(asked).toEqual([1, 2]);
    },
  );

  it('waits for what is on its way when it is cancelled, and leaves the rest', async () => {
    const controller = new AbortController();
    const act = (item: number) => {
      if (item === 2) controller.abort();
      return Promise.resolve(ok(item));
    };
    const outcomes = await runBatch([1, 2, 3], act, { signal: controller.signal, onStep: ignore });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'left']);
  });
});

/** How many of 500 requests are made when each fails with one of these codes. */
const askedBefore: Readonly<Record<'one' | 'two', readonly FailureCode[]>> = {
  one: [
    'NETWORK',
    'API_TIMEOUT',
    'API_REDIRECT',
    'API_NOT_JSON',
    'TLS_REFUSED',
    'PROXY_AUTH',
    'PROXY_REFUSED',
    'CONFIG_PROXY',
    'KEY_REFUSED',
    'KEY_MISSING',
    'KEY_FORMAT',
    'KEY_FILE_OPEN',
    'KEY_STORE',
    'NOT_SET_UP',
    'PERMISSION_MISSING',
    'VIDEO_PERMISSION_MISSING',
    'METHOD_REFUSED',
    'RATE_LIMITED',
    'CALL_FAULT',
  ],
  two: ['SERVICE_FAULT', 'API_BAD_JSON', 'API_EMPTY', 'API_TOO_LARGE', 'API_SHAPE', 'API_NUMBER'],
};

describe('500 users that all fail', () => {
  const fail = async (codeOf: (item: number) => FailureCode) => {
    const outcomes = await runBatch(users, async (item) => err(failure(codeOf(item))), {
      signal: never,
      onStep: ignore,
    });
    return countOutcomes(outcomes).failed;
  };

  it.each(askedBefore.one)('stop at the first %s', async (code) => {
    expect(await fail(() => code)).toBe(1);
  });

  it.each(askedBefore.two)('stop at the second %s in a row', async (code) => {
    expect(await fail(() => code)).toBe(2);
  });

  it('stop at two failures of the service in a row, whatever their codes', async () => {
    expect(await fail((item) => (item === 1 ? 'API_EMPTY' : 'SERVICE_FAULT'))).toBe(2);
  });

  it('go on while the service takes or refuses others in between', async () => {
    expect(await fail((item) => (item % 2 === 0 ? 'SERVICE_FAULT' : 'VALIDATION'))).toBe(500);
  });

  it.each(['VALIDATION', 'NOT_FOUND', 'CALL_INPUT', 'CANCELLED'] as const)(
    'are all tried when %s is about each of them',
    async (code) => {
      expect(await fail(() => code)).toBe(500);
    },
  );

  it.each(failureCodes.filter(concernsAllCalls))('ask at most twice at %s', async (code) => {
    expect(await fail(() => code)).toBeLessThanOrEqual(2);
  });
});

/** Obstacles between the desk and the service: name, answer, failure code, number of requests. */
const troubles: readonly (readonly [
  what: string,
  told: Told | FailureCode,
  code: FailureCode,
  asked: number,
])[] = [
  ['a captive portal', { text: '<html>Log in</html>' }, 'API_NOT_JSON', 1],
  ['a redirect', { status: 302, headers: { location: '/login' }, text: '' }, 'API_REDIRECT', 1],
  ['a refused key', { status: 401, body: {} }, 'KEY_REFUSED', 1],
  ['a missing permission', { status: 403, body: {} }, 'PERMISSION_MISSING', 1],
  ['a service that is slow', { status: 408, body: {} }, 'API_TIMEOUT', 1],
  ['too many requests', { status: 429, body: {} }, 'RATE_LIMITED', 1],
  ['a service that is down', { status: 500, body: {} }, 'SERVICE_FAULT', 2],
  ['a gateway without its service', { status: 502, text: 'Bad gateway' }, 'SERVICE_FAULT', 2],
  ['an empty answer', { text: '' }, 'API_EMPTY', 2],
  ['a line that breaks', { line: 'reset' }, 'NETWORK', 1],
  ['a wrong key', 'KEY_FORMAT', 'KEY_FORMAT', 1],
  ['a key file that others can read', 'KEY_FILE_OPEN', 'KEY_FILE_OPEN', 1],
  ['a locked key store', 'KEY_STORE', 'KEY_STORE', 1],
];

describe('500 users over the real client of the service', () => {
  const phone = (index: number) =>
    ({ loginType: 'PHONE_NUMBER', firstName: 'A', lastName: 'B', phoneNumber: `+4930${index}` }) as const;

  it.each(
    troubles.flatMap(([what, ...rest]) => [
      [what, 'changed', ...rest] as const,
      [what, 'imported', ...rest] as const,
    ]),
  )('behind %s, %s', async (_what, kind, told, code, asked) => {
    const isOfKey = typeof told === 'string';
    const apiKey = isOfKey
      ? () => Promise.reject(new FailureError({ ...failure(told), message: 'The key.' }))
      : undefined;
    const { users: service, asked: requests } = await open(isOfKey ? { body: {} } : told, {}, apiKey);
    const outcomes = await runBatch<number, unknown>(
      users,
      (index) =>
        kind === 'changed'
          ? service.update(index, { role: 'staff' }, never)
          : service.create(phone(index), never),
      { signal: never, onStep: ignore },
    );
    expect(countOutcomes(outcomes)).toEqual({ done: 0, failed: asked, left: 500 - asked });
    expect(requests()).toHaveLength(isOfKey ? 0 : asked);
    expect(outcomes[0]).toMatchObject({ failure: { code, message: expect.stringMatching(/\w.*\.$/) } });
  });
});
