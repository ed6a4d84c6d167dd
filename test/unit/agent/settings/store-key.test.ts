import { mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noPolicy } from '../../../../electron/agent/settings/policy/policy.ts';
import { deleteKey, storeKey } from '../../../../electron/agent/settings/store-key.ts';

const KEY = 'canary-8f3e1d-0815';

const store = (file: string, key: string, mayCreate = false) =>
  storeKey(file, key, { policy: noPolicy, mayCreate });

async function makeDesk(more: Readonly<Record<string, unknown>> = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'key-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ baseUrl: 'https://api.example.com/v1', ...more }));
  return { folder, file };
}

describe('a key that is entered', () => {
  it('goes into the file that the settings name, for its owner alone', async () => {
    const { folder, file } = await makeDesk({ apiKeyFile: 'key.txt' });
    await writeFile(join(folder, 'key.txt'), 'old', { mode: 0o644 });
    expect(await store(file, `  ${KEY}\n`)).toEqual({ ok: true, value: join(folder, 'key.txt') });
    expect(await readFile(join(folder, 'key.txt'), 'utf8')).toBe(`${KEY}\n`);
    expect((await stat(join(folder, 'key.txt'))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toEqual(['config.json', 'key.txt']);
  });

  it('gets a file beside the settings when they name none, and they name it from then on', async () => {
    const { folder, file } = await makeDesk({ users: { updateMethod: 'PUT' } });
    expect(await store(file, KEY)).toEqual({ ok: true, value: join(folder, 'api-key.txt') });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      baseUrl: 'https://api.example.com/v1',
      users: { updateMethod: 'PUT' },
      apiKeyFile: 'api-key.txt',
    });
    expect(await readFile(file, 'utf8')).not.toContain(KEY);
  });

  it('never writes through a link: what it points to stays as it was', async () => {
    const { folder, file } = await makeDesk({ apiKeyFile: 'key.txt' });
    await writeFile(join(folder, 'elsewhere.txt'), 'of someone else');
    await symlink('elsewhere.txt', join(folder, 'key.txt'));
    expect((await store(file, KEY)).ok).toBe(true);
    expect(await readFile(join(folder, 'elsewhere.txt'), 'utf8')).toBe('of someone else');
  });

  it('that cannot be one changes nothing, and is not repeated', async () => {
    const { folder, file } = await makeDesk({ apiKeyFile: 'key.txt' });
    const refused = await store(file, `${KEY}\r\nX-Injected: 1`);
    expect(refused).toMatchObject({ ok: false, error: { code: 'KEY_FORMAT' } });
    expect(JSON.stringify(refused)).not.toContain(KEY);
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('is refused where its folder does not exist', async () => {
    const { file } = await makeDesk({ apiKeyFile: 'missing/key.txt' });
    expect(await store(file, KEY)).toMatchObject({ ok: false, error: { code: 'KEY_FILE_OPEN' } });
  });

  it('makes the configuration of a new desk, its folder too, for its owner alone', async () => {
    const { folder } = await makeDesk();
    const file = join(folder, 'new', 'desk', 'config.json');
    expect(await store(file, KEY), 'only where that is wanted').toMatchObject({
      error: { code: 'CONFIG_MISSING' },
    });
    expect(await store(file, KEY, true)).toEqual({ ok: true, value: join(dirname(file), 'api-key.txt') });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ apiKeyFile: 'api-key.txt' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  });
});

describe('a key that is deleted', () => {
  it('goes, with what a kill left behind while it was stored, and nothing else', async () => {
    const { folder } = await makeDesk();
    const uuid = '0b9f7c52-6f0e-4d53-8f0b-3a4f1f0b9d11';
    const others = [`.other.txt.${uuid}`, '.key.txt.bak', 'config.json'];
    for (const name of ['key.txt', `.key.txt.${uuid}`, ...others])
      await writeFile(join(folder, name), `${KEY}\n`);
    expect(await deleteKey(join(folder, 'key.txt'))).toEqual({ ok: true });
    expect((await readdir(folder)).toSorted()).toEqual(others.toSorted());
    expect(await deleteKey(join(folder, 'gone', 'key.txt'))).toEqual({ ok: true });
    expect(await deleteKey(folder)).toMatchObject({ error: { advice: expect.stringContaining('a folder') } });
  });
});
