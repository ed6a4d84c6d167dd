import { describe, expect, it } from 'vitest';
import { type Failure, FailureError } from '../../../../shared/domain/failure.ts';
import { ok } from '../../../../shared/lib/result.ts';
import type { CallName } from '../../../../shared/ipc/contract.ts';
import type { Calls } from '../../../../electron/agent/calls/call.ts';
import { createCallRegistry } from '../../../../electron/agent/calls/create-calls.ts';
import { createCollectedLog } from './collected-log.ts';

const VALUE = 'value-4711-of-a-person';
const failure: Failure = { code: 'NOT_FOUND', message: 'Gone.', advice: 'Look.', retryable: false };

type Handlers = { readonly [Name in CallName]?: Calls[Name]['handle'] };

/** A registry with only these calls: a test that reaches another one fails. */
function registryWith(handlers: Handlers) {
  const { logger, lines } = createCollectedLog();
  const calls = Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, { handle }]));
  const registry = createCallRegistry(calls as Calls, {
    logger,
    trail: { note: () => 1 },
    signals: { changed: () => undefined },
  });
  return { lines, serve: (request: unknown, signal?: AbortSignal) => registry.call(request, signal) };
}

const listPeriods = (input: unknown) => ({ call: 'periods.list', input });

describe('a call', () => {
  it('is answered by its handler with what the handler found', async () => {
    const { serve } = registryWith({ 'users.get': ({ userId }) => ok({ id: userId, firstName: 'Ada' }) });
    const reply = await serve({ call: 'users.get', input: { userId: 7 } });
    expect(reply).toEqual({ ok: true, value: { id: 7, firstName: 'Ada' } });
  });

  it('carries the failure of its handler, whether answered or thrown', async () => {
    const { serve, lines } = registryWith({
      'users.get': () => ({ ok: false, error: failure }),
      'users.remove': () => Promise.reject(new FailureError(failure)),
    });
    const input = { userId: 7 };
    expect(await serve({ call: 'users.get', input })).toEqual({ ok: false, error: failure });
    expect(await serve({ call: 'users.remove', input })).toEqual({ ok: false, error: failure });
    expect(lines).toEqual([]);
  });

  it('gets its defaults, and loses what the contract does not name', async () => {
    const seen: unknown[] = [];
    const { serve } = registryWith({
      'uploads.listClips': (query) => {
        seen.push(query);
        return ok({ total: 0, counts: noClips, rows: [] });
      },
      'periods.list': (input) => {
        seen.push(input);
        return ok({ periods: [] });
      },
    });
    await serve({ call: 'uploads.listClips', input: { limit: 5 } });
    await serve(listPeriods({ range: { startAt: '2026-05-01T00:00:00.000Z', more: 1 } }));
    expect(seen).toEqual([
      { limit: 5, sort: 'createdAt', order: 'descending', offset: 0 },
      { range: { startAt: '2026-05-01T00:00:00.000Z' } },
    ]);
  });

  it('that was broken off says so when its handler throws, and keeps what its handler says', async () => {
    const gone = AbortSignal.abort();
    const { serve, lines } = registryWith({
      'users.get': () => Promise.reject(new Error('aborted')),
      'users.remove': () => ({ ok: false, error: { ...failure, mayHaveHappened: true } }),
    });
    const input = { userId: 7 };
    expect(await serve({ call: 'users.get', input }, gone)).toMatchObject({ error: { code: 'CANCELLED' } });
    const removed = await serve({ call: 'users.remove', input }, gone);
    expect(removed).toMatchObject({ error: { code: 'NOT_FOUND', mayHaveHappened: true } });
    expect(lines).toEqual([]);
  });
});

