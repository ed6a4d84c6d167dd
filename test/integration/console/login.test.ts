import { describe, expect, it, onTestFinished } from 'vitest';
import { securityHeaders } from '../../../electron/console/page-files.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';
import { INDEX, startBench, type Bench } from './console-bench.ts';

const HOUR_MS = 3_600_000;

const launchPath = (bench: Bench): string => new URL(bench.console.createLaunchUrl()).pathname;
const openSession = (bench: Bench, cookie: string | undefined) =>
  bench.ask({ method: 'POST', path: '/session', headers: { cookie }, body: '{}' });

describe('the way in', () => {
  it('exchanges the launch address for a cookie and leads away from it', async (context) => {
    const bench = await startBench(context);
    const url = bench.console.createLaunchUrl();
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${bench.console.port}/launch/[\\w-]{43}$`));
    const answer = await bench.ask({ path: new URL(url).pathname, headers: { 'sec-fetch-site': 'none' } });
    expect(answer).toMatchObject({ status: 303, text: '' });
    expect(answer.headers).toMatchObject({ ...securityHeaders, location: '/' });
    const [cookie, second] = answer.headers['set-cookie'] ?? [];
    expect(second).toBeUndefined();
    expect(cookie).toMatch(
      new RegExp(`^vms_console_${bench.console.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
  });

  it('notes each one who is let in, and nobody else', async (context) => {
    const bench = await startBench(context);
    const path = launchPath(bench);
    await bench.ask({ path });
    await bench.ask({ path });
    await bench.ask({ path: '/' });
    expect(bench.signIns()).toBe(1);
  });

  it('opens the pages, again and again, with the cookie', async (context) => {
    const bench = await startBench(context);
    const { cookie } = await bench.login();
    for (let loads = 0; loads < 2; loads += 1) {
      expect(await bench.ask({ path: '/', headers: { cookie } })).toMatchObject({ status: 200, text: INDEX });
    }
  });

  it('gives no token once the first was shown, so that a local server that is sent the cookie comes too late', async (context) => {
    const bench = await startBench(context);
    const { cookie, token } = await bench.login();
    const shown = {
      method: 'POST',
      path: '/call',
      headers: { cookie, 'x-console-token': token },
      body: '{}',
    };
    expect((await bench.ask(shown)).status).not.toBe(401);
    const second = await openSession(bench, cookie);
    expect(second.status).toBe(401);
    expect(second.text).not.toContain(token);
  });

  it('gives a page another token when the one before was left before it came, and takes only the last', async (context) => {
    const bench = await startBench(context);
    const { pathname } = new URL(bench.console.createLaunchUrl());
    const entered = await bench.ask({ path: pathname });
    const cookie = String(entered.headers['set-cookie']).split(';')[0];
    const tokens: string[] = [];
    for (let pages = 0; pages < 2; pages += 1) {
      const answer = await openSession(bench, cookie);
      expect(answer).toMatchObject({ status: 200, headers: securityHeaders });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(Object.keys(answer.json() as object)).toEqual(['token']);
      tokens.push((answer.json() as { token: string }).token);
    }
    const call = (token: string | undefined) =>
      bench.ask({ method: 'POST', path: '/call', headers: { cookie, 'x-console-token': token }, body: '{}' });
    expect((await call(tokens[0])).status).toBe(401);
    expect((await call(tokens[1])).status).not.toBe(401);
    expect((await openSession(bench, cookie)).status).toBe(401);
  });

  it('input G12: opens once, and tells whoever comes later what to do', async (context) => {
    const bench = await startBench(context);
    const path = launchPath(bench);
    expect((await bench.ask({ path })).status).toBe(303);
    const again = await bench.ask({ path });
    expect(again.status).toBe(403);
    expect(again.headers).toMatchObject(securityHeaders);
    expect(again.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.text).toContain('This address has already been used or has expired.');
    expect(again.text).toContain('Open the console again from the terminal.');
    expect(again.text).not.toMatch(/<script|<style|style=|\son\w+=/i);
  });

  it('is closed a minute after it was offered, and as soon as a newer one is', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const old = launchPath(bench);
    await clock.advance(60_000);
    expect((await bench.ask({ path: old })).status).toBe(403);
    const replaced = launchPath(bench);
    const newest = launchPath(bench);
    expect((await bench.ask({ path: replaced })).status).toBe(403);
    expect((await bench.ask({ path: newest })).status).toBe(303);
  });

  it('is not used up by a request that is refused at the door, or by one that only looks', async (context) => {
    const bench = await startBench(context);
    const path = launchPath(bench);
    expect((await bench.ask({ path, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const head = await bench.ask({ method: 'HEAD', path });
    expect(head).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect((await bench.ask({ method: 'POST', path, body: '{}' })).status).toBe(405);
    expect((await bench.ask({ path })).status).toBe(303);
  });

  it('tells whoever guesses to wait, and lets the right code in all the same', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    for (let tries = 0; tries < 5; tries += 1)
      expect((await bench.ask({ path: '/launch/guess' })).status).toBe(403);
    const answer = await bench.ask({ path: '/launch/guess' });
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await bench.ask({ path: launchPath(bench) })).status).toBe(303);
    await clock.advance(60_000);
    expect((await bench.ask({ path: '/launch/guess' })).status).toBe(403);
  });

  it('ends the earlier session of the same browser, and of no other', async (context) => {
    const bench = await startBench(context);
    const mine = await bench.login();
    const other = await bench.login();
    expect((await bench.ask({ path: launchPath(bench), headers: { cookie: mine.cookie } })).status).toBe(303);
    expect((await openSession(bench, mine.cookie)).status).toBe(401);
    expect((await bench.ask({ path: '/', headers: { cookie: other.cookie } })).status).toBe(200);
  });

  it('never writes a code, a cookie or a token into the log', async (context) => {
    const bench = await startBench(context);
    const path = launchPath(bench);
    await bench.ask({ path });
    await bench.ask({ path });
    const { cookie, token } = await bench.login();
    await bench.ask({
      method: 'POST',
      path: '/call',
      headers: { cookie, 'x-console-token': 'wrong' },
      body: '{}',
    });
    const log = bench.lines.join('\n');
    expect(log).toContain('info The console was opened in a browser.');
    expect(log).toContain('This address has already been used or has expired.');
    for (const secret of [path.slice('/launch/'.length), cookie.split('=')[1]!, token])
      expect(log).not.toContain(secret);
  });
});

describe('without a session', () => {
  it('a person sees what to do, without script and without pages', async (context) => {
    const bench = await startBench(context);
    const answer = await bench.ask({ path: '/', headers: { 'sec-fetch-site': 'none' } });
    expect(answer.status).toBe(403);
    expect(answer.headers).toMatchObject(securityHeaders);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('Open the console again from the terminal.');
    expect(answer.text).not.toContain('<script');
  });

  it.each([
    ['GET', '/index.html'],
    ['GET', '/assets/index-Bx_9-aZ1.js'],
    ['GET', '/events'],
    ['POST', '/call'],
    ['POST', '/session'],
  ])('input G11: %s %s is refused', async (method, path) => {
    const bench = await startBench({ onTestFinished });
    const body = method === 'POST' ? { body: '{}' } : {};
    const cookies = [undefined, `vms_console_${bench.console.port}=planted`, 'vms_console_1=x'];
    for (const cookie of cookies) {
      const answer = await bench.ask({ method, path, headers: { cookie, 'x-console-token': 'x' }, ...body });
      expect(answer.status).toBe(401);
      expect(answer.headers).toMatchObject(securityHeaders);
    }
  });

  it('a page is told in the form in which it expects its replies', async (context) => {
    const bench = await startBench(context);
    const answer = await bench.ask({ method: 'POST', path: '/call', body: '{}' });
    expect(answer.json()).toEqual({
      ok: false,
      error: {
        code: 'CALL_FAULT',
        message: 'This browser has no session.',
        advice: 'Open the console again from the terminal.',
        retryable: false,
        status: 401,
      },
    });
  });

  it('input G11: the cookie alone opens neither calls nor events', async (context) => {
    const bench = await startBench(context);
    const { cookie, token } = await bench.login();
    const other = await bench.login();
    const tokens = [undefined, '', 'wrong', `${token}x`, other.token, [token, token]];
    for (const shown of tokens) {
      const headers = { cookie, 'x-console-token': shown };
      const call = await bench.ask({ method: 'POST', path: '/call', headers, body: '{}' });
      const events = await bench.ask({ path: '/events', headers });
      expect([call.status, events.status]).toEqual([401, 401]);
    }
    expect(bench.listeners()).toBe(0);
  });

  it('nothing opens any more twelve hours after the last use', async (context) => {
    const clock = createFakeClock();
    const bench = await startBench(context, { clock });
    const { cookie } = await bench.login();
    await clock.advance(11 * HOUR_MS);
    expect((await bench.ask({ path: '/', headers: { cookie } })).status).toBe(200);
    await clock.advance(12 * HOUR_MS);
    expect((await openSession(bench, cookie)).status).toBe(401);
    expect((await bench.ask({ path: '/', headers: { cookie } })).status).toBe(403);
  });
});
