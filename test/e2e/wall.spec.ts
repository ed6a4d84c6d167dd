import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { incidentRow } from './helpers/uploads-list.ts';

/** Letters of 40 px on a 40-inch screen with 1080 lines are about 2 cm high: enough for five metres. */
const LEAST_TEXT_PX = 56;

const unreadable = {
  code: 'DISK_ERROR',
  message: 'The disk failed.',
  advice: 'See Health.',
  retryable: true,
};

test('a control room sees from afar what waits and what is wrong, and no name', async ({ desk }) => {
  const { page, simulator } = desk;
  await page.setViewportSize({ width: 1920, height: 1080 });
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  const listed = () => [...simulator.incidents().values()][0]?.uploaded_videos.length;
  await expect.poll(listed, { timeout: 30_000 }).toBe(1);
  await desk.open('/health');
  await page.getByRole('link', { name: 'Wall screen' }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('✓ No clips waiting');
  await expect(page.getByRole('navigation')).toHaveCount(0);

  const record = simulator.faults.hold({ call: 'putIncident' });
  await desk.export('Gate 9', { 'cam9.mp4': await sampleClip(9) });
  await record.arrived;
  // Its clip has been sent, but the service does not show it yet
  await expect(page.getByRole('region', { name: 'Waiting' })).toHaveText('Waiting0');
  await expect(heading).toHaveText('▲ Uploading');
  record.release();
  await expect(heading).toHaveText('✓ No clips waiting');

  simulator.setKeys([]);
  await desk.export('Gate 5', { 'cam2.mp4': await sampleClip(2) });
  await expect(heading).toHaveText('✕ Needs attention');
  await expect(page.getByRole('listitem')).toContainText(/Service problem \(KEY_REFUSED\) since /);
  await expect(page.getByRole('region', { name: 'Waiting' })).toContainText(/1.*since \d\d:\d\d (?:UTC|GMT)/);
  await expect(page.locator('body')).not.toContainText(/Gate|cam\d|mp4|exports/);
  await expectNoAxeFindings(page);

  const shown = await page.evaluate(() => {
    const texts = [...document.querySelectorAll('main *:not(a)')].filter((each) =>
      [...each.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== ''),
    );
    const cut = [document.body, ...texts].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
    );
    return {
      sizes: texts.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)),
      cut: cut.length,
      isHigher: document.documentElement.scrollHeight > innerHeight,
    };
  });
  expect(Math.min(...shown.sizes)).toBeGreaterThanOrEqual(LEAST_TEXT_PX);
  expect(shown).toMatchObject({ cut: 0, isHigher: false });
  await page.getByRole('link', { name: 'Leave the wall screen' }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
});

test('a wall that could not be read yet says so, and can be left', async ({ desk }) => {
  const { page } = desk;
  await desk.open('/health');
  const asked = Promise.withResolvers<void>();
  const isLet = Promise.withResolvers<void>();
  await page.route(/\/call$/, async (route) => {
    if (route.request().postData()?.includes('health.summary') === true) {
      asked.resolve();
      await isLet.promise;
      return route.fulfill({ json: { ok: false, error: unreadable } });
    }
    return route.continue();
  });
  await page.getByRole('link', { name: 'Wall screen' }).click();
  await asked.promise;
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Loading');
  await expect(page.getByRole('link', { name: 'Leave the wall screen' })).toBeVisible();
  isLet.resolve();
  await expect(heading).toHaveText('✕ No response from the agent');
  await expect(page.getByRole('status')).toContainText('DISK_ERROR');
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Leave the wall screen' }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
});

test(
  'a clock that is set back does not make old data on the wall look fresh',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await page.clock.install();
    await desk.open('/health');
    await page.getByRole('link', { name: 'Wall screen' }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('✓ Nothing sent yet');
    await page.route(/\/(events|call)$/, (route) => route.fulfill({ status: 503 }));
    await page.clock.setSystemTime(Date.now() - 3_600_000);
    await page.clock.fastForward('01:00');
    await expect(heading).toHaveText('✕ Needs attention');
  },
);

test.describe('on a line that takes half a minute for a clip', () => {
  test.use({ deskOptions: { settings: { upload: { maxBytesPerSecond: 8192 } } } });

  test('the wall does not say that it sends what a person paused', { tag: '@long' }, async ({ desk }) => {
    const { page } = desk;
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip(), 'cam2.mp4': await sampleClip(2) });
    await desk.open('/uploads');
    await incidentRow(page, 'Gate 4', 'Uploading').click();
    await page.getByRole('complementary').getByRole('button', { name: 'Pause' }).press('Enter');
    await expect(incidentRow(page, 'Gate 4', 'Paused')).toBeVisible();
    await page.goto(`${desk.console.origin}/#/wall`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('▲ Paused');
  });
});

test.describe('where files must stay unchanged for ten minutes', () => {
  test.use({ deskOptions: { settings: { watch: [{ path: 'exports', settleSeconds: 600 }] } } });

  test(
    'the wall does not say that all has been sent while an export is arriving',
    { tag: '@long' },
    async ({ desk }) => {
      // Nothing in it shows that it is complete
      await desk.export('Gate 4', { 'cam1.avi': Buffer.alloc(2000, 1) });
      await desk.open('/health');
      await desk.page.getByRole('link', { name: 'Wall screen' }).click();
      await expect(desk.page.getByRole('heading', { level: 1 })).toHaveText('▲ 1 export arriving');
    },
  );
});
