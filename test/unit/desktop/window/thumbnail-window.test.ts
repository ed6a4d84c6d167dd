import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ClipSource } from '../../../../electron/agent/index.ts';
import { createThumbnailWindow } from '../../../../electron/desktop/window/thumbnail-window.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const source: ClipSource = {
  sizeBytes: 10,
  read: async (start, end) => Uint8Array.from({ length: end - start }, (_, index) => start + index),
};
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xd9]).toString('base64');
const madeAnswer = { kind: 'made', jpeg, facts: { width: 4, height: 2, atMs: 0, by: 'decoder' } };

/** A window that loads nothing; the test plays the part of its page. */
class FakeWindow extends EventEmitter {
  readonly webContents = new EventEmitter();
  readonly options: Readonly<Record<string, unknown>>;
  url = '';
  /** The error that loading rejects with. */
  refusal: Error | undefined;
  private gone = false;
  constructor(options: Readonly<Record<string, unknown>>) {
    super();
    this.options = options;
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
    if (this.refusal !== undefined) throw this.refusal;
  }
  isDestroyed = (): boolean => this.gone;
  destroy(): void {
    this.gone = true;
    this.emit('closed');
  }
}

function bench() {
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const logger = { debug: log, info: log, warn: log, error: log };
  const windows: FakeWindow[] = [];
  const refusals: Error[] = [];
  const guarded: string[] = [];
  let handle: ((request: Request) => Promise<Response>) | undefined;
  const session = {
    on: () => undefined,
    setPermissionRequestHandler: () => guarded.push('request'),
    setPermissionCheckHandler: () => guarded.push('check'),
    setDevicePermissionHandler: () => guarded.push('device'),
    setDisplayMediaRequestHandler: () => guarded.push('display'),
    webRequest: { onBeforeRequest: () => guarded.push('requests') },
    protocol: { handle: (_scheme: string, handler: typeof handle) => (handle = handler) },
  };
  const partitions: string[] = [];
  const thumbnails = createThumbnailWindow({
    electron: {
      session: {
        fromPartition(name: string) {
          partitions.push(name);
          return session;
        },
      },
    } as never,
    openWindow: ((looks: object, box: object) => {
      const window = new FakeWindow({ ...looks, ...box });
      window.refusal = refusals.shift();
      windows.push(window);
      return window;
    }) as never,
    answerPage: async () => new Response('page'),
    isPackaged: true,
    clock,
    logger,
  });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
    if (handle === undefined) throw new Error('The scheme is not handled');
    return handle(new Request(`app://desk${path}`, init));
  };
  const told = (name: 'clip' | 'answer'): string =>
    new URL(windows.at(-1)?.url ?? '').searchParams.get(name) ?? '';
  const answer = (body: unknown): Promise<Response> =>
    ask(told('answer'), { method: 'POST', body: JSON.stringify(body) });
  const make = (signal = new AbortController().signal) => thumbnails.make(source, signal);
  return { clock, lines, windows, refusals, guarded, partitions, thumbnails, ask, told, answer, make };
}

