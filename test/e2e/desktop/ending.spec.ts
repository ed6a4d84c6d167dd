import { createHash } from 'node:crypto';
import { sampleClip } from '../helpers/sample-clips.ts';
import { expect, test, type Desktop, type Started } from './desktop.ts';
import type { RunningApp } from './driver.ts';
import { incidentRow } from '../helpers/uploads-list.ts';

/** Three parts: one is confirmed, one is being sent, one has not been started. */
const CLIP_BYTES = 12_000_000;
const inParts = {
  upload: { multipartThresholdBytes: 5_242_880, partSizeBytes: 5_242_880, concurrentParts: 1 },
};
/** Time after which a system kills a program that has not ended, milliseconds. */
const SYSTEM_PATIENCE_MS = 5_000;

/** The ways in which a system ends a program. */
const ends: readonly (readonly [string, (app: RunningApp) => unknown])[] = [
  ['the person signs out of Windows', (app) => app.system.endSession()],
  ['the system shuts down', (app) => app.system.power('shutdown')],
  ['the process is told to end', (app) => app.signal('SIGTERM')],
];

const moments: readonly (readonly [string, (started: Started) => Promise<void>])[] = [
  ['while a clip is on its way', async () => undefined],
  [
    'while a person is asked whether to quit',
    async ({ app }) => {
      await app.system.quit();
      await expect.poll(() => app.system.dialogs()).toHaveLength(1);
    },
  ],
  [
    'while what is on the line is let arrive',
    async ({ app }) => {
      await app.system.answerDialog({ kind: 'button', button: 'Quit' });
      await app.system.quit();
      await expect.poll(async () => (await app.system.dialogs()).at(-1)?.message).toBe('Quitting…');
    },
  ],
];

/** Exports a clip, and waits until storage has one part of it and the next one is being sent. */
async function exportWithPartOnTheLine(desktop: Desktop, title: string, clip: Buffer): Promise<void> {
  const line = desktop.simulator.faults.hold({ call: 'putPart', partNumber: 2 });
  await desktop.export(title, { 'cam1.mp4': clip });
  await line.arrived;
}

/** Numbers of the parts that storage has confirmed, in order, including repeated ones. */
const confirmedParts = ({ simulator }: Desktop): readonly (number | undefined)[] =>
  simulator.requests.of('putPart', { status: 200 }).map(({ partNumber }) => partNumber);

test.describe('the system ends the app', () => {
  test.use({ desktopOptions: { settings: inParts } });

  for (const [how, end, someMoments, details] of [
    ...ends.slice(0, 1).map((one) => [...one, moments.slice(0, 1), {}] as const),
    ...ends.map((one) => [...one, moments, { tag: '@long' }] as const),
  ])
    test(
      `${how}: nobody is waited for, and each clip arrives once after the next start (moments: ${someMoments.length})`,
      details,
      async ({ desktop }) => {
        test.skip(
          process.platform === 'win32' && how === 'the process is told to end',
          'Windows ends a process without telling it',
        );
        test.slow();
        const { simulator } = desktop;
        // The app that was started to check the arrival of a clip is the next one to be ended
        let started = await desktop.start();
        for (const [when, until] of someMoments)
          await test.step(when, async () => {
            const { app } = started;
            const clip = await sampleClip(CLIP_BYTES);
            const before = confirmedParts(desktop).length;
            await exportWithPartOnTheLine(desktop, when, clip);
            await until(started);
            let exitCode: number | undefined;
            void app.ended.then((code) => (exitCode = code));
            await end(app);
            await expect.poll(() => exitCode, { timeout: SYSTEM_PATIENCE_MS }).toBe(0);
            const [open] = await simulator.openUploads();
            expect(open?.parts.map(({ partNumber }) => partNumber)).toEqual([1]);

            simulator.faults.clear();
            started = await desktop.start();
            await expect(incidentRow(started.page, when, 'Sent')).toBeVisible({ timeout: 40_000 });
            expect(confirmedParts(desktop).slice(before)).toEqual([1, 2, 3]);
            const incident = [...simulator.incidents().values()].find(({ title }) => title === when);
            expect(incident?.uploaded_videos).toHaveLength(1);
            const sum = createHash('sha256').update(clip).digest('hex');
            const key = incident?.uploaded_videos[0]?.storage_key ?? '';
            expect(await simulator.sha256OfObject(key)).toBe(sum);
          });
      },
    );
});
