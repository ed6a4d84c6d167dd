import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createCallService,
  readPages,
  type ListPage,
  type Query,
} from '../../../../electron/agent/service/call-service.ts';
import type { Http, ServiceCall } from '../../../../electron/agent/service/http.ts';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { going } from './team-desk.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const LOCAL_MS = Date.UTC(2026, 0, 15, 12);

/** A call whose answer takes 5 s, without a real connection. */
async function callWith(headers: Readonly<Record<string, string>>) {
  const clock = createFakeClock(LOCAL_MS);
  const serviceClock = createServiceClock(clock, new AgentEvents());
  const made: ServiceCall[] = [];
  const http: Http = {
    async call(call) {
      made.push(call);
      await clock.advance(5_000);
      return {
        ok: true,
        value: { calledUrl: 'https://api.test/users', status: 200, headers, body: Buffer.from('{"a":1}') },
      };
    },
    stop: () => undefined,
  };
  const send = createCallService(http, serviceClock);
  const answer = await send('Get it', { endpoint: 'getUsers' }, z.object({ a: z.int() }), going);
  return { answer, made, skewMs: serviceClock.skewMs() };
}

describe('a call that a person made', () => {
  it('has 30 s', async () => {
    expect((await callWith({})).made).toEqual([{ endpoint: 'getUsers', timeoutMs: 30_000 }]);
  });

  it('tells when it was sent on the clock of the service, and sets that clock', async () => {
    const { answer, skewMs } = await callWith({ date: 'Thu, 15 Jan 2026 13:00:05 GMT' });
    expect(answer).toMatchObject({ ok: true, value: { value: { a: 1 }, sentAtMs: LOCAL_MS + 3_600_000 } });
    expect(skewMs).toBe(3_600_000);
  });

  it('was sent at no known time when the answer has none', async () => {
    const { answer } = await callWith({});
    expect(answer).toMatchObject({ value: { sentAtMs: undefined } });
  });
});

type Item = { readonly id: number };

const nextOf = (page: number): Query => [['page', String(page)]];

async function read(tell: (page: number) => ListPage<Item>) {
  const asked: (Query | undefined)[] = [];
  const result = await readPages<Item>('Get things', async (query) => {
    asked.push(query);
    return { ok: true, value: tell(asked.length) };
  });
  return { result, asked };
}

describe('readPages', () => {
  it('asks the first page without parameters, and the next by what the last one says', async () => {
    const { result, asked } = await read((page) => ({
      items: [{ id: page }],
      next: page < 3 ? nextOf(page * 10) : undefined,
    }));
    expect(result).toEqual({ ok: true, value: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(asked).toEqual([undefined, nextOf(10), nextOf(20)]);
  });

  it('takes a page with more entries than a call can have arguments', async () => {
    const items = Array.from({ length: 1_000_000 }, (_, id) => ({ id }));
    expect((await read(() => ({ items, next: undefined }))).result.ok).toBe(true);
  });

  it('input D13: keeps what one page lists twice, and drops what an earlier page had', async () => {
    const { result } = await read((page) => ({
      items: page === 1 ? [{ id: 1 }, { id: 1 }] : [{ id: 1 }, { id: 2 }],
      next: page === 1 ? nextOf(2) : undefined,
    }));
    expect(result).toEqual({ ok: true, value: [{ id: 1 }, { id: 1 }, { id: 2 }] });
  });

  it('input D14: gives up a list that goes on after 10,000 pages', async () => {
    const { result, asked } = await read((page) => ({ items: [{ id: page }], next: nextOf(page) }));
    expect(result).toMatchObject({ ok: false, error: { code: 'API_PAGING' } });
    expect(asked).toHaveLength(10_000);
  });

  it.each([
    ['a next page elsewhere', (): ListPage<Item> => ({ items: [{ id: 1 }], next: 'elsewhere' }), 1],
    [
      'a last page that repeats the first',
      (page): ListPage<Item> => ({ items: [{ id: 1 }], next: page === 1 ? nextOf(2) : undefined }),
      2,
    ],
  ] satisfies [string, (page: number) => ListPage<Item>, number][])(
    'gives up at %s',
    async (_what, tell, pages) => {
      const { result, asked } = await read(tell);
      expect(result).toMatchObject({ ok: false, error: { code: 'API_PAGING' } });
      expect(asked).toHaveLength(pages);
    },
  );

  it('answers the failure of a page', async () => {
    const failure = failureOf('SERVICE_FAULT');
    expect(await readPages('Get things', async () => ({ ok: false, error: failure }))).toEqual({
      ok: false,
      error: failure,
    });
  });
});