describe('a request', () => {
  it.each(['nope', '', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'periods', 'PERIODS.LIST'])(
    'input G1, checklist 10: for %j is unknown',
    async (call) => {
      const { serve } = registryWith({});
      expect(await serve({ call, input: {} })).toMatchObject({ ok: false, error: { code: 'CALL_UNKNOWN' } });
    },
  );

  const cyclic: Record<string, unknown> = { call: 'periods.list' };
  cyclic['input'] = cyclic;
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'periods.list'],
    ['a list', ['periods.list', {}]],
    ['without input', { call: 'periods.list' }],
    ['with more than it may have', { ...listPeriods({ range: {} }), key: VALUE }],
    ['with a name beyond all measure', { call: 'x'.repeat(101), input: {} }],
    ['with another kind of name', { call: { toString: () => 'periods.list' }, input: {} }],
    ['in a circle', cyclic],
    ['whose input is a function', listPeriods(() => undefined)],
    ['whose range is a big integer', listPeriods({ range: 10n })],
  ])('that is %s is refused', async (_, request) => {
    const { serve, lines } = registryWith({ 'periods.list': () => ok({ periods: [] }) });
    expect(await serve(request)).toMatchObject({ ok: false, error: { code: 'CALL_INPUT' } });
    expect(lines).toEqual([]);
  });

  it('that throws when it is read is a fault, not a rejection', async () => {
    const { serve } = registryWith({});
    const request = {
      call: 'periods.list',
      get input(): unknown {
        throw new Error('a trap');
      },
    };
    expect(await serve(request)).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
  });

  it('input G3: names the fields that are wrong, and never the values', async () => {
    const { serve } = registryWith({});
    const user = {
      loginType: 'PHONE_NUMBER',
      firstName: 7,
      lastName: VALUE.repeat(100),
      phoneNumber: VALUE,
      role: VALUE,
      deviceId: VALUE,
    };
    const reply = await serve({ call: 'users.create', input: { user, extra: VALUE } });
    expect(JSON.stringify(reply)).not.toContain(VALUE);
    const fields = reply.ok ? [] : (reply.error.fields ?? []);
    expect(fields.map(({ name }) => name)).toEqual([
      'user.firstName',
      'user.lastName',
      'user.phoneNumber',
      'user.role',
      'user.deviceId',
      'extra',
    ]);
    expect(fields[2]?.text).toBe('must be + followed by 4 to 15 digits, country code first: +14155550100');
  });

  it('with many or hidden names is refused in few and visible words', async () => {
    const { serve } = registryWith({});
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1]));
    const input = { range: {}, 'a\u202eb': 1, ['long'.repeat(1000)]: 1, ...many };
    const reply = JSON.stringify(await serve(listPeriods(input)));
    expect(reply.length).toBeLessThan(4000);
    expect(reply).toContain('a<U+202E>b');
    const phoneNumbers = Array.from({ length: 90 }, () => 'no number');
    const wrong = await serve({
      call: 'users.list',
      input: { filter: { phoneNumbers }, page: 1, perPage: 9 },
    });
    expect(wrong.ok ? [] : wrong.error.fields).toHaveLength(20);
  });

  it.each([
    '{"range": {"__proto__": {"polluted": 1}}}',
    '{"range": {"constructor": {"prototype": {"polluted": 1}}}}',
  ])('with %s reaches no prototype', async (text) => {
    const seen: object[] = [];
    const { serve } = registryWith({
      'periods.list': ({ range }) => {
        seen.push(range);
        return ok({ periods: [] });
      },
    });
    await serve(listPeriods(JSON.parse(text)));
    expect('polluted' in {}).toBe(false);
    expect(seen.map((range) => 'polluted' in range || Object.hasOwn(range, 'constructor'))).toEqual([false]);
  });
});

describe('a handler', () => {
  it('that throws is a fault whose cause only the log has', async () => {
    const { serve, lines } = registryWith({
      'periods.list': () => {
        throw new Error('broken inside', { cause: 'the reason' });
      },
    });
    const reply = await serve(listPeriods({ range: {} }));
    expect(reply).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
    expect(JSON.stringify(reply)).not.toMatch(/broken inside|the reason/);
    expect(lines).toEqual([expect.stringMatching(/error.*periods\.list.*broken inside.*the reason/)]);
  });

  it('that answers another shape is a fault that the log names by its field', async () => {
    const wrong = { periods: [{ id: VALUE, markers: VALUE }] };
    const { serve, lines } = registryWith({ 'periods.list': () => ok(wrong) as never });
    const reply = await serve(listPeriods({ range: {} }));
    expect(reply).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
    expect(lines).toEqual([expect.stringContaining('periods.0.markers')]);
    expect(JSON.stringify([reply, lines])).not.toContain(VALUE);
  });

  it('that answers more than the contract says has it taken off', async () => {
    const { serve } = registryWith({
      'messages.post': () => ok({ id: 5, apiKey: VALUE, authorization: VALUE }),
    });
    const message = { kind: 'direct', channelId: 1, content: 'x' };
    expect(await serve({ call: 'messages.post', input: { message } })).toEqual({
      ok: true,
      value: { id: 5 },
    });
  });

  it('gets the signal of its caller', async () => {
    const gone = AbortSignal.abort('left');
    const seen: unknown[] = [];
    const { serve } = registryWith({
      'health.get': (_, signal) => {
        seen.push(signal);
        return { ok: false, error: failure };
      },
    });
    await serve({ call: 'health.get', input: {} }, gone);
    expect(seen).toEqual([expect.objectContaining({ aborted: true, reason: 'left' })]);
  });
});

const noClips = { waiting: 0, uploading: 0, paused: 0, uploaded: 0, failed: 0, leftOut: 0 };

it('a call that the audit trail cannot take is a fault, and is not done', async () => {
  const seen: unknown[] = [];
  const { logger, lines } = createCollectedLog();
  const remove: Calls['users.remove'] = {
    handle: ({ userId }) => {
      seen.push(userId);
      return ok({ id: userId });
    },
    audit: { asked: ({ userId }) => ({ userId: String(userId) }) },
  };
  const registry = createCallRegistry({ 'users.remove': remove } as Calls, {
    logger,
    trail: {
      note: () => {
        throw new Error('disk full');
      },
    },
    signals: { changed: () => undefined },
  });
  const reply = await registry.call({ call: 'users.remove', input: { userId: 7 } }, undefined);
  expect(reply).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
  expect(lines).toEqual([expect.stringContaining('disk full')]);
  expect(seen).toEqual([]);
});
