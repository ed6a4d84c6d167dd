import { describe, expect, it } from 'vitest';
import { ok } from '../../../../shared/lib/result.ts';
import {
  openIpcGateway,
  measureData,
  isOwnSender,
  readSender,
  type SenderFacts,
} from '../../../../electron/desktop/security/ipc-gateway.ts';

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
  ])('input G2, checklist 8: is shut for %s: it is told nothing, and the log says so', async (_, event) => {
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

  it('input G4: takes plain data only', async () => {
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
    expect(await send('agent:call', { call: 'a', input: {} })).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    });
    expect(asked).toEqual([]);
  });
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) });

const loop: Record<string, unknown> = {};

loop['self'] = loop;

const plain: readonly unknown[] = [
  undefined,
  null,
  'text',
  12.5,
  true,
  [],
  {},
  { call: 'settings.get', input: {} },
  { a: [1, [2, { b: null }]] },
  nested(15),
  Object.create(null),
];

const strange: readonly unknown[] = [
  new Date(0),
  new Map(),
  new Set(),
  new Uint8Array(4),
  new ArrayBuffer(4),
  /x/,
  new Error('x'),
  10n,
  Symbol('x'),
  () => 1,
  { a: [new Map()] },
  nested(17),
  loop,
];

describe('the size of what a page sends', () => {
  it.each(plain.map((value) => [value]))('%o is plain data', (value) => {
    expect(measureData(value, 1000)).toBe('fits');
  });

  it.each(strange.map((value) => [value]))('%o is none', (value) => {
    expect(measureData(value, 1_000_000)).toBe('no plain data');
  });

  it.each([
    ['a text', 'x'.repeat(1001)],
    ['texts together', Array.from({ length: 20 }, () => 'x'.repeat(60))],
    ['a name', { ['x'.repeat(1001)]: 1 }],
    ['very many values', Array.from({ length: 1000 }, () => 1)],
    ['a list that is mostly holes', Array.from({ length: 1000 })],
    ['a list of a million holes', Object.assign([], { length: 1_000_000 })],
  ])('%s can be too large', (_, value) => {
    expect(measureData(value, 1000)).toBe('too large');
  });

  it('takes what is exactly as large as it may be', () => {
    expect(measureData('x'.repeat(996), 1000)).toBe('fits');
    expect(measureData('x'.repeat(997), 1000)).toBe('too large');
  });
});

const ownFacts: SenderFacts = {
  isOwnWindow: true,
  isMainFrame: true,
  isGone: false,
  url: 'app://desk/#/uploads',
  origin: 'app://desk',
};

const refused: readonly (readonly [string, Partial<SenderFacts>])[] = [
  ['another window', { isOwnWindow: false }],
  ['a frame in the page', { isMainFrame: false }],
  ['a frame that is gone', { isGone: true }],
  ['an empty address', { url: '' }],
  ['about:blank', { url: 'about:blank' }],
  ['about:srcdoc', { url: 'about:srcdoc' }],
  ['another host', { url: 'app://other/' }],
  ['a host that begins as ours', { url: 'app://desk.evil/' }],
  ['a user name that looks like ours', { url: 'app://desk@evil/' }],
  ['a blob of ours', { url: 'blob:app://desk/1c4a' }],
  ['a web page', { url: 'https://desk/', origin: 'https://desk' }],
  ['our address with another origin', { origin: 'https://evil' }],
  ['our address with no origin', { origin: 'null' }],
  ['our address with an empty origin', { origin: '' }],
  ['an origin in capitals', { origin: 'APP://desk' }],
  ['a file', { url: 'file:///desk/', origin: 'file://' }],
];

describe('who may send messages', () => {
  it('is the main frame of our window, on a page of ours', () => {
    expect(isOwnSender(ownFacts)).toBe(true);
  });

  it.each(refused)('not %s', (_, facts) => {
    expect(isOwnSender({ ...ownFacts, ...facts })).toBe(false);
  });
});

describe('reading the sender of a message', () => {
  const mainFrame = {
    parent: null,
    detached: false,
    isDestroyed: () => false,
    url: 'app://desk/',
    origin: 'app://desk',
  };
  const contents = { mainFrame };
  const read = (senderFrame: unknown, sender: unknown = contents) =>
    readSender({ sender, senderFrame } as never, contents as never);

  it('knows our own frame', () => {
    expect(isOwnSender(read(mainFrame))).toBe(true);
  });

  it.each([
    ['no frame', null, contents],
    ['a destroyed frame', { ...mainFrame, isDestroyed: () => true }, contents],
    ['a detached frame', { ...mainFrame, detached: true }, contents],
    ['a frame below another', { ...mainFrame, parent: mainFrame }, contents],
    ['a frame that is not the main one', { ...mainFrame }, contents],
    ['other contents', mainFrame, { mainFrame }],
  ])('input G2: and refuses %s', (_, frame, sender) => {
    expect(isOwnSender(read(frame, sender))).toBe(false);
  });

  it('refuses all while there is no window', () => {
    const facts = readSender({ sender: contents, senderFrame: mainFrame } as never, undefined);
    expect(isOwnSender(facts)).toBe(false);
  });
});
