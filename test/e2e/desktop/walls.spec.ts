import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callInPage, expect, test } from './desktop.ts';

/** A site that must not receive any request. */
async function openSite() {
  const heard: string[] = [];
  const server = createServer((request, answer) => {
    heard.push(request.url ?? '');
    answer.end('<h1>elsewhere</h1>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

test('a page cannot be led elsewhere, nor open a second window', async ({ standing }) => {
  const { page } = standing;
  const site = await openSite();
  const before = page.url();
  const ways: readonly ((url: string) => void)[] = [
    (url) => location.assign(url),
    (url) => void window.open(url),
    (url) => {
      const link = Object.assign(document.createElement('a'), { href: url, target: '_blank' });
      document.body.append(link);
      link.click();
    },
    (url) => {
      const form = Object.assign(document.createElement('form'), { action: url });
      document.body.append(form);
      form.submit();
    },
  ];
  for (const [number, way] of ways.entries()) {
    await page.evaluate(way, `${site.url}${number}`);
    // A call goes to the main process and back: by then the page's earlier requests have been decided.
    expect(await callInPage(page, 'health.get')).toMatchObject({ ok: true });
  }
  expect(page.url()).toBe(before);
  await expect.poll(() => page.context().pages().length).toBe(1);
  expect(site.heard).toEqual([]);
  site.close();
});

test('a page gets nothing from elsewhere and nothing of the device', async ({ standing }) => {
  const { page } = standing;
  const site = await openSite();
  const found = await page.evaluate(async (url) => {
    const refused = (error: unknown): string => (error instanceof Error ? error.name : String(error));
    const image = new Image();
    const loaded = new Promise((resolve) => {
      image.addEventListener('load', () => resolve('loaded'));
      image.addEventListener('error', () => resolve('refused'));
    });
    image.src = `${url}pixel.png`;
    return {
      fetched: await fetch(url).then(() => 'answered', refused),
      image: await loaded,
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', refused),
      place: (await navigator.permissions.query({ name: 'geolocation' })).state,
    };
  }, site.url);
  expect(found).toMatchObject({ fetched: 'TypeError', image: 'refused', place: 'denied' });
  expect(found.camera).not.toBe('given');
  expect(site.heard).toEqual([]);
  site.close();
});

test('a script that finds its way into the page does not run', async ({ standing }) => {
  const { page } = standing;
  const refused = await page.evaluate(async () => {
    const seen: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const script = document.createElement('script');
    let assignment = 'allowed';
    try {
      script.textContent = 'globalThis.wasInjected = true';
    } catch {
      assignment = 'refused';
    }
    document.body.append(script);
    // Playwright's own scripts may evaluate; the page's later scripts may not.
    const evaluated = await new Promise<string>((resolve) => {
      setTimeout(() => {
        try {
          resolve(
            String(Reflect.apply(Reflect.get(globalThis, 'eval') as () => unknown, undefined, ['"ran"'])),
          );
        } catch {
          resolve('refused');
        }
      });
    });
    return { seen, assignment, evaluated, ran: Reflect.get(globalThis, 'wasInjected') === true };
  });
  expect(refused).toMatchObject({ assignment: 'refused', evaluated: 'refused', ran: false });
  expect(refused.seen.length).toBeGreaterThan(0);
});

test('a message that is not from the window’s own page is refused', async ({ standing, driver }) => {
  test.skip(driver === 'electron', 'the real runtime lets no other frame send one');
  const { app } = standing;
  const request = { call: 'health.get', input: {} };
  for (const frame of [
    'sub-frame',
    'other origin',
    'empty address',
    'about:blank',
    'gone',
    'destroyed',
    'other window',
  ] as const) {
    const answer = await app.double?.askAs(frame, 'agent:call', [request]);
    expect(answer, frame).toMatch(/refused|"ok":false/);
    expect(answer, frame).not.toContain('"ok":true');
  }
});

test('the app refuses to start with its walls taken down', async ({ desktop, driver }) => {
  test.skip(driver === 'electron', 'Playwright would wait for a window that never comes');
  const start = desktop.start(['--disable-web-security']);
  await expect(start).rejects.toThrow(/ended with 64/);
});
