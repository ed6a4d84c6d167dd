import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import {
  createServeCall,
  type StartedAgent,
  createConfirmCall,
} from '../../../../electron/desktop/security/agent-calls.ts';
import type { CallReply } from '../../../../shared/ipc/envelope.ts';
import type { Question } from '../../../../electron/desktop/window/native-dialogs.ts';
import { say } from '../../../helpers/desk-tools.ts';

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

const CANCEL = 0;

const CARRY_OUT = 1;

const missing = err({ code: 'NOT_FOUND', message: 'No.', advice: 'No.', retryable: false } as const);

const user = {
  id: 7,
  firstName: 'Jo',
  lastName: 'Doe',
  name: '',
  email: 'jo@example.com',
  phoneNumber: '+14155550100',
};

function createDesk(answer: (question: Question) => number | Promise<number>) {
  const asked: Question[] = [];
  const calls: string[] = [];
  const lines: unknown[] = [];
  const log = (message: string, fields?: unknown): void => void lines.push([message, fields]);
  const confirm = createConfirmCall({
    say,
    dialogs: {
      ask: async (question) => {
        asked.push(question);
        return answer(question);
      },
    },
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const agent = {
    async call(request: unknown): Promise<CallReply> {
      const { call } = request as { readonly call: string };
      calls.push(call);
      if (call === 'users.get') return ok(user);
      return call === 'settings.key' ? ok({ isSet: true, needsRestart: false }) : missing;
    },
  };
  const ask = (request: unknown, gone = new AbortController().signal) => confirm(request, agent, gone);
  return { asked, calls, lines, ask };
}

const removal = { call: 'users.remove', input: { userId: 7 } };

describe('asking a person before a request is carried out', () => {
  it('names the user as the service does, not as the page says', async () => {
    const desk = createDesk(() => CARRY_OUT);
    expect(await desk.ask(removal)).toEqual(ok(undefined));
    expect(desk.asked[0]?.message).toBe('Delete Jo Doe?');
    expect(desk.asked[0]?.buttons).toEqual(['Cancel', 'Delete user']);
  });

  it('takes Enter and Escape as no', async () => {
    const desk = createDesk(({ usual }) => usual);
    expect(await desk.ask(removal)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(desk.asked[0]?.cancel).toBe(CANCEL);
  });

  it('writes down what was answered', async () => {
    const desk = createDesk(() => CANCEL);
    await desk.ask(removal);
    expect(desk.lines).toEqual([
      ['Confirmation was requested for a call', { call: 'users.remove', isConfirmed: false }],
    ]);
  });

  it('asks nothing, and nobody, about other requests', async () => {
    const desk = createDesk(() => CANCEL);
    expect(await desk.ask({ call: 'uploads.status', input: {} })).toEqual(ok(undefined));
    expect([desk.asked, desk.calls]).toEqual([[], []]);
  });

  it('compares the sign-in of a user with what the service has, not with what the page says', async () => {
    const desk = createDesk(() => CANCEL);
    const update = (changes: object) => ({ call: 'users.update', input: { userId: 7, changes } });
    expect(await desk.ask(update({ phoneNumber: '+14155550199' }))).toMatchObject({ ok: false });
    expect(desk.asked.map(({ message }) => message)).toEqual(['Let +14155550199 sign in as Jo Doe?']);
    expect(await desk.ask(update({ phoneNumber: user.phoneNumber }))).toEqual(ok(undefined));
    expect(desk.asked).toHaveLength(1);
  });

  it('has users created and changed side by side where nothing is to be asked', async () => {
    const desk = createDesk(() => CANCEL);
    const rename = { call: 'users.update', input: { userId: 7, changes: { firstName: 'Joe' } } };
    expect(await Promise.all([desk.ask(rename), desk.ask(rename)])).toEqual([ok(undefined), ok(undefined)]);
    expect(desk.calls).toEqual([]);
  });

  it('asks one question at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const desk = createDesk(() => promise);
    const first = desk.ask(removal);
    expect(await desk.ask(removal)).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED', retryable: true },
    });
    resolve(CARRY_OUT);
    expect(await first).toEqual(ok(undefined));
    expect(desk.asked).toHaveLength(1);
    expect(await desk.ask(removal)).toEqual(ok(undefined));
  });

  it('does not carry out what a page wanted that is gone by now', async () => {
    const page = new AbortController();
    const desk = createDesk(() => {
      page.abort();
      return CARRY_OUT;
    });
    expect(await desk.ask(removal, page.signal)).toMatchObject({ ok: false });
  });
});
