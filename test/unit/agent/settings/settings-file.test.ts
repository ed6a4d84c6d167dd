import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { settingsChangeSchema } from '../../../../shared/ipc/calls/settings.ts';
import { mountSmallDisk, noSmallDisk } from '../../../helpers/small-disk.ts';
import { loadSettings } from '../../../../electron/agent/settings/load-settings.ts';
import { noPolicy } from '../../../../electron/agent/settings/policy/policy.ts';
import {
  saveSettings,
  type CheckBeforeSaving,
  type SavingRules,
} from '../../../../electron/agent/settings/settings-file.ts';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-settings-'));
  file = join(folder, 'config.json');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const base = {
  watch: [{ path: 'exports', settleSeconds: 5 }],
  apiKeyFile: 'key.txt',
  baseUrl: 'https://api.example.com/v1/',
};
const put = (value: unknown) => writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
const written = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
const fine: CheckBeforeSaving = () => Promise.resolve([]);
/** Saves a change as it arrives through the contract, parsed by its schema. */
const save = (change: unknown, check = fine, rules: Partial<SavingRules> = {}) =>
  saveSettings(file, settingsChangeSchema.parse(change), {
    check,
    policy: noPolicy,
    mayCreate: false,
    ...rules,
  });

async function refusalOf(change: unknown, check = fine) {
  const before = await readFile(file);
  const saved = await save(change, check);
  expect(await readFile(file), 'the file is kept').toEqual(before);
  expect(await readdir(folder), 'nothing is left behind').toEqual(['config.json']);
  return saved.ok ? [] : saved.error;
}

