import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findTestChromium } from '../../scripts/find-runtimes.ts';
import { openChromium } from '../electron-double/chromium.ts';
import { openPage, type PageHost } from '../electron-double/page-host.ts';
import { createPageUrls } from '../electron-double/page-urls.ts';
import { createSessions } from '../electron-double/session.ts';
// With the fixtures of the pages, so that their workers are reused for these
import { expect, test as base } from './helpers/desk.ts';

type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

interface Stream {
  readonly host: PageHost;
  /** Sets the answer of `app://desk/body`. */
  answer(body: Body): void;
}

/** A page of an app's own scheme on the substitute for Electron, without an app: the test is the scheme's handler. */
const test = base.extend<{ stream: Stream }>({
  // oxlint-disable-next-line no-empty-pattern
  stream: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'streamed-answers-'));
    const urls = createPageUrls();
    let isReady = false;
    const sessions = createSessions(urls, () => isReady);
    const privileges = { standard: true, secure: true };
    sessions.protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);
    isReady = true;
    let body: Body = '';
    sessions.protocol.handle('app', ({ url }) =>
      url.endsWith('/body')
        ? new Response(body)
        : new Response('<title>A page</title>', { headers: { 'content-type': 'text/html' } }),
    );
    const chromium = await openChromium({
      home,
      appPath: home,
      chromium: { kind: 'own', executable: findTestChromium() ?? '/usr/bin/chromium' },
      isPackaged: false,
      keyBackend: 'gnome_libsecret',
      keyStore: 'keyring',
    });
    const nothing = (): void => undefined;
    const host = await openPage(
      { chromium, urls, session: sessions.of(undefined), preload: undefined, width: 400, height: 300 },
      {
        mayNavigate: () => true,
        mayRedirect: () => true,
        mayOpenWindow: () => false,
        onRequest: async () => false,
        onInvoke: async () => undefined,
        onSend: nothing,
        onContextMenu: nothing,
        onUrl: nothing,
        onLoaded: nothing,
        onCrashed: nothing,
        onClosed: nothing,
      },
    );
    await host.navigate('app://desk/');
    await use({ host, answer: (next) => (body = next) });
    // It may be gone before it has answered
    await chromium.root.send('Browser.close').catch(() => undefined);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  },
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The page requests the answer and reads its first piece. */
const readFirst = `fetch('/body').then(async (answer) => {
  globalThis.reader = answer.body.getReader();
  return answer.status + ' ' + new TextDecoder().decode((await reader.read()).value);
})`;
const readNext = `reader.read().then(({ done, value }) => (done ? 'end' : new TextDecoder().decode(value)), () => 'failed')`;

test('a page of the double reads the first piece of an answer before the rest of it is there', async ({
  stream: { host, answer },
}) => {
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  answer(pieces.readable);
  void writer.write(bytes('one'));
  expect(await host.evaluate(readFirst)).toBe('200 one');
  void writer.write(bytes('two'));
  expect(await host.evaluate(readNext)).toBe('two');
  void writer.close();
  expect(await host.evaluate(readNext)).toBe('end');
});

test(
  'an answer of the double that fails on its way has begun for the page, and fails there',
  { tag: '@long' },
  async ({ stream: { host, answer } }) => {
    const pieces = new TransformStream<Uint8Array, Uint8Array>();
    const writer = pieces.writable.getWriter();
    answer(pieces.readable);
    void writer.write(bytes('one'));
    expect(await host.evaluate(readFirst)).toBe('200 one');
    await writer.abort(new Error('The share is gone'));
    expect(await host.evaluate(readNext)).toBe('failed');
  },
);

test(
  'an answer of the double is made no faster than the page takes it, and given up with it',
  { tag: '@long' },
  async ({ stream: { host, answer } }) => {
    let made = 0;
    let isGivenUp = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        made += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
      cancel: () => void (isGivenUp = true),
    });
    answer(endless);
    await host.evaluate(readFirst);
    const growth = async (): Promise<number> => {
      const before = made;
      await delay(200);
      return made - before;
    };
    await expect.poll(growth).toBe(0);
    expect(isGivenUp).toBe(false);
    await host.evaluate('reader.cancel()');
    await expect.poll(() => isGivenUp).toBe(true);
  },
);
