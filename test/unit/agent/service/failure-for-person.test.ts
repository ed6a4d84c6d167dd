import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { statusFailure } from '../../../../electron/agent/service/answer-failures.ts';
import { connectTeam, type TeamConnection } from '../../../../electron/agent/service/connect-service.ts';
import { endpoints, type EndpointName } from '../../../../electron/agent/service/endpoints.ts';
import { failureForPerson } from '../../../../electron/agent/service/call-service.ts';
import { networkFailure, tooLarge } from '../../../../electron/agent/service/failures.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { failureCodes, type Failure } from '../../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';
import { errorOf, going, KEY, useTeamDesk, type Told } from './team-desk.ts';

const open = useTeamDesk();
const phone = { loginType: 'PHONE_NUMBER', firstName: 'A', lastName: 'B', phoneNumber: '+4930123' } as const;
const PASSWORD = 'Pw-Canary-31';

/** Each write of the team's endpoints, and what to check when its answer is lost. */
const writes = [
  [
    'addChannelMessage',
    'Check the channel',
    ({ messages }) => messages.post({ kind: 'channel', channelId: 1 }, going),
  ],
  [
    'addDirectMessage',
    'Check the channel',
    ({ messages }) => messages.post({ kind: 'direct', channelId: 1 }, going),
  ],
  ['createUser', 'Search for the phone number or device', ({ users }) => users.create(phone, going)],
  ['deleteUser', 'Check the list of users', ({ users }) => users.remove(1, going)],
] satisfies [EndpointName, string, (team: TeamConnection) => Promise<unknown>][];

function forPerson(failure: Failure, endpoint: EndpointName = 'getUsers', isAborted = false): Failure {
  return failureForPerson(failure, { what: 'Do it', endpoint, isAborted });
}

describe('the advice for a person', () => {
  const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
  const context = { what: 'Do it', answer, nowMs: 0, kind: 'team' } as const;
  const ofQueue = [
    ...[400, 401, 403, 404, 407, 408, 410, 422, 429, 500, 503].map((status) =>
      statusFailure(context, status, {}),
    ),
    ...['ECONNRESET', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'].map((code) =>
      networkFailure(Object.assign(new Error('x'), { code }), 'api.test'),
    ),
    tooLarge('api.test', 8),
  ];

  it.each(ofQueue.map((failure) => [failure.code, failure] as const))(
    'for %s speaks of no queue, and of something to do',
    (_code, failure) => {
      const { advice } = forPerson(failure);
      expect(advice).not.toMatch(/automatically|queue|nothing is lost/);
      expect(advice).toMatch(/\w+ .*\.$/);
    },
  );

  it.each([
    [7_000, 'Wait 7 s and try again.'],
    [90_000, 'Wait 1 min 30 s and try again.'],
    [undefined, 'Wait a moment, then try again.'],
  ])('says how long to wait: %s', (retryAfterMs, advice) => {
    const more = retryAfterMs === undefined ? {} : { retryAfterMs };
    expect(forPerson(failureOf('RATE_LIMITED', more)).advice).toBe(advice);
  });

  // service.md gap 26
  it.each(failureCodes)(
    'says how long to wait after %s when the service asked for it, and keeps the time',
    (code) => {
      const told = forPerson(failureOf(code, { retryAfterMs: 4_000 }));
      expect(told).toMatchObject({ advice: 'Wait 4 s and try again.', retryAfterMs: 4_000 });
    },
  );

  it.each(['KEY_REFUSED', 'PERMISSION_MISSING', 'NOT_FOUND'] as const)('does not offer %s again', (code) => {
    expect(forPerson(failureOf(code, { retryable: true })).retryable).toBe(false);
  });

  it('keeps everything else that is known', () => {
    const failure = failureOf('VALIDATION', {
      retryable: false,
      status: 422,
      detail: 'x',
      fields: [{ name: 'a', text: 'b' }],
    });
    expect(forPerson(failure)).toEqual(failure);
  });

  it('is that of a cancelled call when whoever waited gave it up', () => {
    expect(forPerson(failureOf('NETWORK'), 'getUsers', true)).toMatchObject({
      code: 'CANCELLED',
      message: 'Do it: cancelled.',
    });
  });
});