describe('saving', () => {
  it('replaces the named section and leaves the others as they are written', async () => {
    await put(base);
    const saved = await save({ incident: { publish: 'whenComplete' } });
    expect(await written()).toEqual({ ...base, incident: { publish: 'whenComplete', unknownTimes: 'omit' } });
    expect(saved).toEqual(await loadSettings(file));
    expect(saved).toMatchObject({
      ok: true,
      value: {
        apiKeyPath: join(folder, 'key.txt'),
        settings: { incident: { publish: 'whenComplete' }, watch: [{ path: join(folder, 'exports') }] },
      },
    });
  });

  it('fills in no section that nobody named', async () => {
    await put({ ...base, upload: { concurrentFiles: 7 }, users: { updateMethod: 'PUT' } });
    await save({ baseUrl: 'https://other.example.com' });
    expect(await written()).toEqual({
      ...base,
      upload: { concurrentFiles: 7 },
      users: { updateMethod: 'PUT' },
      baseUrl: 'https://other.example.com',
    });
  });

  it('keeps a relative folder relative when a window names it whole', async () => {
    await put({ ...base, watch: [{ path: 'exports' }, { path: './more/../gate 4' }] });
    const roots = [{ path: join(folder, 'exports') }, { path: join(folder, 'gate 4') }, { path: '/srv/new' }];
    await save({ watch: roots.map((root) => ({ ...root, settleSeconds: 9 })) });
    expect(await written()).toMatchObject({
      watch: [
        { path: 'exports', settleSeconds: 9 },
        { path: './more/../gate 4', settleSeconds: 9 },
        { path: '/srv/new', settleSeconds: 9 },
      ],
    });
  });

  it('takes what someone edited in the meantime', async () => {
    await put(base);
    await loadSettings(file);
    await put({ ...base, users: { updateMethod: 'PUT' } });
    await save({ incident: { publish: 'whenComplete' } });
    expect(await written()).toMatchObject({
      users: { updateMethod: 'PUT' },
      incident: { publish: 'whenComplete' },
    });
  });

  it('mends a section that was wrong in the file', async () => {
    await put({ ...base, upload: { concurrentFiles: 99 } });
    expect(await save({ upload: { concurrentFiles: 3 } })).toMatchObject({ ok: true });
  });

  it('keeps the rights of the file, whatever the mask, and leaves nothing beside it', async () => {
    await put(base);
    await chmod(file, 0o666);
    await save({ incident: {} });
    expect((await stat(file)).mode & 0o777).toBe(0o666);
    await chmod(file, 0o600);
    await save({ incident: {} });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('is a new file under the same name: who reads the old one reads it to its end', async () => {
    await put(base);
    const before = (await stat(file)).ino;
    await save({ incident: {} });
    expect((await stat(file)).ino).not.toBe(before);
  });

  it('writes through a link and keeps the link', async () => {
    await mkdir(join(folder, 'real'));
    const real = join(folder, 'real', 'settings.json');
    await writeFile(real, JSON.stringify(base));
    await symlink(real, file);
    await save({ users: { updateMethod: 'PUT' } });
    expect(JSON.parse(await readFile(real, 'utf8'))).toMatchObject({ users: { updateMethod: 'PUT' } });
    expect(await readdir(join(folder, 'real'))).toEqual(['settings.json']);
  });
});

describe('nothing is written', () => {
  it('when the outcome is wrong, and every place is named', async () => {
    await put(base);
    const failures = await refusalOf({
      baseUrl: 'http://10.0.0.1',
      watch: [{ path: '/srv/a' }, { path: '/srv/b', timeZone: 'Europe/Lndon' }],
    });
    expect(failures.map(({ code, fields }) => [code, fields])).toEqual([
      [
        'CONFIG_URL',
        [
          {
            name: 'baseUrl',
            text: 'begins with http://, which is allowed only for addresses on this PC',
          },
        ],
      ],
      [
        'CONFIG_RANGE',
        [
          {
            name: 'watch[1].timeZone',
            text: 'is not a known time zone; the closest match is "Europe/London"',
          },
        ],
      ],
    ]);
  });

  it('when another section of the file is wrong', async () => {
    await put({ ...base, incident: { publish: 'never' }, uplaod: {} });
    const failures = await refusalOf({ users: { updateMethod: 'PUT' } });
    expect(failures.flatMap(({ fields = [] }) => fields.map(({ name }) => name))).toEqual([
      'incident.publish',
      'uplaod',
    ]);
  });

  it.each([
    ['not JSON', '{"baseUrl": ', 'CONFIG_BROKEN'],
    ['no group', '[]', 'CONFIG_RANGE'],
    ['larger than it may be', JSON.stringify({ ...base, x: 'x'.repeat(1024 * 1024) }), 'CONFIG_UNREADABLE'],
  ])('when the file is %s', async (_, text, code) => {
    await put(text);
    expect((await refusalOf({ users: {} }))[0]?.code).toBe(code);
  });

  it('when the file would become larger than it may be', async () => {
    await put(base);
    const watch = [{ path: `/srv/${'x'.repeat(1024 * 1024)}` }];
    expect((await refusalOf({ watch }))[0]?.code).toBe('CONFIG_UNREADABLE');
  });

  it('when the last look finds trouble', async () => {
    await put(base);
    const trouble = { code: 'ROOT_FORBIDDEN', message: 'No.', advice: '', retryable: false } as const;
    expect(await refusalOf({ users: {} }, () => Promise.resolve([trouble]))).toEqual([trouble]);
  });

  it('when there is no file', async () => {
    expect(await save({ users: {} })).toMatchObject({ ok: false, error: [{ code: 'CONFIG_MISSING' }] });
  });

  it.skipIf(process.getuid?.() === 0)('when the folder may not be written', async () => {
    await put(base);
    await chmod(folder, 0o500);
    onTestFinished(() => chmod(folder, 0o700));
    expect((await refusalOf({ users: {} }))[0]).toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `${file} cannot be written (EACCES).`,
    });
  });

  it.skipIf(noSmallDisk !== undefined)(
    `input F10: when the disk is full (${noSmallDisk ?? 'tmpfs'})`,
    async (context) => {
      const disk = mountSmallDisk(context, 1);
      [folder, file] = [disk.folder, join(disk.folder, 'config.json')];
      await put(base);
      disk.fill();
      const before = await readFile(file);
      const saved = await save({ incident: { publish: 'whenComplete' } });
      expect(saved).toMatchObject({
        ok: false,
        error: [
          {
            code: 'CONFIG_UNREADABLE',
            advice: expect.stringMatching(/^Nothing was changed\. The disk or the account's quota is full/),
          },
        ],
      });
      expect(await readFile(file)).toEqual(before);
      expect((await readdir(folder)).toSorted()).toEqual(['ballast', 'config.json']);
    },
  );

  it('input F10: when the file is a folder', async () => {
    await mkdir(file);
    expect(await save({ users: {} })).toMatchObject({ ok: false, error: [{ code: 'CONFIG_UNREADABLE' }] });
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('when its place is taken away while it is written', async () => {
    await put(base);
    const saved = await save({ users: {} }, async () => {
      await rm(file);
      await mkdir(file);
      return [];
    });
    expect(saved).toMatchObject({ ok: false, error: [{ code: 'CONFIG_UNREADABLE' }] });
    expect(await readdir(folder)).toEqual(['config.json']);
  });
});

it('a change has the same sections as the settings, without those that name files', () => {
  const { apiKeyFile: _, proxyCredentialsFile: __, metrics: ___, ...sections } = settingsSchema.shape;
  const all = Object.fromEntries(
    Object.entries(settingsSchema.parse({ baseUrl: 'x' })).filter(([name]) => name in sections),
  );
  expect(settingsChangeSchema.parse(all)).toEqual(all);
  expect(Object.keys(all)).toEqual(Object.keys(sections));
  expect(settingsChangeSchema.parse({})).toEqual({});
  expect(settingsChangeSchema.safeParse({ apiKeyFile: 'key.txt' }).success).toBe(false);
  expect(settingsChangeSchema.safeParse({ proxyCredentialsFile: 'key.txt' }).success).toBe(false);
  expect(settingsChangeSchema.safeParse({ metrics: { textfile: 'key.txt' } }).success).toBe(false);
});
