import { afterEach, expect, it, vi } from 'vitest';
import {
  createConsoleBridge,
  LONGEST_SILENCE_MS,
  readEvents,
} from '../../../../renderer/bridge/console-bridge.ts';
import { pageClock } from '../../../../renderer/bridge/bridge.ts';
import type { AgentSignal } from '../../../../shared/ipc/events.ts';

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<readonly AgentSignal[]> {
  const signals: AgentSignal[] = [];
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  await readEvents(stream, (signal) => void signals.push(signal));
  return signals;
}

const changed = { kind: 'changed', subject: 'uploads', version: 1 } as const;
const line = `data: ${JSON.stringify(changed)}\n\n`;

it('reads signals, whole or in pieces', async () => {
  expect(await read(line, line.slice(0, 9), line.slice(9))).toEqual([changed, changed]);
});

it('reads letters that are cut between two chunks', async () => {
  const notice = { kind: 'notice', level: 'info', code: 'INCIDENT_SENT', message: 'Tür' };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(notice)}\n\n`);
  const cut = bytes.indexOf(0xc3) + 1;
  expect(await read(bytes.slice(0, cut), bytes.slice(cut))).toEqual([notice]);
});

it('leaves out comments, other lines and what is no signal', async () => {
  const odd = [': heartbeat\n\n', 'data: {\n', 'data: {"kind":"other"}\n', 'event: x\n', 'data: 7\n'];
  expect(await read(...odd, line)).toEqual([changed]);
});

it('gives up a stream whose line never ends', async () => {
  await expect(read('data: ', 'x'.repeat(1_000_001))).rejects.toThrow('not one of the agent');
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('says what the agent says when it is asked too much, and not that it is away', async () => {
  const text = 'Too many requests at once.';
  vi.stubGlobal('fetch', async () => new Response(text, { status: 429 }));
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  const bridge = createConsoleBridge(pageClock);
  expect(await bridge.caller.call('health.get', {})).toMatchObject({
    ok: false,
    error: { message: text, advice: expect.stringContaining('Wait'), retryable: true },
  });
  bridge.onSignal(() => undefined);
  await vi.waitFor(() => expect(bridge.link()).toEqual({ kind: 'limited', text }));
  bridge.stop();
});

it('leaves no listener behind when it reconnects, however long the agent is away', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('refused')));
  vi.stubGlobal('sessionStorage', { getItem: () => 'token' });
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const bridge = createConsoleBridge(pageClock);
  bridge.onSignal(() => undefined);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(fetch).toHaveBeenCalledTimes(added.mock.calls.length);
  expect(added.mock.calls.length - removed.mock.calls.length).toBe(1);
  bridge.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('gives up a stream that falls silent, and lets go of its connection', async () => {
  vi.useFakeTimers();
  let isCancelled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: () => void (isCancelled = true),
  });
  const ended = readEvents(stream, () => undefined).catch(String);
  await vi.advanceTimersByTimeAsync(LONGEST_SILENCE_MS - 1);
  controller?.enqueue(new TextEncoder().encode(': still here\n\n'));
  await vi.advanceTimersByTimeAsync(LONGEST_SILENCE_MS - 1);
  expect(isCancelled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended).toContain('silent');
  expect(isCancelled).toBe(true);
});
