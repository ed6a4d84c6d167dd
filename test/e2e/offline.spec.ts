import { chmod, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { startConsole, type Console } from '../../electron/console/start-console.ts';
import { LONGEST_SILENCE_MS } from '../../renderer/bridge/console-bridge.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test, type Desk } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows } from './helpers/uploads-list.ts';

/** Two parts, so that there is something to lose halfway. */
const LARGE_BYTES = 6_000_000;
const oneAfterTheOther = {
  upload: {
    multipartThresholdBytes: 5_242_880,
    partSizeBytes: 5_242_880,
    concurrentFiles: 1,
    concurrentParts: 1,
    maxBytesPerSecond: 3_000_000,
  },
};
const strip = (page: Page) => page.getByRole('contentinfo', { name: 'Status' });
const clips = (page: Page) => clipRows(page);
const sent = (page: Page, count: number) =>
  expect(page.getByRole('radio', { name: new RegExp(`^Sent ${count}$`) })).toBeVisible({ timeout: 30_000 });

// Mostly waiting: in parallel they would leave the CPUs idle
test.describe.configure({ mode: 'default' });

test.describe('with one clip under way and others waiting', () => {
  test.use({ deskOptions: { settings: oneAfterTheOther } });

  test('a desk goes offline for an hour and comes back', async ({ desk }) => {
    const { page, simulator } = desk;
    await page.clock.install();
    await desk.open('/uploads?open=true');
    const clip = await sampleClip(LARGE_BYTES);
    await desk.export('Concourse', { 'cam1.mp4': clip, 'cam2.mp4': clip, 'cam3.mp4': clip });
    await expect(clips(page).getByText('Uploading')).toBeVisible();
    await simulator.goOffline();
    await expect(strip(page)).toContainText(
      /! Offline since \d\d:\d\d(:\d\d)? \S+: .* · \d clips? safe in the queue/,
    );
    await expect(strip(page)).toHaveCSS('color', 'rgb(240, 189, 88)');
    const [since] = (await strip(page).textContent())?.match(/since [\d:]+/) ?? [];
    await expectNoAxeFindings(page);
    await page.clock.fastForward('01:00:00');
    await desk.export('Gate 4', { 'cam9.mp4': await sampleClip(LARGE_BYTES) });
    await expect(clips(page).getByText('cam9.mp4')).toBeVisible();
    await expect(strip(page)).toContainText(`Offline ${since}`);
    await expect(strip(page)).toContainText(/[34] clips safe in the queue; they will be sent automatically/);
    await simulator.goOnline();
    await sent(page, 4);
    await expect(strip(page)).toContainText('● Online');
    await expect(strip(page)).not.toHaveCSS('color', 'rgb(240, 189, 88)');
    await expectOnceEach(desk, 4);
    // One for each side that did not answer, however often it was tried
    const notices = page.getByRole('button', { name: /notifications?$/ });
    await expect(notices).toHaveText(/! [12] notifications?/);
    await notices.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
    await expectNoAxeFindings(page);
  });
});

/** Expects every clip to be stored once and listed once, and no upload to be left open. */
async function expectOnceEach({ simulator }: Desk, count: number): Promise<void> {
  const listed = () =>
    [...simulator.incidents().values()].flatMap(({ uploaded_videos: videos }) => videos).length;
  await expect.poll(listed).toBe(count);
  expect([...simulator.incidents().values()].flatMap(({ failed_videos: videos }) => videos)).toEqual([]);
  expect((await simulator.objects()).length).toBe(count);
  expect(await simulator.openUploads()).toEqual([]);
}

test('a key is refused, and the strip does not call it offline', async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/uploads?open=true');
  await expect(strip(page)).toContainText('○ Service not contacted yet');
  const heightOf = async () => (await strip(page).boundingBox())?.height;
  const height = await heightOf();
  simulator.configure({ maxUploadSizeMb: 0.01 });
  await desk.export('Gate 3', { 'cam0.mp4': await sampleClip() });
  await desk.export('Ramp', { 'ramp.jpg': Buffer.from('x') });
  for (const part of ['1 export needs attention', '1 clip failed', 'notification'])
    await expect(strip(page)).toContainText(part);
  simulator.configure({ maxUploadSizeMb: -1 });
  simulator.setKeys([]);
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await expect(strip(page)).toContainText(
    /! Uploads on hold since .*: .* · 1 clip safe in the queue; it will be sent once this is fixed/,
  );
  await expect(strip(page)).not.toContainText('Offline');
  const why = strip(page).getByText('the service refused the API key', { exact: true });
  const rest = strip(page).getByText('in the queue; it will be sent once this is fixed', { exact: true });
  // Parts without room are left out, not cut
  for (const width of [1440, 1200, 1024, 900]) {
    await page.setViewportSize({ width, height: 700 });
    expect(await heightOf(), `at ${width} px`).toBe(height);
    for (const part of ['See Settings', '1 export needs attention', '1 clip failed'])
      await expect(strip(page).getByRole('link', { name: part })).toBeInViewport({ ratio: 1 });
    await expect(strip(page).getByRole('button', { name: /notification/ })).toBeInViewport({ ratio: 1 });
    if (width === 1440) await expect(rest).toBeInViewport({ ratio: 1 });
    const isCut = await why.evaluate((text) => text.scrollWidth > text.clientWidth);
    expect(isCut, `the reason at ${width} px`).toBe(width === 900);
    const cut = await strip(page).evaluate((box) =>
      [...box.querySelectorAll('*')]
        .filter((part) => getComputedStyle(part).overflow === 'hidden')
        .flatMap((part) => {
          const { bottom, right } = part.getBoundingClientRect();
          const shown = [...part.children].filter((each) => each.getBoundingClientRect().top < bottom - 1);
          return shown.filter((each) => each.getBoundingClientRect().right > right + 1);
        })
        .map(({ textContent }) => textContent),
    );
    expect(cut, `at ${width} px`).toEqual([]);
  }
  await page.keyboard.press('Shift+P');
  await expect(strip(page)).toContainText('❚❚ Uploads are paused');
  await expect(strip(page)).toContainText('1 clip safe');
  await expect(strip(page)).not.toContainText('it will be sent');
});

