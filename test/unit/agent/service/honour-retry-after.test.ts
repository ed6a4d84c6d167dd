import { beforeEach, describe, expect, it } from 'vitest';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createCallService } from '../../../../electron/agent/service/call-service.ts';
import { honourRetryAfter } from '../../../../electron/agent/service/honour-retry-after.ts';
import type { ServiceCall } from '../../../../electron/agent/service/http.ts';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import { createVmsIncidents } from '../../../../electron/agent/service/vms-incidents.ts';
import { periodsAnswerSchema } from '../../../../shared/service/period.ts';
import { messageAnswerSchema } from '../../../../shared/service/chat-message.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const { signal } = new AbortController();
const post: ServiceCall = { endpoint: 'addChannelMessage', ids: { channelId: '1' }, body: {} };

function openDesk() {
  const clock = createFakeClock();
  const serviceClock = createServiceClock(clock, new AgentEvents());
  const called: string[] = [];
  const service = { status: 200, headers: {}, body: '{"periods":[]}' };
  const http = honourRetryAfter(
    {
      stop: () => undefined,
      async call({ endpoint }) {
        called.push(endpoint);
        const { status, headers } = service;
        return ok({ status, headers, body: Buffer.from(service.body), calledUrl: 'https://s/periods' });
      },
    },
    clock,
    serviceClock,
  );
  const send = createCallService(http, serviceClock);
  return {
    clock,
    serviceClock,
    called,
    service,
    periods: () => send('Get periods', { endpoint: 'getPeriods' }, periodsAnswerSchema, signal),
    post: () => send('Post message', post, messageAnswerSchema, signal),
    getIncident: () => createVmsIncidents(http, serviceClock).get('i', signal),
  };
}

let desk = openDesk();
beforeEach(() => {
  desk = openDesk();
});
const ask = (seconds: number | string, status = 429) =>
  Object.assign(desk.service, {
    status,
    headers: { 'retry-after': String(seconds) },
    body: '{"message":"no"}',
  });
const recover = () => Object.assign(desk.service, { status: 200, headers: {}, body: '{"periods":[]}' });

// service.md gap 26
describe('a wait that the service asked for', () => {
  it('is told to a screen and to a person, and to the queue, and nothing is called before its end', async () => {
    ask(60);
    await desk.periods();
    recover();
    await desk.clock.advance(20_500);
    const rest = { code: 'RATE_LIMITED', status: 429, retryAfterMs: 40_000 };
    expect(await desk.periods()).toMatchObject({
      error: {
        ...rest,
        advice: 'Wait 40 s and try again.',
        message: expect.stringMatching(/^Get periods: /),
      },
    });
    const posted = await desk.post();
    expect(posted).toMatchObject({ error: { ...rest, retryable: true } });
    expect(posted).not.toHaveProperty('error.mayHaveHappened');
    expect(await desk.getIncident()).toMatchObject({ error: rest });
    expect(desk.called).toEqual(['getPeriods']);
    await desk.clock.advance(39_500);
    expect(await desk.periods()).toMatchObject({ ok: true });
  });

  it('lasts to the end of the longest one, whatever the clock of this PC does', async () => {
    ask(10);
    await Promise.all([desk.periods(), (ask(90, 503), desk.periods()), (ask(5), desk.periods())]);
    recover();
    desk.clock.stepWallClock(3_600_000);
    await desk.clock.advance(89_000);
    expect(await desk.periods()).toMatchObject({ error: { code: 'SERVICE_FAULT', retryAfterMs: 1_000 } });
    await desk.clock.advance(1_000);
    expect(await desk.periods()).toMatchObject({ ok: true });
  });

  it('says nothing of a record that another call asked for, and nothing of the time', async () => {
    ask(60, 404);
    await desk.getIncident();
    recover();
    await desk.clock.advance(30_000);
    expect(await desk.getIncident()).toMatchObject({ error: { code: 'SERVICE_FAULT', status: 503 } });
    expect(desk.serviceClock.isKnown()).toBe(false);
  });

  it('may be a date, by the clock of the service', async () => {
    const date = desk.clock.now() + 3_600_000;
    ask(new Date(date + 30_000).toUTCString());
    Object.assign(desk.service.headers, { date: new Date(date).toUTCString() });
    await desk.periods();
    recover();
    await desk.clock.advance(29_000);
    expect(await desk.periods()).toMatchObject({ error: { retryAfterMs: 1_000 } });
  });

  it.each([['0'], ['soon'], ['-5']])('of %s is none', async (seconds) => {
    ask(seconds);
    await desk.periods();
    recover();
    expect(await desk.periods()).toMatchObject({ ok: true });
  });
});
