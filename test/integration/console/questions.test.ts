import { describe, expect, it, type TestContext } from 'vitest';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';
import { startBench, type Bench, type BenchOptions, type Page } from './console-bench.ts';

const removal = { call: 'users.remove', input: { userId: 7 } };
/** Headers that a browser sends when a person opens an address in a tab. */
const tab = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** A desk with a key and a user whose name is markup; records every call except reads. */
function createDesk() {
  const done: unknown[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    'settings.get': { settings: { baseUrl: 'https://api.example.com/v1', auth: { scheme: 'bearer' } } },
    'settings.key': { isSet: true },
    'users.get': { id: 7, firstName: '<b>Ada</b>', lastName: '"Kern"', role: 'steward' },
  };
  async function call(request: unknown): Promise<CallReply> {
    const { call: name } = request as { call: string };
    if (!(name in answers)) done.push(request);
    return { ok: true, value: answers[name] ?? 'done' };
  }
  return { done, call };
}

async function start(context: TestContext, options: BenchOptions = {}) {
  const desk = createDesk();
  const bench = await startBench(context, { call: desk.call, ...options });
  return { ...desk, bench, page: await bench.login() };
}

const post = (bench: Bench, page: Page, request: unknown, id?: string) =>
  bench.ask({
    method: 'POST',
    path: '/call',
    headers: { ...page.headers, ...(id !== undefined && { 'x-console-question': id }) },
    body: JSON.stringify(request),
  });

const idOf = (answer: { json(): unknown }): string =>
  (answer.json() as { question: { id: string } }).question.id;

const show = (bench: Bench, { cookie }: Page, id: string, headers: Readonly<Record<string, string>> = tab) =>
  bench.ask({ path: `/confirm/${id}`, headers: { cookie, ...headers } });

/** The address behind one of a question's buttons. */
const actionOf = (text: string, answer: 'yes' | 'no'): string =>
  new RegExp(`action="(/confirm/[\\w-]+/${answer})"`).exec(text)?.[1] ?? '';

