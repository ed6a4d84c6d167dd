import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  loadSettings,
  defaultConfigFile,
  defaultDataDir,
  type Places,
} from '../../../../electron/agent/settings/load-settings.ts';

let folder = '';
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-settings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileWith(content: unknown): Promise<string> {
  count += 1;
  const file = join(folder, `config-${count}.json`);
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(file, isRaw ? content : JSON.stringify(content));
  return file;
}

async function failuresOf(content: unknown): Promise<readonly string[]> {
  const file = await fileWith(content);
  const before = await readFile(file);
  const loaded = await loadSettings(file);
  expect(await readFile(file), 'the file is kept').toEqual(before);
  return loaded.ok ? [] : loaded.error.map(({ code, message, advice }) => `${code}: ${message} ${advice}`);
}

const noTime = { days: ['mon'], from: '07:00', to: '07:00', limit: 'pause' };
const url = 'https://api.example.com/v1';

test('fills in defaults and makes paths absolute against the file', async () => {
  const file = await fileWith({
    baseUrl: `${url}/`,
    apiKeyFile: 'key.txt',
    watch: [{ path: 'exports' }, { path: '/srv/other', timeZone: 'Europe/London' }],
  });
  const loaded = await loadSettings(file);
  expect(loaded).toMatchObject({
    ok: true,
    value: {
      apiKeyPath: join(folder, 'key.txt'),
      configPath: file,
      settings: {
        baseUrl: url,
        auth: { scheme: 'bearer' },
        watch: [{ path: join(folder, 'exports'), settleSeconds: 30 }, { path: '/srv/other' }],
        upload: { concurrentFiles: 2, concurrentParts: 4, maxBytesPerSecond: null },
        incident: { publish: 'progressive' },
        users: { updateMethod: 'POST' },
      },
    },
  });
});