describe('a write whose answer was lost', () => {
  const names = Object.keys(endpoints).filter((name): name is EndpointName => Object.hasOwn(endpoints, name));
  const lost = new Set([
    'API_EMPTY',
    'API_NOT_JSON',
    'API_BAD_JSON',
    'API_NUMBER',
    'API_SHAPE',
    'API_TOO_LARGE',
  ]);

  it.each(names)('is told for %s when it is one, and for no other failure', (endpoint) => {
    for (const code of failureCodes) {
      const told = forPerson(failureOf(code), endpoint).mayHaveHappened ?? false;
      expect([code, told]).toEqual([code, endpoints[endpoint].isWrite && lost.has(code)]);
    }
    for (const status of [400, 404, 408, 422, 429, 500, 502, 503, 504]) {
      const told = forPerson(failureOf('SERVICE_FAULT', { status }), endpoint).mayHaveHappened ?? false;
      expect([status, told]).toEqual([
        status,
        endpoints[endpoint].isWrite && [408, 502, 504].includes(status),
      ]);
    }
  });

  it.each(writes)('%s: the connection breaks after it was sent', async (_name, look, call) => {
    const desk = await open({ line: 'reset' });
    expect(await call(desk)).toMatchObject({
      ok: false,
      error: { mayHaveHappened: true, retryable: false, advice: expect.stringContaining(look) },
    });
    expect(desk.asked()).toHaveLength(1);
  });

  it.each(writes)('%s: a login page answers', async (_name, look, call) => {
    const desk = await open({ text: '<html>Log in</html>' });
    expect(await call(desk)).toMatchObject({
      error: { code: 'API_NOT_JSON', mayHaveHappened: true, advice: expect.stringContaining(look) },
    });
  });

  it.each(writes)('%s: nobody listens, so nothing was sent', async (_name, _look, call) => {
    // A reserved port: one that was just freed may already belong to another test
    const desk = await open({ body: {} }, { baseUrl: 'http://127.0.0.1:9' });
    const result = await call(desk);
    expect(result).toMatchObject({ error: { code: 'NETWORK', advice: 'Check the network and try again.' } });
    expect(JSON.stringify(result)).not.toContain('mayHaveHappened');
  });

  it.each(writes)('%s: it is cancelled while it waits', async (_name, _look, call) => {
    const desk = await open({ line: 'silence' });
    const waiting = call(desk);
    await expect.poll(() => desk.asked().length).toBe(1);
    desk.stop();
    expect(await waiting).toMatchObject({ error: { mayHaveHappened: true } });
  });

  it('names the cancelling and that it may have happened all the same', async () => {
    const desk = await open({ line: 'silence' });
    const cancel = new AbortController();
    const waiting = errorOf(desk.messages.post({ kind: 'channel', channelId: 1 }, cancel.signal));
    await expect.poll(() => desk.asked().length).toBe(1);
    cancel.abort();
    expect(await waiting).toMatchObject({ code: 'CANCELLED', mayHaveHappened: true });
  });

  it('is not told of a reading call', async () => {
    const desk = await open({ line: 'reset' });
    const failure = await errorOf(desk.users.get(1, going));
    expect(failure).toMatchObject({ code: 'NETWORK', retryable: true });
    expect(failure).not.toHaveProperty('mayHaveHappened');
  });

  it('is not told when TLS never stood', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await once(plain, 'listening');
    const address = plain.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const team = connectTeam(
      { settings: settingsSchema.parse({ baseUrl: `https://127.0.0.1:${port}` }), version: '9' },
      { clock: createSystemClock(), secrets: { apiKey: async () => KEY } },
    );
    const failure = await errorOf(team.users.create(phone, going));
    team.stop();
    plain.close();
    expect(failure.code).not.toBe('API_SHAPE');
    expect(failure).not.toHaveProperty('mayHaveHappened');
  });
});

describe('no secret is in any failure', () => {
  const user = { id: 1, login_type: 'PHONE_NUMBER', temp_password: PASSWORD };
  const tellings: readonly (readonly [string, Told])[] = [
    ['the id is wrong', { status: 201, body: { user: { ...user, id: true } } }],
    ['the id is missing', { status: 201, body: { user: { temp_password: PASSWORD } } }],
    ['the answer is cut off', { status: 201, text: `{"user":{"temp_password":"${PASSWORD}","id"` }],
    ['it is nested too deep', { status: 201, text: `{"temp_password":"${PASSWORD}","x":${'['.repeat(40)}` }],
    ['an error repeats it', { status: 422, body: { message: `Not ${PASSWORD}`, user } }],
    ['an error under a good status repeats it', { body: { status: 500, message: `Not ${PASSWORD}`, user } }],
    [
      'an error has it in its message',
      { status: 422, body: { message: { error: 'x', temp_password: PASSWORD } } },
    ],
    ['an error lists it', { status: 422, body: { errors: { temp_password: PASSWORD } } }],
    ['an error has no text', { status: 500, body: { user } }],
    ['an error is cut off', { status: 500, text: `{"user":{"temp_password":"${PASSWORD}` }],
  ];

  it.each(tellings)('when %s', async (_what, told) => {
    const desk = await open(told);
    const text = JSON.stringify(await errorOf(desk.users.create(phone, going)));
    expect(text).not.toContain(PASSWORD);
  });

  it.each([[{ status: 500 }], [{ status: 422 }], [{ status: 200 }]])(
    'nor the key, told with %o',
    async (told) => {
      const desk = await open({ ...told, body: { message: `Bad key ${KEY} in Bearer ${KEY}` } });
      for (const call of [desk.users.create(phone, going), desk.periods.list({}, going)]) {
        const text = JSON.stringify(await errorOf<unknown>(call));
        expect(text).toContain('Bad key');
        expect(text).not.toContain(KEY);
      }
    },
  );
});