/** Presses a button as a browser does from a page without an origin. */
const press = (bench: Bench, path: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
  bench.ask({
    method: 'POST',
    path,
    headers: {
      origin: 'null',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: '',
  });

describe('a call that a person has to confirm', () => {
  it.for([
    ['deleting a user', removal],
    [
      'another service',
      { call: 'settings.save', input: { change: { baseUrl: 'https://other.example/v1' } } },
    ],
    ['another key', { call: 'settings.setKey', input: { key: 'another-key-0815' } }],
    ['forgetting the key', { call: 'settings.forgetKey', input: {} }],
    ['a program', { call: 'exports.push', input: { folders: ['/e/Fight'], programs: ['film.exe'] } }],
    ['an admin more', { call: 'users.update', input: { userId: 7, changes: { role: 'admin' } } }],
  ])(
    'checklist 10: %s is not carried out before that, whatever the page says',
    async ([, request], context) => {
      const { bench, page, done } = await start(context);
      const asked = await post(bench, page, request);
      expect(asked.status).toBe(428);
      expect(asked.json()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
      // IDs that were not issued have no effect
      for (const id of ['yes', 'true', '']) expect((await post(bench, page, request, id)).status).toBe(428);
      expect(done).toEqual([]);
    },
  );

  it('is carried out once when the person agrees, and asked about again the next time', async (context) => {
    const { bench, page, done } = await start(context);
    const id = idOf(await post(bench, page, removal));
    const waiting = post(bench, page, removal, id);
    const question = await show(bench, page, id);
    expect(question.text).toContain('Delete &#60;b&#62;Ada&#60;/b&#62; &#34;Kern&#34;?');
    expect(question.headers['content-security-policy']).toContain('sandbox allow-forms');
    expect((await press(bench, actionOf(question.text, 'yes'))).text).toContain('Confirmed.');
    expect((await waiting).json()).toEqual({ ok: true, value: 'done' });
    expect(done).toEqual([removal]);
    expect((await post(bench, page, removal, id)).status).toBe(428);
    expect(done).toEqual([removal]);
  });

  it('is not carried out when the person says no', async (context) => {
    const { bench, page, done } = await start(context);
    const id = idOf(await post(bench, page, removal));
    const waiting = post(bench, page, removal, id);
    const { text } = await show(bench, page, id);
    expect((await press(bench, actionOf(text, 'no'))).text).toContain('Nothing was changed');
    expect((await waiting).json()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    // A question can only be answered once
    expect((await press(bench, actionOf(text, 'yes'))).status).toBe(403);
    expect(done).toEqual([]);
  });

  it('cannot be exchanged for another one once the question is there', async (context) => {
    const { bench, page, done } = await start(context);
    const id = idOf(await post(bench, page, removal));
    const { text } = await show(bench, page, id);
    await press(bench, actionOf(text, 'yes'));
    const other = { call: 'users.remove', input: { userId: 8 } };
    expect((await post(bench, page, other, id)).status).toBe(428);
    expect(done).toEqual([]);
  });

  it('is refused while another question of the session is open', async (context) => {
    const { bench, page, done } = await start(context);
    const id = idOf(await post(bench, page, removal));
    const waiting = post(bench, page, removal, id);
    const { text } = await show(bench, page, id);
    const second = await post(bench, page, { call: 'settings.forgetKey', input: {} });
    expect(second.json()).toMatchObject({ error: { message: expect.stringContaining('another question') } });
    await press(bench, actionOf(text, 'no'));
    await waiting;
    expect(done).toEqual([]);
  });

  it('waits a minute at a time, and ten in all', async (context) => {
    const clock = createFakeClock();
    const { bench, page } = await start(context, { clock });
    const id = idOf(await post(bench, page, removal));
    const waiting = post(bench, page, removal, id);
    const { text } = await show(bench, page, id);
    await clock.untilAsleep();
    await clock.advance(60_000);
    expect(idOf(await waiting)).toBe(id);
    await clock.advance(9 * 60_000);
    expect((await press(bench, actionOf(text, 'yes'))).status).toBe(403);
    expect(idOf(await post(bench, page, removal, id))).not.toBe(id);
  });
});

describe('a question', () => {
  it('checklist 10: is shown to a tab only, never to a script or a frame', async (context) => {
    const { bench, page } = await start(context);
    const id = idOf(await post(bench, page, removal));
    for (const headers of [
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      {},
    ]) {
      const refused = await show(bench, page, id, headers);
      expect(refused.status).toBe(403);
      expect(refused.text).not.toContain('action=');
    }
  });

  it('is shown to its own session only', async (context) => {
    const { bench, page } = await start(context);
    const id = idOf(await post(bench, page, removal));
    expect((await show(bench, await bench.login(), id)).status).toBe(403);
    expect((await show(bench, { ...page, cookie: '' }, id)).status).toBe(403);
    expect((await show(bench, page, id)).status).toBe(200);
  });

  it('takes its answer from the sandboxed page alone', async (context) => {
    const { bench, page, done } = await start(context);
    const id = idOf(await post(bench, page, removal));
    const { text } = await show(bench, page, id);
    const yes = actionOf(text, 'yes');
    const own = { origin: bench.console.origin, 'sec-fetch-site': 'same-origin' };
    expect((await press(bench, yes, own)).status).toBe(403);
    expect((await press(bench, yes, { origin: undefined })).status).toBe(403);
    expect((await press(bench, yes, { 'content-type': 'application/json' })).status).toBe(415);
    expect((await press(bench, `/confirm/${id}/yes`)).status).toBe(403);
    expect((await bench.ask({ path: yes, headers: { cookie: page.cookie, ...tab } })).status).toBe(405);
    expect(done).toEqual([]);
  });
});