test('a slow service is called slow, and what waits is safe', { tag: '@long' }, async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/uploads?open=true');
  simulator.faults.add({ match: { listener: 'service' }, action: { kind: 'delay', ms: 5500 } });
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await expect(strip(page)).toContainText(
    /! The service has been slow since .*: its last response took [5-9] s · See Health · 1 clip safe in the queue/,
  );
  await expect(strip(page).getByRole('link', { name: 'See Health' })).toBeVisible();
  await expect(strip(page), 'said once').not.toContainText('1 waiting');
});

test('a key that may not be used is no key that is missing, and the strip says why', async ({ desk }) => {
  const { page } = desk;
  await chmod(join(dirname(desk.configPath), 'key.txt'), 0o644);
  await desk.restart();
  await desk.open('/uploads?open=true');
  await expect(strip(page)).toContainText(/○ .*key\.txt/);
  await expect(strip(page)).not.toContainText('No API key');
  await expect(strip(page).getByRole('link', { name: 'See Settings' })).toBeVisible();
});

test('an idle desk that finds no service does not call itself online', async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/users');
  await expect(strip(page)).toContainText('● Online');
  await simulator.goOffline();
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Periods' }).click();
  await expect(page.getByText('Could not load the periods')).toBeVisible();
  await expect(strip(page)).toContainText(
    /! No response from the service since .*: No connection to \S+ · See Health/,
  );
  await simulator.goOnline();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(strip(page)).toContainText('● Online');
});

test(
  'a watched folder that went away is said, with the way to what to do',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, root } = desk;
    await desk.open('/uploads?open=true');
    await rename(root, `${root}-away`);
    await strip(page).getByRole('link', { name: 'The watched folder cannot be read' }).click();
    await expect(page.getByText('is gone. Reconnect its disk or share')).toBeVisible();
  },
);

test('an agent whose state cannot be read is not shown as online', async ({ desk }) => {
  const { page } = desk;
  await page.clock.install();
  await desk.open('/users');
  await expect(strip(page)).toContainText('● Online');
  await page.route(/\/call$/, (route) =>
    route.request().postData()?.includes('health.get') === true
      ? route.fulfill({ status: 500, body: 'no reply' })
      : route.continue(),
  );
  await page.clock.fastForward('00:11');
  await expect(strip(page)).toContainText('✕ The agent did not respond.');
  await expect(strip(page)).not.toContainText('Online');
  await page.unroute(/\/call$/);
  await page.clock.fastForward('00:11');
  await expect(strip(page)).toContainText('● Online');
});

test('the page loses its way to the agent, keeps what it showed, and finds back by itself', async ({
  desk,
  violations,
}) => {
  const { page } = desk;
  await page.clock.install();
  await desk.open('/uploads?open=true');
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await sent(page, 1);
  // No message for longer than the agent is ever silent, like a process that hangs
  await page.route(/\/(events|call)$/, (route) => route.abort());
  // A stream that began while the clock was moved forward counts its silence from then
  await expect(async () => {
    await page.clock.fastForward(LONGEST_SILENCE_MS + 1000);
    await expect(strip(page)).toContainText('✕ The agent has not responded since', { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await page.keyboard.press('F5');
  await expect(clips(page).getByText('cam1.mp4')).toBeVisible();
  await page.unroute(/\/(events|call)$/);
  await expect(strip(page)).toContainText('● Online');
  await sent(page, 1);
  violations.length = 0;
});

test('the agent is restarted under an open page, which says how to get in again', async ({
  desk,
  violations,
}) => {
  const { page } = desk;
  await desk.open('/uploads?open=true');
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await sent(page, 1);
  await desk.console.stop();
  await expect(strip(page)).toContainText('✕ The agent has not responded since');
  await expect(clips(page).getByText('cam1.mp4')).toBeVisible();
  await expectNoAxeFindings(page);
  await desk.restart();
  const again = await consoleOn(desk.console.port, desk);
  // The longest wait between two attempts is 15 s
  await expect(strip(page)).toContainText('✕ This page is not signed in', { timeout: 20_000 });
  await expect(clips(page).getByText('cam1.mp4')).toBeVisible();
  await page.goto(again.createLaunchUrl());
  await expect(strip(page)).toContainText('○ Service not contacted yet');
  await desk.export('Gate 5', { 'cam2.mp4': await sampleClip() });
  await sent(page, 2);
  violations.length = 0;
  // The page would report each time that nobody answers
  await page.goto('about:blank');
  await again.stop();
});

async function consoleOn(port: number, desk: Desk): Promise<Console> {
  const ignore = (): void => undefined;
  const opened = await startConsole({
    port,
    assetsDir: 'dist/renderer',
    agent: {
      call: (request, signal) => desk.agent().call(request, signal),
      noteSignIn: () => desk.agent().noteSignIn(),
      playClip: (request, signal) => desk.agent().playClip(request, signal),
      signals: desk.agent().signals,
    },
    clock: createSystemClock(),
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}
