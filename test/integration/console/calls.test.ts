import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { securityHeaders } from '../../../electron/console/page-files.ts';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { ask, openWire, statusesOf } from './ask.ts';
import { startBench, type Bench, type Page } from './console-bench.ts';

const MEGABYTE = 1024 * 1024;
const call = (bench: Bench, page: Page, body: string | Buffer) =>
  bench.ask({ method: 'POST', path: '/call', headers: page.headers, body });

/** An agent that accepts calls and answers each when the test says so. */
function createSlowAgent() {
  const waiting: { readonly signal: AbortSignal; answer(): void }[] = [];
  return {
    waiting,
    /** The call with that number, from 0, as soon as it has arrived. */
    async taken(number: number) {
      await eventually(() => waiting.length > number, 'the call');
      return waiting[number]!;
    },
    call: (_request: unknown, signal: AbortSignal) =>
      new Promise<CallReply>((resolve, reject) => {
        waiting.push({ signal, answer: () => resolve({ ok: true, value: 'late' }) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
}

describe('a call', () => {
  it('reaches the agent as it was sent, and its reply comes back', async (context) => {
    const bench = await startBench(context);
    const request = { call: 'uploads.getClip', input: { clipId: 'ä\u202e', __proto__: null } };
    const answer = await call(bench, await bench.login(), JSON.stringify(request));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(securityHeaders);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({ ok: true, value: request });
  });

  it('that fails is answered like any other', async (context) => {
    const error = { code: 'NOT_FOUND', message: 'Gone.', advice: 'Look again.', retryable: false } as const;
    const bench = await startBench(context, { call: async () => ({ ok: false, error }) });
    const answer = await call(bench, await bench.login(), '{}');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ ok: false, error });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'call=health.get'],
    ['half of it', '{"call":'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])('of %s is refused', async (_what, body) => {
    const bench = await startBench({ onTestFinished });
    const answer = await call(bench, await bench.login(), body);
    expect(answer.status).toBe(400);
    const advice = 'Reload the page and try again.';
    expect(answer.json()).toMatchObject({
      ok: false,
      error: { code: 'CALL_FAULT', advice, retryable: false },
    });
  });

  it('of a very deep nest harms nothing', async (context) => {
    const bench = await startBench(context, { call: async () => ({ ok: true, value: 'alive' }) });
    const page = await bench.login();
    const depth = 500_000;
    expect((await call(bench, page, '['.repeat(depth) + ']'.repeat(depth))).status).toBe(200);
    expect((await call(bench, page, '{}')).json()).toEqual({ ok: true, value: 'alive' });
  });

  it('input G3: may have one megabyte and no byte more, stated or not', async (context) => {
    const bench = await startBench(context, { call: async () => ({ ok: true, value: null }) });
    const page = await bench.login();
    const text = (size: number) => `"${'a'.repeat(size - 2)}"`;
    expect((await call(bench, page, text(MEGABYTE))).status).toBe(200);
    const stated = await call(bench, page, text(MEGABYTE + 1));
    expect(stated.status).toBe(413);
    expect(stated.json()).toMatchObject({
      error: {
        message: 'The request is larger than 1 MB.',
        advice: 'Try again with fewer items or shorter text.',
      },
    });
    const headers = { ...page.headers, 'content-length': undefined, 'transfer-encoding': 'chunked' };
    const question = { method: 'POST', path: '/call', headers, body: text(MEGABYTE + 1) };
    expect((await bench.ask(question)).status).toBe(413);
  });

  it('that is too large leaves the connection usable', async (context) => {
    const bench = await startBench(context);
    const page = await bench.login();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.onTestFinished(() => agent.destroy());
    const question = { method: 'POST', path: '/call', headers: page.headers, agent };
    const large = await ask(bench.console.port, { ...question, body: 'a'.repeat(3 * MEGABYTE) });
    expect(large.status).toBe(413);
    expect((await ask(bench.console.port, { ...question, body: '{}' })).json()).toEqual({
      ok: true,
      value: {},
    });
  });

  it('is given up when the page leaves', async (context) => {
    const agent = createSlowAgent();
    const bench = await startBench(context, { call: agent.call });
    const { headers } = await bench.login();
    const { socket } = openWire(bench.console.port);
    const fields = Object.entries({ ...headers, 'content-type': 'application/json', 'content-length': '2' });
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const own = `Host: 127.0.0.1:${bench.console.port}\r\nOrigin: ${bench.console.origin}\r\n`;
    socket.write(`POST /call HTTP/1.1\r\n${own}${lines}\r\n{}`);
    const taken = await agent.taken(0);
    expect(taken.signal.aborted).toBe(false);
    socket.destroy();
    await eventually(() => taken.signal.aborted, 'the call to be given up');
    expect(bench.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('is not given up when it was answered', async (context) => {
    const agent = createSlowAgent();
    const bench = await startBench(context, { call: agent.call });
    const page = await bench.login();
    const answer = call(bench, page, '{}');
    const taken = await agent.taken(0);
    taken.answer();
    expect((await answer).json()).toEqual({ ok: true, value: 'late' });
    await call(bench, page, 'no JSON');
    expect(taken.signal.aborted).toBe(false);
  });

  it('on which the agent has a bug says so, and hides the reason from the page', async (context) => {
    const bench = await startBench(context, { call: () => Promise.reject(new Error('a secret detail')) });
    const answer = await call(bench, await bench.login(), '{}');
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({ ok: false, error: { code: 'CALL_FAULT', retryable: true } });
    expect(answer.text).not.toContain('secret detail');
    expect(bench.lines.filter((line) => line.startsWith('error The console could not handle'))).toHaveLength(
      1,
    );
  });
});

describe('many calls', () => {
  it('are worked on sixteen at a time; one more is told to come again', async (context) => {
    const agent = createSlowAgent();
    const bench = await startBench(context, { call: agent.call });
    const page = await bench.login();
    const answers = Array.from({ length: 16 }, () => call(bench, page, '{}'));
    await eventually(() => agent.waiting.length === 16, 'sixteen calls');
    const refused = await call(bench, page, '{}');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toMatchObject({ error: { retryable: true, retryAfterMs: 1000 } });
    for (const one of agent.waiting) one.answer();
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    const next = call(bench, page, '{}');
    (await agent.taken(16)).answer();
    expect((await next).status).toBe(200);
  });

  it('input G7: are slowed down to a hundred a second after two hundred at once, session by session', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const greedy = await bench.login();
    const calm = await bench.login();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    context.onTestFinished(() => agent.destroy());
    const askAs = ({ headers }: Page) =>
      ask(bench.console.port, { method: 'POST', path: '/call', headers, body: '{}', agent });
    // The page has already fetched its token
    const first = await Promise.all(Array.from({ length: 220 }, () => askAs(greedy)));
    expect(first.filter(({ status }) => status === 200)).toHaveLength(199);
    const refused = first.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(21);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await askAs(calm)).status).toBe(200);
    await clock.advance(500);
    const later = await Promise.all(Array.from({ length: 60 }, () => askAs(greedy)));
    expect(later.filter(({ status }) => status === 200)).toHaveLength(50);
  });

  it('on one connection are answered in their order, without waiting to be read', async (context) => {
    const bench = await startBench(context);
    const { headers } = await bench.login();
    const { port, origin } = bench.console;
    const wire = openWire(port);
    const own = Object.entries({
      ...headers,
      host: `127.0.0.1:${port}`,
      origin,
      'content-type': 'application/json',
    });
    const lines = own.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const post = (body: string, end = '') =>
      `POST /call HTTP/1.1\r\n${lines}${end}Content-Length: ${body.length}\r\n\r\n${body}`;
    wire.socket.write(post('"one"') + post('two') + post('"three"', 'Connection: close\r\n'));
    const answer = await wire.answer;
    expect(statusesOf(answer)).toEqual([200, 400, 200]);
    expect(answer.indexOf('"one"')).toBeLessThan(answer.indexOf('"three"'));
  });
});
