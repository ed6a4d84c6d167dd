import Database from 'better-sqlite3';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DesktopApi } from '../../../shared/ipc/desktop.ts';
import { sampleClip } from '../helpers/sample-clips.ts';
import { callInPage, expect, orderInPage, test } from './desktop.ts';
import { uploadsList } from '../helpers/uploads-list.ts';

/** A compromised page: what its scripts could do with the bridge. */
for (const [length, details] of [
  [1_000, {}],
  [4_000, { tag: '@long' }],
] as const)
  test(
    `a flood of ${length} calls and orders is turned away in part, and the app goes on answering`,
    details,
    async ({ desktop }) => {
      test.slow();
      const { app, page } = await desktop.start();
      // Unanswered requests stay with the app: otherwise, on a slow machine, each would be gone before the next one
      // comes
      const held = desktop.simulator.faults.hold({ call: 'getUsers' });
      const counting = page.evaluate(async (length) => {
        const bridge = Reflect.get(globalThis, 'desktop') as DesktopApi;
        const count: Record<string, number> = {};
        Reflect.set(globalThis, 'floodCount', count);
        const note = (reply: unknown): void => {
          const code = (reply as { error?: { code?: string } }).error?.code ?? 'ok';
          count[code] = (count[code] ?? 0) + 1;
        };
        const each = (index: number) =>
          index % 2 === 0
            ? bridge.call({ call: 'users.list', input: { filter: {}, page: 1, perPage: 1 } })
            : bridge.order({ call: 'choice.get', input: {} });
        await Promise.all(Array.from({ length }, (_, index) => each(index).then(note, () => note({}))));
        return count;
      }, length);
      const refused = (): Promise<unknown> =>
        page.evaluate(
          () => (Reflect.get(globalThis, 'floodCount') as Record<string, number>)['CALL_FAULT'] ?? 0,
        );
      await expect.poll(refused, { timeout: 40_000 }).toBeGreaterThan(0);
      held.release();
      const counts = await counting;
      expect(counts['ok']).toBeGreaterThan(0);
      expect(await callInPage(page, 'health.get')).toMatchObject({ ok: true });
      await expect.poll(async () => (await app.system.window()).exists).toBe(true);
    },
  );

