import { describe, expect, it } from 'vitest';
import { ok } from '../../../../shared/lib/result.ts';
import { openIpcGateway } from '../../../../electron/desktop/security/ipc-gateway.ts';

type Ear = (event: unknown, request: unknown) => Promise<unknown>;

const mainFrame = {
  parent: null,
  detached: false,
  isDestroyed: () => false,
  url: 'app://desk/',
  origin: 'app://desk',
};
const contents = { mainFrame };
const own = { sender: contents, senderFrame: mainFrame };

function createDesk() {
  const ears = new Map<string, Ear>();
  const asked: unknown[] = [];
  const warnings: unknown[] = [];
  const page = { gone: new AbortController().signal };
  let work = async (): Promise<void> => undefined;
  const silent = (): void => undefined;
  const gateway = openIpcGateway({
    electron: {
      ipcMain: {
        handle: (channel: string, ear: Ear) => void ears.set(channel, ear),
        removeHandler: (channel: string) => void ears.delete(channel),
      },
    } as never,
    page: { contents: () => contents as never, gone: () => page.gone },
    answers: {
      async call(request, gone) {
        asked.push({ request, isGone: gone.aborted });
        await work();
        return ok('called');
      },
      async order(request) {
        asked.push(request);
        await work();
        return ok('ordered');
      },
    },
    logger: { debug: silent, info: silent, warn: (...line) => void warnings.push(line), error: silent },
  });
  const send = async (channel: string, request: unknown, event: unknown = own) =>
    ears.get(channel)?.(event, request);
  return { ears, asked, warnings, page, gateway, send, setWork: (next: typeof work) => (work = next) };
}

describe('the door for messages of the page', () => {
  it('has two handles and no others, and takes them off again', () => {
    const { ears, gateway } = createDesk();
    expect([...ears.keys()]).toEqual(['agent:call', 'desktop:order']);
    gateway.close();
    expect([...ears.keys()]).toEqual([]);
  });

  it('hands calls and orders on and answers with their replies', async () => {
    const { send, asked } = createDesk();
    expect(await send('agent:call', { call: 'a', input: {} })).toEqual(ok('called'));
    expect(await send('desktop:order', { call: 'b', input: {} })).toEqual(ok('ordered'));
    expect(asked).toEqual([
      { request: { call: 'a', input: {} }, isGone: false },
      { call: 'b', input: {} },
    ]);
  });

  it.each([
    ['a frame in the page', { ...own, senderFrame: { ...mainFrame, parent: mainFrame } }],
    ['a frame that is gone', { ...own, senderFrame: null }],
    ['another window', { ...own, sender: { mainFrame } }],
    ['a page elsewhere', { ...own, senderFrame: { ...mainFrame, url: 'https://evil/' } }],
  ])('is shut for %s: it is told nothing, and the log says so', async (_, event) => {
    const { send, asked, warnings } = createDesk();
    for (const channel of ['agent:call', 'desktop:order'])
      await expect(send(channel, { call: 'a', input: {} }, event)).rejects.toThrow('Refused');
    expect([asked.length, warnings.length]).toEqual([0, 2]);
  });

  it('takes calls up to 1 MB, and orders as large as a list that is saved', async () => {
    const { send, asked } = createDesk();
    const large = { call: 'a', input: { text: 'x'.repeat(2_000_000) } };
    expect(await send('agent:call', large)).toMatchObject({ ok: false, error: { code: 'CALL_INPUT' } });
    expect(asked).toEqual([]);
    expect(await send('desktop:order', large)).toEqual(ok('ordered'));
  });

  it('takes plain data only', async () => {
    const { send } = createDesk();
    const strange = { call: 'a', input: new Map() };
    expect(await send('agent:call', strange)).toMatchObject({ ok: false, error: { code: 'CALL_INPUT' } });
  });

  it('lets sixteen calls work at a time, and turns away who comes when 256 wait', async () => {
    const { send, asked, setWork } = createDesk();
    const { promise, resolve } = Promise.withResolvers<void>();
    setWork(() => promise);
    const replies = Array.from({ length: 16 + 256 }, () => send('agent:call', { call: 'a', input: {} }));
    expect(await send('agent:call', { call: 'late', input: {} })).toMatchObject({
      ok: false,
      error: { code: 'CALL_FAULT', retryable: true },
    });
    expect(asked).toHaveLength(16);
    resolve();
    expect(new Set((await Promise.all(replies)).map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(asked).toHaveLength(16 + 256);
  });

  it('begins nothing for a page that is gone', async () => {
    const { send, asked, page } = createDesk();
    page.gone = AbortSignal.abort();
    expect(await send('agent:call', { call: 'a', input: {} })).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
  });
});
