import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resultSchema } from '../../../electron/desktop/self-test/self-test-table.ts';
import { chromiumPath } from './double-driver.ts';
import { expect, orderInPage, test } from './desktop.ts';

test(
  'the self-test says of each part whether it works, and what ran it',
  { tag: '@long' },
  async ({ driver }) => {
    test.skip(driver === 'electron', 'it is a run of its own there: npm run desktop:selftest');
    const child = spawn(process.execPath, ['scripts/desktop-selftest.ts', '--double'], {
      env: { ...process.env, CHROMIUM_PATH: chromiumPath },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((done) => void child.once('close', done));
    const result = resultSchema.parse(JSON.parse(await readFile('.tmp/desktop-selftest.json', 'utf8')));
    const failed = result.rows.filter(({ state }) => state === 'failed');
    expect(failed, said).toEqual([]);
    expect(code).toBe(0);
    // It must never be mistaken for proof on a real system
    expect(result.runtime).toContain('development double');
    const row = (name: string): string | undefined => result.rows.find((each) => each.name === name)?.detail;
    expect(row('thumbnail codecs')).toMatch(/H\.264 (yes|no), H\.265 (yes|no), VP9 (yes|no), AV1 (yes|no)/);
    expect(row('key store')).toContain('prefix v11');
    expect(row('worker threads')).toBe('hash, send, probe, check, checkpoint, system-certificates');
    expect(row('upload of one export')).toBe('clips sent: 1');
    // On the double only the first start could receive it
    expect(row('a second start hands its link over and ends')).toBe('taken by the first one');
    for (const { name } of result.rows) expect(said).toContain(`| ${name} |`);
  },
);

test(
  'a program that is tested keeps away from the desk of this account, and Health has the result',
  { tag: '@long' },
  async ({ desktop, driver }) => {
    test.skip(driver === 'electron', 'the double says how it ended');
    const { app } = await desktop.start(['--selftest']).catch(() => ({ app: undefined }));
    if (app !== undefined) expect(await app.ended).toBe(0);
    const { page } = await desktop.start();
    await expect
      .poll(() => orderInPage(page, 'diagnosis.get'))
      .toMatchObject({ value: { selfTest: { failed: 0 } } });
    await page.getByRole('link', { name: 'Health' }).click();
    await expect(page.getByRole('region', { name: 'Desktop app' })).toContainText('Failed 0');
  },
);
