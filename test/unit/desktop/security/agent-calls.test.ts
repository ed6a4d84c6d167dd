import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import { createServeCall, type StartedAgent } from '../../../../electron/desktop/security/agent-calls.ts';

const refusal = { code: 'CANCELLED', message: 'No.', advice: 'None.', retryable: false } as const;
const inUse = { code: 'DATA_IN_USE', message: 'In use.', advice: 'Wait.', retryable: true } as const;
const silent = (): void => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const never = new AbortController().signal;
const request = { call: 'uploads.status', input: {} };

function serveWith(started: StartedAgent, confirmed: 'yes' | 'no' | 'broken' = 'yes') {
  return createServeCall({
    started,
    async confirm() {
      if (confirmed === 'broken') throw new Error('broken');
      return confirmed === 'yes' ? ok(undefined) : err(refusal);
    },
    logger,
  });
}

describe('calls of the page', () => {
  it('wait for the agent to start', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<StartedAgent>>();
    const reply = serveWith(promise)(request, never);
    resolve(ok({ call: async (asked: unknown) => ok(asked) }));
    expect(await reply).toEqual(ok(request));
  });

  it('are answered with the reason when it cannot start', async () => {
    expect(await serveWith(Promise.resolve(err(inUse)))(request, never)).toEqual(err(inUse));
  });

  it('end with the page that waits', async () => {
    const page = new AbortController();
    const reply = serveWith(new Promise(() => undefined))(request, page.signal);
    page.abort();
    expect(await reply).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  it('hand the end of the page on to the agent', async () => {
    const page = new AbortController();
    const signals: (AbortSignal | undefined)[] = [];
    const agent = { call: async (_: unknown, signal?: AbortSignal) => (signals.push(signal), ok(1)) };
    await serveWith(Promise.resolve(ok(agent)))(request, page.signal);
    expect(signals).toEqual([page.signal]);
  });

  it('do not reach the agent when a person says no, or could not be asked', async () => {
    const calls: unknown[] = [];
    const agent = { call: async (asked: unknown) => (calls.push(asked), ok(1)) };
    expect(await serveWith(Promise.resolve(ok(agent)), 'no')(request, never)).toEqual(err(refusal));
    expect(await serveWith(Promise.resolve(ok(agent)), 'broken')(request, never)).toMatchObject({
      ok: false,
      error: { code: 'CALL_FAULT' },
    });
    expect(calls).toEqual([]);
  });
});
