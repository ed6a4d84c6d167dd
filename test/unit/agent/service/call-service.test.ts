import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCallService } from '../../../../electron/agent/service/call-service.ts';
import type { Http, ServiceCall } from '../../../../electron/agent/service/http.ts';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { going } from './team-desk.ts';

const LOCAL_MS = Date.UTC(2026, 0, 15, 12);

/** A call whose answer takes 5 s on a line that is not needed here. */
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
