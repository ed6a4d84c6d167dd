import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { securityHeaders } from '../../../electron/console/page-files.ts';
import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';
import { open } from './ask.ts';
import { startBench, type Bench, type Page } from './console-bench.ts';

const changed = (version: number): AgentSignal => ({ kind: 'changed', subject: 'uploads', version });
const progress = (bytesDone: number, clips = 0): AgentSignal => ({
  kind: 'progress',
  bytesPerSecond: 1,
  bytesTotal: 1e12,
  bytesDone,
  clips: Array.from({ length: clips }, (_, at) => ({ id: `clip ${at}`, bytesSent: bytesDone })),
});

/** A page that listens; `text` grows as it is read. */
async function listen(bench: Bench, page: Page) {
  const response = await open(bench.console.port, { path: '/events', headers: page.headers });
  const heard = { response, text: '', isOver: false };
  response.setEncoding('utf8');
  response.on('data', (text: string) => void (heard.text += text));
  response.on('error', () => undefined);
  response.once('close', () => void (heard.isOver = true));
  return heard;
}

const signalsIn = (text: string): readonly AgentSignal[] =>
  [...text.matchAll(/^data: ([^\n]*)\n\n/gm)].map((match) => JSON.parse(match[1] ?? '') as AgentSignal);

describe('a page that listens', () => {
  it('is told at once that it is connected, and then each signal on a line', async (context) => {
    const bench = await startBench(context);
    const heard = await listen(bench, await bench.login());
    expect(heard.response.statusCode).toBe(200);
    expect(heard.response.headers).toMatchObject({
      ...securityHeaders,
      'content-type': 'text/event-stream; charset=utf-8',
    });
    await eventually(() => heard.text === ': connected\n\n', 'the first line');
    const notice: AgentSignal = {
      kind: 'notice',
      level: 'info',
      code: 'INCIDENT_SENT',
      message: 'two\nlines\u2028and more',
    };
    const signals = [changed(1), progress(5, 2), notice, { ...changed(2), incidentIds: ['a'] }] as const;
    for (const signal of signals) bench.emit(signal);
    await eventually(() => signalsIn(heard.text).length === 4, 'four signals');
    expect(signalsIn(heard.text)).toEqual(signals);
    expect(heard.text.split('\n\n')).toHaveLength(6);
  });

  it('hears a sign of life every fifteen seconds', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const heard = await listen(bench, await bench.login());
    await clock.untilAsleep();
    await clock.advance(14_999);
    bench.emit(changed(1));
    await eventually(() => heard.text.includes('data:'), 'the signal');
    expect(heard.text).not.toContain('still here');
    await clock.advance(1);
    await eventually(() => heard.text.endsWith(': still here\n\n'), 'the sign of life');
    await clock.advance(30_000);
    await eventually(() => heard.text.split(': still here\n\n').length === 4, 'two more');
  });

  it('keeps its session alive over a quiet weekend', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const page = await bench.login();
    const heard = await listen(bench, page);
    await clock.untilAsleep();
    for (let hour = 0; hour < 60; hour += 1) await clock.advance(3_600_000);
    expect(heard.isOver).toBe(false);
    const question = { method: 'POST', path: '/call', headers: page.headers, body: '{}' };
    expect((await bench.ask(question)).status).toBe(200);
  });

  it('is forgotten when it leaves', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const heard = await listen(bench, await bench.login());
    await clock.untilAsleep();
    expect(bench.listeners()).toBe(1);
    heard.response.destroy();
    await eventually(() => bench.listeners() === 0 && clock.sleepers() === 0, 'the page to be forgotten');
    bench.emit(changed(1));
  });

  it('hears no more when its session ends', async (context) => {
    const bench = await startBench(context);
    const page = await bench.login();
    const heard = await listen(bench, page);
    const { pathname } = new URL(bench.console.createLaunchUrl());
    await bench.ask({ path: pathname, headers: { cookie: page.cookie } });
    await eventually(() => heard.isOver, 'the stream to end');
    expect(heard.response.complete).toBe(true);
    expect(bench.listeners()).toBe(0);
  });

  it('checklist 50: is one of four at most', async (context) => {
    const bench = await startBench(context);
    const page = await bench.login();
    const pages: { readonly response: IncomingMessage }[] = [];
    for (let count = 0; count < 4; count += 1) pages.push(await listen(bench, page));
    const refused = await bench.ask({ path: '/events', headers: page.headers });
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect(bench.listeners()).toBe(4);
    pages[0]?.response.destroy();
    await eventually(() => bench.listeners() === 3, 'one to leave');
    expect((await listen(bench, page)).response.statusCode).toBe(200);
  });

  it.each(['POST', 'HEAD'])('does not ask with %s', async (method) => {
    const bench = await startBench({ onTestFinished });
    const { headers } = await bench.login();
    const body = method === 'POST' ? { body: '{}' } : {};
    const answer = await bench.ask({ method, path: '/events', headers, ...body });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  });
});