describe('the window that makes pictures', () => {
  it('is hidden, in a session of its own that is guarded like the others, and made when it is needed', async () => {
    const { windows, guarded, partitions, make, answer } = bench();
    expect(windows).toHaveLength(0);
    const made = make();
    expect(windows[0]?.options).toMatchObject({ show: false, partition: 'thumbnails' });
    expect(partitions).toEqual(['thumbnails']);
    expect(guarded.toSorted()).toEqual(['check', 'device', 'display', 'request', 'requests']);
    expect((await answer(madeAnswer)).status).toBe(204);
    expect(await made).toMatchObject({
      kind: 'made',
      jpeg: Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xd9]),
    });
  });

  it('hands out pieces of the one clip, never more than there is, and nothing once it is answered', async () => {
    const { make, ask, told, answer } = bench();
    const made = make();
    const clip = told('clip');
    const piece = async (range?: string) => {
      const reply = await ask(clip, range === undefined ? {} : { headers: { range } });
      return [reply.status, reply.headers.get('content-range'), (await reply.arrayBuffer()).byteLength];
    };
    expect(await piece('bytes=2-4')).toEqual([206, 'bytes 2-4/10', 3]);
    expect(await piece('bytes=8-')).toEqual([206, 'bytes 8-9/10', 2]);
    expect(await piece('bytes=8-99999999')).toEqual([206, 'bytes 8-9/10', 2]);
    expect(await piece('bytes=10-')).toEqual([416, 'bytes */10', 0]);
    expect(await piece('bytes=-5')).toEqual([400, null, 0]);
    expect(await piece('bytes=0-1,4-5')).toEqual([400, null, 0]);
    expect(await piece()).toEqual([400, null, 0]);
    expect((await ask(`${clip}x`, { headers: { range: 'bytes=0-' } })).status).toBe(404);
    expect((await ask(clip, { method: 'POST' })).status).toBe(405);
    await answer(madeAnswer);
    await made;
    expect(await piece('bytes=2-4')).toEqual([404, null, 0]);
  });

  it.each([
    ['no JSON', 'what'],
    ['a picture of 10,000 pixels', { ...madeAnswer, facts: { ...madeAnswer.facts, width: 10_000 } }],
    ['words of its own', { kind: 'none', reason: 'because' }],
    ['more than was asked', { ...madeAnswer, html: '<script>' }],
    ['a picture beyond all limits', { ...madeAnswer, jpeg: 'A'.repeat(400_000) }],
  ])('does not believe a page that answers %s', async (_what, body) => {
    const { make, answer } = bench();
    const made = make();
    expect((await answer(body)).status).toBe(400);
    await answer({ kind: 'none', reason: 'black' });
    expect(await made).toEqual({ kind: 'none', reason: 'black' });
  });

  it('is recreated after a crash, and switched off after three in a row', async () => {
    const { windows, make, lines } = bench();
    for (let crash = 0; crash < 3; crash += 1) {
      const made = make();
      windows.at(-1)?.webContents.emit('render-process-gone');
      expect(await made).toEqual({ kind: 'none', reason: 'crash' });
    }
    expect(windows.every((window) => window.isDestroyed())).toBe(true);
    expect(await make()).toEqual({ kind: 'none', reason: 'off' });
    expect(windows).toHaveLength(3);
    expect(lines).toContain('Thumbnails are off until the app restarts');
  });

  it.each([
    ['ERR_FAILED', 'crash'],
    ['ERR_ABORTED', 'still waiting'],
  ])('takes a load that ends with %s for a %s', async (code, expected) => {
    const { refusals, make } = bench();
    refusals.push(Object.assign(new Error(`${code} (-3) loading 'app://desk/'`), { code }));
    const ending = make().then((answer) => (answer.kind === 'none' ? answer.reason : answer.kind));
    const waiting = settle().then(() => 'still waiting');
    expect(await Promise.race([ending, waiting])).toBe(expected);
  });

  it('counts crashes in a row only', async () => {
    const { windows, make, answer } = bench();
    for (let round = 0; round < 3; round += 1) {
      for (let crash = 0; crash < 2; crash += 1) {
        const made = make();
        windows.at(-1)?.webContents.emit('render-process-gone');
        expect(await made).toEqual({ kind: 'none', reason: 'crash' });
      }
      const made = make();
      await answer({ kind: 'none', reason: 'black' });
      expect(await made).toEqual({ kind: 'none', reason: 'black' });
    }
  });

  it('is ended when its page hangs, and when nobody waits any more', async () => {
    const { clock, windows, make } = bench();
    const hung = make();
    await clock.advance(25_000);
    expect(await hung).toEqual({ kind: 'none', reason: 'deadline' });
    expect(windows[0]?.isDestroyed()).toBe(true);
    const stopping = new AbortController();
    const stopped = make(stopping.signal);
    stopping.abort(new Error('stopping'));
    await expect(stopped).rejects.toThrow('stopping');
    expect(windows[1]?.isDestroyed()).toBe(true);
  });

  it('serves the next clip from the same window, and is closed after a minute without one', async () => {
    const { clock, windows, make, answer } = bench();
    for (const pauseMs of [59_000, 59_000, 60_000]) {
      const made = make();
      await answer({ kind: 'none', reason: 'black' });
      await made;
      await clock.advance(pauseMs);
      await settle();
    }
    expect(windows).toHaveLength(1);
    expect(windows[0]?.isDestroyed()).toBe(true);
  });

  it('tells why a clip cannot be read any more', async () => {
    const { thumbnails, ask, told } = bench();
    const read = async (): Promise<never> => {
      throw new Error('the share is away');
    };
    const made = thumbnails.make({ sizeBytes: 10, read }, new AbortController().signal);
    expect((await ask(told('clip'), { headers: { range: 'bytes=0-3' } })).status).toBe(404);
    await expect(made).rejects.toThrow('the share is away');
  });
});