test('strange requests are refused with a code, and change nothing of any object', async ({ standing }) => {
  const { page, app } = standing;
  const codes = await page.evaluate(async () => {
    const bridge = Reflect.get(globalThis, 'desktop') as DesktopApi;
    const own = (text: string): unknown => JSON.parse(text);
    const deep = own(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    const circle: Record<string, unknown> = { call: 'settings.get' };
    circle['input'] = circle;
    const requests: readonly unknown[] = [
      undefined,
      null,
      7,
      'settings.get',
      [],
      {},
      { call: '__proto__', input: {} },
      { call: 'constructor', input: {} },
      { call: 'toString', input: {} },
      own('{"call": "settings.get", "input": {"__proto__": {"isAdmin": true}}}'),
      own(
        '{"call": "settings.save", "input": {"change": {"__proto__": {"baseUrl": "https://evil.example"}}}}',
      ),
      { call: 'settings.save', input: { change: { apiKeyFile: '/etc/passwd' } } },
      { call: 'settings.get', input: deep },
      circle,
      { call: 'settings.get', input: new Map([['a', 1]]) },
      { call: 'settings.get', input: new Date(0) },
      { call: 'settings.get', input: 5n },
      { call: 'names.try', input: { name: 'a'.repeat(2_000_000), profile: 'auto' } },
      { call: 'uploads.getClip', input: { clipId: "'; DROP TABLE clips; --" } },
      { call: 'uploads.listClips', input: { limit: 1e9 } },
      { call: 'exports.push', input: { folders: Array.from({ length: 100_000 }, () => '/') } },
      { call: 'users.get', input: { userId: '../users' } },
    ];
    const asked = async (way: (request: unknown) => Promise<unknown>, request: unknown): Promise<string> => {
      try {
        const reply = (await way(request)) as { ok: boolean; error?: { code: string } };
        return reply.ok ? 'ok' : (reply.error?.code ?? 'no code');
      } catch {
        return 'rejected';
      }
    };
    const said: string[] = [];
    for (const request of requests)
      said.push(await asked(bridge.call, request), await asked(bridge.order, request));
    return said;
  });
  expect(codes.filter((code) => code === 'ok' || code === 'no code')).toEqual([]);
  expect(new Set(codes)).not.toContain('CALL_FAULT');
  expect(await callInPage(page, 'settings.get')).toMatchObject({
    ok: true,
    value: { settings: { baseUrl: standing.simulator.baseUrl } },
  });
  expect(app.output()).not.toMatch(/Internal error|unhandled/i);
});

test('orders with strange values reach no file, no browser and no program', async ({ standing }) => {
  const { app, page } = standing;
  for (const [order, input] of [
    ['openHelp', { page: 'https://evil.example/' }],
    ['openHelp', { page: 'constructor' }],
    ['openHelp', { page: ['readme'] }],
    ['revealClip', { clipId: '/etc/passwd' }],
    ['revealClip', { clipId: '../../etc/passwd' }],
    ['saveText', { name: '', text: 'x' }],
    ['saveText', { name: 'a', text: 'x', path: '/x' }],
    ['choice.set', { startAtLogin: 'yes' }],
    ['choice.set', { wasToldOfTray: true }],
    ['menu.set', { commands: [{ id: 'go.x', label: 'x', isEnabled: true, role: 'toggleDevTools' }] }],
    ['menu.set', { commands: Array.from({ length: 101 }, () => ({ id: 'a', label: 'a', isEnabled: true })) }],
    ['update.install', {}],
  ] as const)
    expect(await orderInPage(page, order, input), `${order} ${JSON.stringify(input)}`).toMatchObject({
      ok: false,
    });
  expect([
    await app.system.openedExternally(),
    await app.system.revealed(),
    await app.system.dialogs(),
  ]).toEqual([[], [], []]);
});

test('a hostile menu is words only', async ({ standing }) => {
  const { app, page } = standing;
  const commands = [
    { id: 'go.evil', label: 'Quit\u202E', isEnabled: true, accelerator: 'no such key' },
    { id: 'constructor.x', label: 'x', isEnabled: true },
  ];
  await orderInPage(page, 'menu.set', { commands });
  expect(await callInPage(page, 'health.get')).toMatchObject({ ok: true });
  expect(JSON.stringify(await app.system.menu())).not.toContain('constructor');
});

test('files of the app that somebody broke are set aside, and it opens', async ({ desktop }) => {
  await mkdir(desktop.userData, { recursive: true });
  const broken = {
    'window.json': '{"bounds": {"x": 1e300, "y": null, "width": -5, "height": 9e99}, "isMaximised": "yes"}',
    'desktop.json': '['.repeat(100_000),
    'key.json': '{"version": 1, "backend": "gnome_libsecret", "key": "AAAA", "__proto__": {"x": 1}}',
  };
  for (const [name, text] of Object.entries(broken)) await writeFile(join(desktop.userData, name), text);
  const { app, page } = await desktop.start();
  expect(await callInPage(page, 'health.get')).toMatchObject({ ok: true });
  expect(await orderInPage(page, 'choice.get')).toMatchObject({ ok: true, value: { closeToTray: true } });
  const { bounds } = await app.system.window();
  expect(bounds.width).toBeGreaterThan(300);
  const left = await readdir(desktop.userData);
  expect(left).toEqual(expect.arrayContaining(['window.json.broken', 'desktop.json.broken']));
});

test(
  'a settings file that is swapped while the app runs counts at the next start, and is seen',
  { tag: '@long' },
  async ({ desktop }) => {
    const { page } = await desktop.start();
    const file = join(desktop.userData, 'vms-export-agent.json');
    const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...settings, baseUrl: 'http://127.0.0.1:9/evil' }));
    await desktop.export('Gate 7', { 'cam1.mp4': await sampleClip() });
    await expect(uploadsList(page)).toContainText('Sent', { timeout: 20_000 });
    expect(desktop.simulator.incidents().size).toBe(1);
    expect(await callInPage(page, 'settings.get')).toMatchObject({
      value: { needsRestart: true, settings: { baseUrl: 'http://127.0.0.1:9/evil' } },
    });
  },
);

test('later starts with hostile arguments show at most the window', async ({ standing, driver }) => {
  test.skip(driver === 'electron', 'the real runtime refuses these before they are told');
  const { app, page } = standing;
  const program = ['node', 'main.js'];
  for (const args of [
    ['--remote-debugging-port=9222', '--no-sandbox'],
    ['/etc/passwd', '/dev/zero', '\u0000', '../../..\u0000'],
    ['javascript:alert(1)', 'file:///etc', 'vms-export-agent://incident/../x', '\\\\evil.example\\share'],
    Array.from({ length: 20_000 }, (_, index) => `/no/such/folder/${index}`),
    ['x'.repeat(1_000_000)],
  ])
    await app.double?.secondInstance([...program, ...args], '/');
  expect(await callInPage(page, 'health.get')).toMatchObject({ ok: true });
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(page.url()).toMatch(/#\/|desk/);
});

test('a crash would write none of its memory to the disk, where the key is in it', async ({ standing }) => {
  test.skip(process.platform !== 'linux', 'other systems write none unless an administrator says so');
  const { page } = standing;
  expect(await callInPage(page, 'health.get')).toMatchObject({ ok: true });
  const owner = new Database(join(standing.dataHome, 'vms-export-agent/owner.db'), {
    readonly: true,
  });
  const pid = owner.prepare('SELECT pid FROM owner').pluck().get();
  owner.close();
  const limits = (): Promise<string> => readFile(`/proc/${String(pid)}/limits`, 'utf8');
  await expect.poll(limits).toMatch(/^Max core file size\s+0\s+0\s/m);
});
