import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyFileSecrets, type KeyPlaces } from '../../../../electron/agent/settings/key-file.ts';
import { createSecretRegister, registerSecrets } from '../../../../electron/agent/log/secret-register.ts';

const key = 'sk_test_abc123def456';
const userId = process.getuid?.() ?? 0;
let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'key-file-'));
  file = join(folder, 'key.txt');
  await writeFile(file, `${key}\n`, { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ask = (places: KeyPlaces) => createKeyFileSecrets(places).apiKey();
const failureOf = (places: KeyPlaces) =>
  ask(places).then(
    () => 'no failure',
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  );

test.each([0o600, 0o400, 0o700])('reads a file of mode %o', async (mode) => {
  await chmod(file, mode);
  expect(await ask({ apiKeyPath: file, userId })).toBe(key);
});

test.each([0o644, 0o640, 0o604, 0o620, 0o610, 0o660])('input F9: refuses a file of mode %o', async (mode) => {
  await chmod(file, mode);
  const message = await failureOf({ apiKeyPath: file, userId });
  expect(message).toMatch(/^KEY_FILE_OPEN: .*is accessible to other accounts/);
  expect(message).toContain(mode.toString(8));
});

test('input F9: refuses a file of another account', async () => {
  expect(await failureOf({ apiKeyPath: file, userId: userId + 1 })).toMatch(
    /^KEY_FILE_OPEN: .*another account/,
  );
});

test('does not ask for modes where there are none', async () => {
  await chmod(file, 0o644);
  expect(await ask({ apiKeyPath: file })).toBe(key);
});

test('input F9: refuses links, folders, pipes and large files without hanging, and says what to do', async () => {
  const make: Record<string, (path: string) => Promise<unknown>> = {
    'is a link': (path) => symlink(file, path),
    'is a folder': (path) => mkdir(path),
    'is not a regular file': (path) => Promise.resolve(execFileSync('mkfifo', ['-m', '600', path])),
    'is larger than': (path) => writeFile(path, 'a'.repeat(5000), { mode: 0o600 }),
  };
  for (const [what, create] of Object.entries(make)) {
    const path = join(folder, what.replaceAll(' ', '-'));
    await create(path);
    const error: unknown = await ask({ apiKeyPath: path, userId }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      failure: { code: 'KEY_FILE_OPEN', message: expect.stringContaining(what) },
    });
    expect(error).toMatchObject({ failure: { advice: expect.stringContaining('chmod 600') } });
  }
});

test('reads a second name of the same file: whoever could make it owns the file', async () => {
  const second = join(folder, 'second.txt');
  await link(file, second);
  expect(await ask({ apiKeyPath: second, userId })).toBe(key);
});

test('says when the file is not there', async () => {
  expect(await failureOf({ apiKeyPath: join(folder, 'none'), userId })).toMatch(/^KEY_MISSING: .*none/);
});

test('says when the content is no key, without the content', async () => {
  await writeFile(file, 'your-key-here\n');
  const message = await failureOf({ apiKeyPath: file, userId });
  expect(message).toMatch(/^KEY_FORMAT: .*placeholder.*key\.txt/);
  await writeFile(file, 'canary one\n');
  expect(await failureOf({ apiKeyPath: file, userId })).not.toContain('canary');
});

test('reads the file again at each question', async () => {
  const secrets = createKeyFileSecrets({ apiKeyPath: file, userId });
  expect(await secrets.apiKey()).toBe(key);
  await writeFile(file, 'another-key-42');
  expect(await secrets.apiKey()).toBe('another-key-42');
});

test('takes the credential of the service manager when the settings name no file', async () => {
  const credential = join(folder, 'api-key');
  // The service manager sets mode 0440 and an access list
  await writeFile(credential, 'credential-key-1', { mode: 0o440 });
  const places = { credentialsDirectory: folder, userId: userId + 1 };
  expect(await ask(places)).toBe('credential-key-1');
  expect(await ask({ ...places, apiKeyPath: file, userId })).toBe(key);
  await rm(credential);
  expect(await failureOf(places)).toMatch(/^KEY_MISSING: /);
});

test('answers undefined when no place is named', async () => {
  expect(await ask({ userId })).toBeUndefined();
});

describe('the file with name and password for the proxy', () => {
  const readFor = (places: KeyPlaces, path = file) => createKeyFileSecrets(places).proxyCredentials?.(path);

  test('holds one line, and is read at each call', async () => {
    const secrets = createKeyFileSecrets({ userId });
    for (const credentials of ['desk:p:a ss', 'CORP\\desk:päß']) {
      await writeFile(file, `\uFEFF${credentials}\r\n`);
      expect(await secrets.proxyCredentials?.(file)).toBe(credentials);
    }
  });

  test.each(['no-colon', ':no-name', 'a:b\nc:d', ''])(
    'is refused when it holds %j, which is not repeated',
    async (text) => {
      await writeFile(file, text);
      const error: unknown = await readFor({ userId })?.catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        failure: {
          code: 'PROXY_AUTH',
          message: `The proxy credentials file ${file} must contain a single line, name:password.`,
          advice: expect.stringContaining('chmod 600'),
        },
      });
    },
  );

  test('is refused when others can read it or when it is missing', async () => {
    await chmod(file, 0o644);
    await expect(readFor({ userId })).rejects.toThrow(
      /^PROXY_AUTH: The proxy credentials file .* is accessible to other accounts/,
    );
    await expect(readFor({ userId }, join(folder, 'none'))).rejects.toThrow(
      /^PROXY_AUTH: There is no proxy credentials file/,
    );
  });

  test('is guarded by the service manager in its folder of credentials', async () => {
    await writeFile(file, 'desk:secret');
    await chmod(file, 0o644);
    const places = { userId: userId + 1 };
    expect(await readFor({ ...places, credentialsDirectory: folder })).toBe('desk:secret');
    await expect(readFor({ ...places, credentialsDirectory: join(folder, 'other') })).rejects.toThrow(
      /another account/,
    );
    const missing = readFor({ ...places, credentialsDirectory: folder }, join(folder, 'proxy'));
    await expect(missing).rejects.toMatchObject({
      failure: { advice: expect.stringContaining('Set the credential "proxy"') },
    });
  });

  test('is known to whoever redacts before anybody else, with the header that it becomes', async () => {
    await writeFile(file, 'desk:pr0xy-pass');
    const register = createSecretRegister();
    await registerSecrets(createKeyFileSecrets({ userId }), register).proxyCredentials?.(file);
    const header = Buffer.from('desk:pr0xy-pass').toString('base64');
    const told = `pr0xy-pass ${encodeURIComponent('desk:pr0xy-pass')} ${header}`;
    const clean = register.forms().reduce((text, form) => text.replaceAll(form, '-'), told);
    expect(clean).not.toMatch(/pr0xy|pass|ZGVzazpwcjB4/);
  });
});