describe('an agent that cannot be listened to', () => {
  it('costs the page its stream, and nobody else anything', async (context) => {
    const bench = await startBench(context, {
      on: () => {
        throw new Error('a bug');
      },
    });
    const page = await bench.login();
    for (let tries = 0; tries < 6; tries += 1) {
      const heard = await listen(bench, page);
      await eventually(() => heard.isOver, 'the stream to end');
      expect(heard.response.complete).toBe(false);
    }
    expect(bench.lines.filter((line) => line.startsWith('error The console could not handle'))).toHaveLength(
      6,
    );
    expect((await bench.ask({ path: '/', headers: page.headers })).status).toBe(200);
  });
});

describe('a page that does not read', () => {
  /** Far more signals than all buffers between the two sides can hold. */
  const MANY = 20_000;
  const CLIPS = 100;

  /** Emits the signals and returns their size in bytes. */
  async function flood(bench: Bench): Promise<number> {
    let bytes = 0;
    for (let step = 1; step <= MANY; step += 1) {
      const signal = progress(step, CLIPS);
      bytes += JSON.stringify(signal).length;
      bench.emit(signal);
      bench.emit(changed(step));
      // The socket gets a turn, as between real signals: otherwise only the first ones reach the buffers
      if (step % 10 === 0) await new Promise(setImmediate);
    }
    return bytes;
  }

  it('is told later what it all came to, and costs no more meanwhile', async (context) => {
    const bench = await startBench(context);
    const heard = await listen(bench, await bench.login());
    await eventually(() => heard.text !== '', 'the stream');
    heard.response.pause();
    const toldBytes = await flood(bench);
    heard.response.resume();
    await eventually(() => signalsIn(heard.text.slice(-50_000)).at(-1)?.kind === 'progress', 'the rest');
    await eventually(() => heard.text.includes(`"version":${MANY}}`), 'the last change');
    await eventually(() => heard.text.includes(`"bytesDone":${MANY},`), 'the last progress');
    expect(toldBytes).toBeGreaterThan(60_000_000);
    expect(heard.text.length).toBeLessThan(toldBytes / 3);
    const versions = signalsIn(heard.text).flatMap((one) => (one.kind === 'changed' ? [one.version] : []));
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
  });

  it('harms nothing when its session ends while it is behind', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const page = await bench.login();
    const heard = await listen(bench, page);
    heard.response.pause();
    await flood(bench);
    const { pathname } = new URL(bench.console.createLaunchUrl());
    await bench.ask({ path: pathname, headers: { cookie: page.cookie } });
    bench.emit(changed(1));
    await clock.advance(60_000);
    expect(bench.listeners()).toBe(1);
    heard.response.resume();
    await eventually(() => heard.isOver, 'the stream to end');
    expect(heard.response.complete).toBe(true);
    await eventually(() => bench.listeners() === 0, 'the page to be forgotten');
  });

  it('is let go when nothing moved for too long', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock, limits: { silenceMs: 300 } });
    const heard = await listen(bench, await bench.login());
    heard.response.pause();
    await flood(bench);
    // Keep-alives must not count as progress
    const isGone = async () => {
      await clock.advance(15_000);
      return bench.listeners() === 0;
    };
    await eventually(isGone, 'the page to be let go', 10_000);
  });
});
