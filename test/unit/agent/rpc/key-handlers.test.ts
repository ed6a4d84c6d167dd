import { createHash } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createKeyFileSecrets } from '../../../../electron/agent/config/key-file.ts';
import { loadSettings } from '../../../../electron/agent/config/load-settings.ts';
import { createKeyHandlers } from '../../../../electron/agent/rpc/key-handlers.ts';

const KEY = 'canary-8f3e1d-0815';
const fingerprint = createHash('sha256').update(KEY).digest('hex').slice(0, 8);
const idle = new AbortController().signal;

async function startDesk(more: Readonly<Record<string, unknown>>) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'key-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settingsFile = join(folder, 'config.json');
  await writeFile(settingsFile, JSON.stringify({ baseUrl: 'https://api.example.com/v1', ...more }));
  const loaded = await loadSettings(settingsFile);
  if (!loaded.ok) throw new Error('The settings are wrong');
  const { settings, apiKeyPath } = loaded.value;
  let saves = 0;
  const handlers = createKeyHandlers({
    config: { settings, settingsFile, dataDir: join(folder, 'data'), version: '1' },
    secrets: createKeyFileSecrets(apiKeyPath === undefined ? {} : { apiKeyPath }),
    onSaved: () => (saves += 1),
  });
  return { handlers, saves: () => saves };
}

it('a key that is stored counts at once where its file was known, and only its fingerprint is told', async () => {
  const { handlers, saves } = await startDesk({ apiKeyFile: 'key.txt' });
  expect(await handlers['settings.key']({}, idle)).toEqual({
    ok: true,
    value: { isSet: false, needsRestart: false },
  });
  const stored = await handlers['settings.setKey']({ key: KEY }, idle);
  expect(stored).toEqual({ ok: true, value: { isSet: true, fingerprint, needsRestart: false } });
  expect(await handlers['settings.key']({}, idle)).toEqual(stored);
  expect(saves()).toBe(1);
});

it('a key for settings that named no file counts after the next start', async () => {
  const { handlers } = await startDesk({});
  expect(await handlers['settings.setKey']({ key: KEY }, idle)).toEqual({
    ok: true,
    value: { isSet: true, fingerprint, needsRestart: true },
  });
});

it('a key that cannot be one is refused without being repeated', async () => {
  const { handlers, saves } = await startDesk({ apiKeyFile: 'key.txt' });
  const refused = await handlers['settings.setKey']({ key: `Bearer ${KEY}` }, idle);
  expect(refused).toMatchObject({ ok: false, error: { code: 'KEY_FORMAT' } });
  expect(JSON.stringify(refused)).not.toContain(KEY);
  expect(saves()).toBe(0);
});
