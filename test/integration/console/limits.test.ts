import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { usualLimits } from '../../../electron/console/exchange.ts';
import { startConsole } from '../../../electron/console/start-console.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { open, openWire, statusesOf } from './ask.ts';
import { startBench, type Bench } from './console-bench.ts';

/** Short enough for a test; the console allows a hundred times as much. */
const HASTY_HEADERS = { headersTimeoutMs: 200, checkEveryMs: 50 };
const HASTY_BODY = { requestTimeoutMs: 400, headersTimeoutMs: 400, checkEveryMs: 50 };

const ownHeaders = (bench: Bench): string =>
  `Host: 127.0.0.1:${bench.console.port}\r\nOrigin: ${bench.console.origin}\r\nContent-Type: application/json\r\n`;

describe('the limits of the console', () => {
  it('are those that were decided on', () => {
    expect(usualLimits).toEqual({
      sockets: 64,
      headerBytes: 16_384,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 30_000,
      checkEveryMs: 2_000,
      keepAliveMs: 10_000,
      silenceMs: 120_000,
    });
  });

  it('end a client that never finishes its headers', async (context) => {
    const bench = await startBench(context, { limits: HASTY_HEADERS });
    const wire = openWire(bench.console.port);
    wire.socket.write('GET / HTTP/1.1\r\nHost: ');
    const drip = setInterval(() => wire.socket.write('a'), 20);
    const answer = await wire.answer;
    clearInterval(drip);
    expect(statusesOf(answer)).toEqual([408]);
  });

  it('end a client that says nothing at all', async (context) => {
    const bench = await startBench(context, { limits: HASTY_HEADERS });
    const wire = openWire(bench.console.port);
    expect(statusesOf(await wire.answer)).toEqual([408]);
  });

  it('end a client that never finishes its body', async (context) => {
    const bench = await startBench(context, { limits: HASTY_BODY });
    const { headers } = await bench.login();
    const wire = openWire(bench.console.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    wire.socket.write(
      `POST /call HTTP/1.1\r\n${ownHeaders(bench)}${lines.join('')}Content-Length: 100000\r\n\r\n`,
    );
    const drip = setInterval(() => wire.socket.write('a'), 20);
    const answer = await wire.answer;
    clearInterval(drip);
    expect(statusesOf(answer)).toEqual([408]);
  });

  it('end a body that goes on after it was refused', async (context) => {
    const bench = await startBench(context, { limits: HASTY_BODY });
    const wire = openWire(bench.console.port);
    wire.socket.write(`POST /call HTTP/1.1\r\n${ownHeaders(bench)}Content-Length: 100000\r\n\r\n`);
    const drip = setInterval(() => wire.socket.write('a'), 20);
    const answer = await wire.answer;
    clearInterval(drip);
    expect(statusesOf(answer)[0]).toBe(401);
  });

  it('end a connection that is kept open for nothing', async (context) => {
    const bench = await startBench(context, { limits: { keepAliveMs: 100 } });
    const wire = openWire(bench.console.port);
    wire.socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${bench.console.port}\r\n\r\n`);
    expect(statusesOf(await wire.answer)).toEqual([403]);
  });

  it('end a connection on which an answer is followed by rubbish, and write nothing into the answer', async (context) => {
    const bench = await startBench(context);
    const { headers } = await bench.login();
    const wire = openWire(bench.console.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    wire.socket.write(
      `GET /events HTTP/1.1\r\nHost: 127.0.0.1:${bench.console.port}\r\n${lines.join('')}\r\n`,
    );
    await eventually(() => bench.listeners() === 1, 'the stream');
    wire.socket.write('rubbish\r\n\r\n');
    expect(statusesOf(await wire.answer)).toEqual([200]);
    await eventually(() => bench.listeners() === 0, 'the page to be forgotten');
  });

  it.each(['rubbish\r\n\r\n', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'])(
    'keep no place for a client that was refused and does not hang up: %j',
    async (text) => {
      const bench = await startBench({ onTestFinished }, { limits: { sockets: 1 } });
      const socket = connect({ port: bench.console.port, host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.write(text);
      socket.resume();
      await once(socket, 'end');
      await eventually(() => bench.login().catch(() => undefined), 'room', 5000);
    },
  );

  it('checklist 51: let a person in while another program holds every connection', async (context) => {
    const bench = await startBench(context, { limits: { sockets: 4 } });
    const { port } = bench.console;
    const wires = Array.from({ length: 12 }, () => openWire(port));
    for (const { socket } of wires) socket.on('error', () => undefined);
    await eventually(
      () => wires.filter(({ socket }) => socket.closed).length >= 8,
      'the oldest to be closed',
    );
    const page = await bench.login();
    const wire = openWire(port);
    const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${page.cookie}\r\n\r\n`;
    wire.socket.write(head);
    await once(wire.socket, 'data');
    for (let more = 0; more < 8; more += 1) openWire(port).socket.on('error', () => undefined);
    expect((await bench.ask({ path: '/', headers: { cookie: page.cookie } })).status).toBe(200);
    // The connection of someone who is logged in is never closed to make room
    expect(wire.socket.closed).toBe(false);
  });
});

describe('a console that is stopped', () => {
  it('ends its streams, calls, sockets and sessions, and gives its port back', async (context) => {
    let given: AbortSignal | undefined;
    const bench = await startBench(context, {
      call: (_request, signal) => {
        given = signal;
        return new Promise(() => undefined);
      },
    });
    const { headers } = await bench.login();
    const { port } = bench.console;
    const stream = await open(port, { path: '/events', headers });
    stream.on('error', () => undefined);
    const isOver = new Promise((resolve) => stream.once('close', resolve));
    stream.resume();
    const idle = openWire(port);
    const call = bench.ask({ method: 'POST', path: '/call', headers, body: '{}' }).catch(() => 'cut');
    await eventually(() => given, 'the call');

    await bench.console.stop();
    await isOver;
    expect(await call).toBe('cut');
    expect(given?.aborted).toBe(true);
    expect(await idle.answer).toBe('');
    expect(bench.listeners()).toBe(0);
    await expect(bench.ask({ path: '/' })).rejects.toThrow('ECONNREFUSED');
    await bench.console.stop();

    const again = await startOn(port, bench.assetsDir);
    if (!again.ok) throw new Error(again.error.message);
    context.onTestFinished(() => again.value.stop());
    expect(again.value.port).toBe(port);
    expect((await bench.ask({ path: '/', headers })).status).toBe(403);
  });
});

describe('a port that is taken', () => {
  it('input F13: is a failure that says what to do', async (context) => {
    const bench = await startBench(context);
    const { port } = bench.console;
    expect(await startOn(port, bench.assetsDir)).toEqual({
      ok: false,
      error: {
        code: 'PORT_IN_USE',
        message: `Port ${port} is in use by another program.`,
        advice: 'Choose a different port for the console.',
        retryable: false,
        detail: expect.stringContaining('EADDRINUSE') as string,
      },
    });
    expect((await bench.ask({ path: '/' })).status).toBe(403);
  });
});

function startOn(port: number, assetsDir: string) {
  const silent = () => undefined;
  return startConsole({
    port,
    assetsDir,
    agent: {
      call: () => new Promise(() => undefined),
      signals: { on: () => silent },
      noteSignIn: silent,
      playClip: async () => ({ status: 404, headers: {} }),
    },
    clock: createSystemClock(),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
}