test('takes the example of the documentation, a byte order mark, UTF-16, and a link to the file', async () => {
  const text = JSON.stringify({ baseUrl: url });
  const marked = await fileWith(`\ufeff${text}`);
  const wide = await fileWith(new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')));
  const link = join(folder, 'link.json');
  await symlink(marked, link);
  for (const file of [marked, wide, link]) expect((await loadSettings(file)).ok).toBe(true);
});

test.each([
  ['', 'line 1, column 1'],
  ['{', 'line 1, column 2'],
  ['{\n  "baseUrl": "x"\n  "watch": []\n}', 'line 3, column 3: a comma or "}" is expected here'],
  ['{"baseUrl": "x",}', 'line 1, column 17: text in double quotes'],
  ['{"watch": [1,]}', 'line 1, column 14: a value'],
  ["{'baseUrl': 'x'}", 'line 1, column 2: text must be in double quotes'],
  ['{\r\n// the service\r\n"baseUrl": "x"}', 'line 2, column 1: JSON does not allow comments'],
  ['{"baseUrl": "x", # service\n}', 'JSON does not allow comments'],
  [
    '{"watch": [{"path": "C:\\exports"}]}',
    'line 1, column 24: a backslash inside text must be written twice',
  ],
  ['{"baseUrl": "x', 'a closing double quote'],
  ['{"baseUrl": "x\n}', 'line 1, column 15: a closing double quote'],
  ['{"baseUrl": "x\ty"}', 'line 1, column 15: an escape such as \\t is expected'],
  ['{"baseUrl": "x"} trailing', 'line 1, column 18'],
  ['{"baseUrl": "a", "baseUrl": "b"}', 'line 1, column 18: the key "baseUrl" appears twice'],
  ['{"upload": {"maxBytesPerSecond": 99999999999999999999}}', 'too large'],
  ['{"baseUrl": undefined}', 'line 1, column 13'],
  ['['.repeat(100_000), 'nested too deeply'],
  [new Uint8Array([0x7b, 0xff, 0x7d]), 'not text'],
])('input F2: says where broken JSON is broken: %j', async (content, reason) => {
  const [first, ...more] = await failuresOf(content);
  expect(first).toMatch(/^CONFIG_BROKEN: /);
  expect(first).toContain(reason);
  expect(more).toEqual([]);
});

test.each<[object, string, string]>([
  [{ upload: { concurentParts: 4 } }, 'upload.concurentParts is not', 'Did you mean upload.concurrentParts?'],
  [{ base_url: 'x' }, 'base_url is not', 'Did you mean baseUrl?'],
  [{ concurrentFiles: 2 }, 'concurrentFiles is not', 'Did you mean upload.concurrentFiles?'],
  [{ settleSeconds: 2 }, 'settleSeconds is not', 'Did you mean watch[].settleSeconds?'],
  [{ watch: [{ path: 'a' }, { path: 'b', timezone: 'UTC' }] }, 'watch[1].timezone', 'watch[1].timeZone?'],
  [{ auth: { scheme: 'header', name: 'x', prefx: '' } }, 'auth.prefx', 'Did you mean auth.prefix?'],
  [{ users: { colour: 1 } }, 'users.colour', 'Settings allowed here: updateMethod.'],
  [{ apiKey: 'sk_live_canary' }, 'apiKey is not', 'The key itself never goes in this file'],
  [{ 'a\nb\u202e': 1 }, '"a\\nb', 'Settings allowed here'],
])('input F3: finds the unknown key in %j', async (settings, message, advice) => {
  const [first] = await failuresOf({ baseUrl: url, ...settings });
  expect(first).toMatch(/^CONFIG_UNKNOWN_KEY: /);
  expect(first).toContain(message);
  expect(first).toContain(advice);
  expect(first).not.toContain('canary');
});

test.each<[string, object]>([
  ['input F4: a setting of a newer version', { retentionOfTheNextVersion: { days: 9 } }],
  ['input F6: a pattern that would take for ever', { watch: [{ path: 'a', include: '(a+)+$' }] }],
  ['input F6: a pattern of 10 KB', { watch: [{ path: 'a', ignorePattern: '*'.repeat(10_000) }] }],
])('%s is a setting that nobody knows here: no setting holds a pattern', async (_name, settings) => {
  const started = performance.now();
  const [first, ...more] = await failuresOf({ baseUrl: url, ...settings });
  expect(first).toMatch(/^CONFIG_UNKNOWN_KEY: /);
  expect(first).toMatch(/nothing was changed|update the agent/);
  expect(more).toEqual([]);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each<[object, string]>([
  [
    { upload: { concurrentFiles: 1000 } },
    'upload.concurrentFiles is 1000; it must be a whole number from 1 to 16.',
  ],
  [
    { upload: { concurrentFiles: -1 } },
    'upload.concurrentFiles is -1; it must be a whole number from 1 to 16.',
  ],
  [
    { upload: { concurrentFiles: 1.5 } },
    'upload.concurrentFiles is 1.5; it must be a whole number from 1 to 16.',
  ],
  [
    { upload: { concurrentFiles: '2' } },
    'upload.concurrentFiles is text; it must be a whole number from 1 to 16.',
  ],
  [{ upload: { partSizeBytes: 1024 } }, 'from 5242880 to 5368709120'],
  [{ upload: { partSizeBytes: 6e9 } }, 'from 5242880 to 5368709120'],
  [
    { upload: { maxBytesPerSecond: 0 } },
    'upload.maxBytesPerSecond is 0; it must be a whole number of at least 1024 or null.',
  ],
  [{ upload: [] }, 'upload is a list; it must be a group {...}.'],
  [{ upload: { schedule: [noTime] } }, 'upload.schedule[0].to is not valid; it must differ from the start'],
  [{ upload: { hosts: [''] } }, 'upload.hosts[0] is empty.'],
  [{ watch: { path: 'a' } }, 'watch is a group; it must be a list [...] of at most 64 items.'],
  [{ watch: [{}] }, 'watch[0].path is missing; it must be text.'],
  [
    { watch: [{ path: 'a', settleSeconds: -1 }] },
    'watch[0].settleSeconds is -1; it must be a number from 0.1 to 3600.',
  ],
  [
    { watch: [{ path: 'a', unit: 'weekly' }] },
    'watch[0].unit is not valid; it must be one of "folder", "file", "leaf", "dateFolders", "run", "window".',
  ],
  [
    { watch: [{ path: 'a', timeZone: 'Europe/Lodnon' }] },
    'watch[0].timeZone is not a known time zone; the closest match is "Europe/London".',
  ],
  [{ watch: [{ path: 'a', timeZone: 'Mars' }] }, 'watch[0].timeZone is not a known time zone'],
  [
    { auth: { scheme: 'baerer' } },
    'auth.scheme is not valid; it must be one of "bearer", "header", "query". The closest match is "bearer".',
  ],
  [{ auth: { scheme: 'header' } }, 'auth.name is missing'],
  [{ auth: { scheme: 'header', name: 'a b' } }, 'auth.name is not valid; it must be a header name'],
  [{ auth: 'bearer' }, 'auth is text; it must be a group {...} whose "scheme" is one of'],
  [
    { incident: { publish: 'later' } },
    'incident.publish is not valid; it must be one of "progressive", "whenComplete".',
  ],
  [{ users: { updateMethod: 'post' } }, 'it must be one of "POST", "PUT". The closest match is "POST".'],
  [{ baseUrl: null }, 'baseUrl is null; it must be text.'],
])('input F5: names the limits for %j', async (settings, message) => {
  const [first, ...more] = await failuresOf({ baseUrl: url, ...settings });
  expect(first).toMatch(/^CONFIG_RANGE: /);
  expect(first).toContain(message);
  expect(more).toEqual([]);
});

test.each<[unknown, string]>([
  [[], 'The configuration is a list; it must be a group'],
  [null, 'The configuration is null'],
])('refuses %j as a whole', async (content, message) => {
  expect(await failuresOf(JSON.stringify(content))).toEqual([expect.stringContaining(message)]);
});

test('applies the rules of the base URL', async () => {
  const [first] = await failuresOf({ baseUrl: 'https://user:canary@api.example.com' });
  expect(first).toMatch(/^CONFIG_URL: baseUrl contains a user name or password\./);
  expect(first).not.toContain('canary');
});

test.each([
  [
    'http://desk:canary@proxy.example.com:3128',
    /^CONFIG_PROXY: proxy\.url contains a user name or password\./,
  ],
  ['socks5://proxy.example.com', /^CONFIG_PROXY: proxy\.url names a SOCKS proxy; only http/],
])('input F14: applies the rules of the proxy to %s', async (url, says) => {
  const failures = await failuresOf({ baseUrl: 'https://api.example.com', proxy: { url } });
  expect(failures).toEqual([expect.stringMatching(says)]);
  expect(failures.join()).not.toContain('canary');
});

test('takes the file with the password of the proxy from beside itself', async () => {
  const file = join(folder, 'beside.json');
  await writeFile(file, JSON.stringify({ proxyCredentialsFile: 'proxy.txt' }));
  const loaded = await loadSettings(file);
  expect(loaded.ok && loaded.value.settings.proxyCredentialsFile).toBe(join(folder, 'proxy.txt'));
});

test('names all that is wrong at once', async () => {
  const failures = await failuresOf({
    baseUrl: 'http://api.example.com',
    uplaod: {},
    upload: { concurrentParts: 99 },
    watch: [{ path: 'a', timeZone: 'Nowhere' }],
  });
  expect(failures.map((failure) => failure.split(':')[0]).toSorted()).toEqual([
    'CONFIG_RANGE',
    'CONFIG_RANGE',
    'CONFIG_UNKNOWN_KEY',
    'CONFIG_URL',
  ]);
});

test('input F1: says which file is missing and what the least content is', async () => {
  const file = join(folder, 'nowhere', 'x.json');
  const loaded = await loadSettings(file);
  expect(loaded).toMatchObject({ ok: false, error: [{ code: 'CONFIG_MISSING' }] });
  expect(JSON.stringify(loaded)).toContain(file);
  expect(JSON.stringify(loaded)).toContain('--config FILE');
  expect(loaded).toMatchObject({
    error: [{ advice: expect.stringMatching(/^On a new desk, run "vms-export-agent run"/) }],
  });
});

test('input F10: refuses a folder, a pipe and a huge file without hanging', async () => {
  const inner = join(folder, 'folder.json');
  await mkdir(inner);
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const huge = await fileWith(' '.repeat(1024 * 1024 + 1));
  for (const [file, what] of [
    [inner, 'is a folder'],
    [pipe, 'is not a regular file'],
    [huge, 'must not be larger than'],
  ] as const) {
    const loaded = await loadSettings(file);
    expect(loaded).toMatchObject({ ok: false, error: [{ code: 'CONFIG_UNREADABLE' }] });
    expect(JSON.stringify(loaded)).toContain(what);
  }
});

// The superuser can read everything
test.skipIf(process.getuid?.() === 0)('says when the file may not be read', async () => {
  const file = await fileWith({ baseUrl: url });
  await chmod(file, 0o000);
  expect(await loadSettings(file)).toMatchObject({ ok: false, error: [{ code: 'CONFIG_UNREADABLE' }] });
});

const places = (platform: NodeJS.Platform, environment: Places['environment'] = {}): Places => ({
  platform,
  environment,
  homeDir: platform === 'win32' ? 'C:\\Users\\desk' : '/home/desk',
  workingDir: platform === 'win32' ? 'D:\\work' : '/here',
});

test.each<[NodeJS.Platform, Places['environment'], string]>([
  ['linux', {}, '/home/desk/.local/share/vms-export-agent'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/vms-export-agent'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/desk/.local/share/vms-export-agent'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/desk/.local/share/vms-export-agent'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/home/desk/Library/Application Support/vms-export-agent'],
  ['win32', { LOCALAPPDATA: 'E:\\Local' }, 'E:\\Local\\vms-export-agent'],
  ['win32', {}, 'C:\\Users\\desk\\AppData\\Local\\vms-export-agent'],
])('keeps the queue on %s with %j in %s', (platform, environment, dir) => {
  expect(defaultDataDir(places(platform, environment))).toBe(dir);
});

test.each<[NodeJS.Platform, string]>([
  ['linux', '/home/desk/.config/vms-export-agent/vms-export-agent.json'],
  ['darwin', '/home/desk/Library/Application Support/vms-export-agent/vms-export-agent.json'],
  ['win32', 'C:\\Users\\desk\\AppData\\Roaming\\vms-export-agent\\vms-export-agent.json'],
])('on %s takes a configuration from the folder of the account alone', (platform, file) => {
  expect(defaultConfigFile(places(platform))).toBe(file);
});
