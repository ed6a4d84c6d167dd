import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { sampleClip } from '../helpers/sample-clips.ts';
import { expect, test, type Desktop } from './desktop.ts';
import { clipRows, uploadsList, showClips } from '../helpers/uploads-list.ts';

const lineSchema = z.looseObject({ at: z.iso.datetime(), level: z.string(), message: z.string() });
type Line = z.infer<typeof lineSchema>;

test.beforeEach(({ driver }) => {
  test.skip(
    driver === 'electron' && process.platform === 'darwin',
    'macOS keeps logs in a folder of its own',
  );
});

const logOf = ({ userData }: Desktop): string => join(userData, 'logs', 'vms-export-agent.log');
const textOf = (desktop: Desktop): Promise<string> => readFile(logOf(desktop), 'utf8').catch(() => '');

/** Every line of the log; each must be complete. */
async function linesOf(desktop: Desktop): Promise<readonly Line[]> {
  const text = await textOf(desktop);
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
}

test(
  'support reads what the app did from its start to its end, without key, signatures and home folder',
  { tag: '@long' },
  async ({ desktop }) => {
    const broken = join(desktop.userData, 'window.json');
    await writeFile(broken, '{');
    const { app, page } = await desktop.start();
    await showClips(page);
    const clips = clipRows(page);
    // Storage refuses once, which logs a signed address
    desktop.simulator.faults.add({
      match: { call: 'putObject' },
      times: 1,
      action: { kind: 'answer', status: 500, code: 'InternalError', when: 'before' },
    });
    await desktop.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await expect(clips).toContainText('Sent', { timeout: 30_000 });
    desktop.simulator.configure({ maxUploadSizeMb: 0.01 });
    await desktop.export('Corridor', { 'cam2.mp4': await sampleClip() });
    await expect(clips.filter({ hasText: 'cam2.mp4' })).toContainText('Failed');
    // Nothing is left to be reported to the service, which the app also does while it ends
    const failed = () => [...desktop.simulator.incidents().values()].flatMap((each) => each.failed_videos);
    await expect.poll(() => failed().length, { timeout: 30_000 }).toBe(1);
    await app.system.quit();
    await app.ended;

    const lines = await linesOf(desktop);
    expect(lines[0]).toMatchObject({ level: 'info', message: 'The app is starting', version: '0.1.0' });
    expect(lines.slice(-2)).toMatchObject([
      { message: 'The app was asked to quit', cause: 'person' },
      { message: 'Recorded in the audit trail', action: 'agent.stopped' },
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'A clip was sent', file: 'cam1.mp4' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'A clip will be retried later', file: 'cam1.mp4' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'A clip failed',
        file: 'cam2.mp4',
        code: 'FILE_TOO_LARGE',
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', file: join('~', relative(desktop.home, broken)) }),
    );
    const text = await textOf(desktop);
    for (const secret of [desktop.simulator.apiKey, desktop.home, 'X-Amz-Signature', 'X-Amz-Credential'])
      expect(text).not.toContain(secret);
    if (process.platform !== 'win32') expect((await stat(logOf(desktop))).mode & 0o777).toBe(0o600);
  },
);

test(
  'names of exports forge no line of the log, support sees its lines in Health, and that of an app that was killed goes on whole',
  { tag: '@long' },
  async ({ desktop, driver }) => {
    test.skip(driver === 'electron' && process.platform === 'win32', 'Windows takes no such names');
    const first = await desktop.start();
    const forged = '{"at":"2026-01-01T00:00:00.000Z","level":"error","message":"forged"}';
    await desktop.export(`Gate 4\n${forged}\n\u202e`, { 'cam1.mp4': await sampleClip() });
    await expect.poll(() => textOf(desktop), { timeout: 20_000 }).toContain('A clip was sent');
    const lines = await linesOf(desktop);
    expect(lines.map(({ message }) => message)).not.toContain('forged');
    expect(lines.map(({ message }) => message)).toContain('An export became an incident');
    expect(await textOf(desktop)).not.toContain('\u202e');

    await expect(uploadsList(first.page)).toContainText('Sent', { timeout: 20_000 });
    await first.page.getByRole('link', { name: 'Health' }).click();
    await first.page.getByRole('radio', { name: 'Program log' }).click();
    const log = first.page.getByRole('region', { name: 'Log entries, newest first' });
    await expect(log).toContainText('The app is starting');
    await expect(log).toContainText('A clip was sent');
    await expect(log).toContainText('"file":"cam1.mp4"');

    await first.app.kill();
    const before = await linesOf(desktop);
    expect(before.map(({ message }) => message)).not.toContain('The app was asked to quit');
    const { page } = await desktop.start();
    await page.getByRole('link', { name: 'Health' }).click();
    await expect.poll(async () => (await linesOf(desktop)).length).toBeGreaterThan(before.length);
    const after = await linesOf(desktop);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after[before.length]).toMatchObject({ message: 'The app is starting' });
  },
);
