import fs from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKeyOrigins, originFileOf } from '../../../../electron/agent/settings/key-file.ts';

const KEY = 'canary-key-1234567890';
const OWN = 'https://api.example.com';
const OTHER = 'https://elsewhere.example.com';

let folder = '';
let files: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'origins-'));
  const made = folder;
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  files = [originFileOf(join(folder, 'key.txt')), join(folder, 'state', 'key-origins.json')];
});
const open = () => createKeyOrigins(() => files);

describe('a key', () => {
  test('belongs to the first origin that it is used for, also after a restart', async () => {
    expect(await open().check(KEY, OWN)).toBeUndefined();
    expect(await open().check(KEY, OWN)).toBeUndefined();
    expect(await open().check(KEY, OTHER)).toMatchObject({
      code: 'KEY_ORIGIN',
      message: `The API key belongs to ${OWN}, but the settings point to ${OTHER}. Nothing was sent.`,
      advice: expect.stringContaining(`vms-export-agent key trust ${OTHER}`),
    });
    expect(await open().check(KEY, OWN)).toBeUndefined();
  });

  test('that only the service manager has goes to another one when its note is deleted', async () => {
    const credential = createKeyOrigins(
      () => files,
      () => true,
    );
    const [file = ''] = files;
    await credential.check(KEY, OWN);
    expect(await credential.check(KEY, OTHER)).toMatchObject({
      code: 'KEY_ORIGIN',
      advice: expect.stringContaining(`delete ${file}.`),
    });
    await rm(file);
    expect(await credential.check(KEY, OTHER)).toBeUndefined();
  });

  test('goes to another one after a person said so, and then to no other', async () => {
    await open().check(KEY, OWN);
    expect(await open().trust(KEY, OTHER)).toEqual({ ok: true, value: undefined });
    expect(await open().check(KEY, OTHER)).toBeUndefined();
    expect(await open().check(KEY, OWN)).toMatchObject({ code: 'KEY_ORIGIN' });
  });

  test('that replaces another one is used for its own origin', async () => {
    await open().check(KEY, OWN);
    expect(await open().check('another-key-12345', OTHER)).toBeUndefined();
    expect(await open().check(KEY, OTHER)).toMatchObject({ code: 'KEY_ORIGIN' });
  });

  test('and its note are for this account alone, and the note does not hold the key', async () => {
    await open().check(KEY, OWN);
    const [file = ''] = files;
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain(KEY);
  });

  test('is noted in the next place where nothing can be written beside it', async () => {
    files = [join(folder, 'file', 'key.txt.origin'), join(folder, 'state', 'key-origins.json')];
    await writeFile(join(folder, 'file'), 'no folder');
    // A file in the folder's place cannot hold a note, and fails like a folder without write permission
    const beside = createKeyOrigins(() => files.slice(1));
    expect(await beside.check(KEY, OWN)).toBeUndefined();
    expect(await beside.check(KEY, OTHER)).toMatchObject({ code: 'KEY_ORIGIN' });
  });

  test('goes nowhere while it cannot be noted where it belongs', async () => {
    await mkdir(join(folder, 'taken'));
    await writeFile(join(folder, 'taken', 'inside'), '');
    const nowhere = createKeyOrigins(() => []);
    expect(await nowhere.check(KEY, OWN)).toMatchObject({ code: 'KEY_ORIGIN' });
  });

  test.each([
    ['is damaged', (file: string) => writeFile(file, '{"', { mode: 0o600 })],
    ['can be written by others', (file: string) => chmod(file, 0o622)],
  ])('goes nowhere while its note %s, until a person says where', async (_, spoil) => {
    await open().check(KEY, OWN);
    const [file = ''] = files;
    await spoil(file);
    expect(await open().check(KEY, OWN)).toMatchObject({ code: 'KEY_ORIGIN' });
    expect(await open().trust(KEY, OWN)).toMatchObject({ ok: true });
    expect(await open().check(KEY, OWN)).toBeUndefined();
  });

  test('keeps its note while this program has no handles left to read it', async () => {
    await open().check(KEY, OWN);
    await open().check('another-key-12345', OTHER);
    const shortage = { code: 'HANDLES_USED_UP', retryable: true };
    await withoutHandles(async () => {
      expect(await open().check(KEY, OWN)).toMatchObject(shortage);
      expect(await open().trust(KEY, OTHER)).toMatchObject({ ok: false, error: shortage });
    });
    expect(await open().check(KEY, OWN)).toBeUndefined();
    expect(await open().check('another-key-12345', OTHER)).toBeUndefined();
  });
});

/** Runs `work` while every `readFileSync` fails because no file handles are left. */
async function withoutHandles(work: () => Promise<void>): Promise<void> {
  const noHandles = vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', errno: -24 });
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    noHandles.mockRestore();
    syncBuiltinESMExports();
  }
}
