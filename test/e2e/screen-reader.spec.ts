import type { Page } from '@playwright/test';
import { expect, test, type Desk } from './helpers/desk.ts';
import { countAnnouncements } from './helpers/count-announcements.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, uploadsList } from './helpers/uploads-list.ts';

const screens = ['Uploads', 'Periods', 'Compose', 'Users', 'Settings', 'Health'] as const;

/** The page as assistive technology reads it, one line per element. */
const readAloud = async (page: Page): Promise<readonly string[]> =>
  (await page.locator('body').ariaSnapshot()).split('\n').map((line) => line.trim().replace(/^- /, ''));

/** Levels of the headings in reading order. */
const headingLevels = async (page: Page): Promise<readonly number[]> =>
  page
    .getByRole('heading')
    .evaluateAll((all) =>
      all.map((each) => Number(each.getAttribute('aria-level') ?? each.tagName.slice(1))),
    );

async function fill({ page, simulator, export: put, open }: Desk): Promise<void> {
  await put('Gate 4', { 'cam1.mp4': await sampleClip() });
  await open('/uploads?open=true');
  const clips = clipRows(page);
  await expect(clips.getByText('Sent')).toBeVisible();
  simulator.configure({ maxUploadSizeMb: 0.01 });
  await put('Concourse', { 'cam2.mp4': await sampleClip() });
  await clips.getByText('Failed').click();
}

test('a clip is read as a row with its state, name and reason; each screen tells where one is, in order, and names everything that can be worked', async ({
  desk,
}) => {
  const { page } = desk;
  await fill(desk);
  const grid = uploadsList(page);
  await expect(grid).toMatchAriaSnapshot(`
    - treegrid "Incidents and clips":
      - rowgroup:
        - row:
          - columnheader "Select"
          - columnheader "Status"
          - columnheader "Thumbnail"
          - columnheader "Incident"
          - columnheader "Camera"
          - columnheader /Recorded \\(/
          - columnheader "Size"
          - columnheader "Progress"
      - rowgroup:
        - row /Needs attention .*Concourse .*1 failed/ [expanded] [level=1]
        - row /Failed .*cam2.mp4 Concourse .*Too large. .* the limit is/ [level=2] [selected]
        - row /Sent .*Gate 4 .*1 of 1 sent/ [expanded] [level=1]
        - row /Sent .*cam1.mp4 Gate 4/ [level=2]
  `);
  const active = await grid.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('complementary', { name: 'Details' })).toMatchAriaSnapshot(`
    - heading "cam2.mp4" [level=2]
    - region "What went wrong":
      - button "Copy error"
  `);

  for (const screen of screens)
    await test.step(screen, async () => {
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click();
      await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
      await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toHaveCount(0);
      await expect(page.getByRole('main')).toHaveCount(1);
      await expect(page.getByRole('link', { name: screen })).toHaveAttribute('aria-current', 'page');
      await expect(page.getByRole('contentinfo', { name: 'Status' })).toBeVisible();
      const levels = await headingLevels(page);
      expect(levels[0]).toBe(1);
      // No level is skipped on the way down
      const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
      expect(jumps).toEqual([]);
      const lines = await readAloud(page);
      const nameless = lines.filter((line) =>
        /^(button|link|textbox|searchbox|combobox|checkbox|switch|radio|grid|img|progressbar|dialog|region|listbox|spinbutton)(?: \[[^\]]*\])*:?$/.test(
          line,
        ),
      );
      expect(nameless).toEqual([]);
    });
});

test.describe('with four uploads on their way', () => {
  const slow = { multipartThresholdBytes: 5_242_880, partSizeBytes: 5_242_880, concurrentFiles: 4 };
  test.use({ deskOptions: { settings: { upload: { ...slow, maxBytesPerSecond: 1_500_000 } } } });

  test('ten seconds go by with hardly a word', { tag: '@long' }, async ({ desk }) => {
    const { page } = desk;
    await desk.open('/uploads?open=true');
    for (const gate of [1, 2, 3, 4])
      await desk.export(`Gate ${gate}`, { 'cam1.mp4': await sampleClip(16_000_000) });
    const bars = clipRows(page).getByRole('progressbar');
    await expect(bars).toHaveCount(4);
    const share = async (): Promise<number> =>
      (await bars.evaluateAll((all) => all.map((each) => Number(each.getAttribute('aria-valuenow'))))).reduce(
        (sum, each) => sum + each,
        0,
      );
    await expect.poll(share).toBeGreaterThan(0);
    const before = await share();
    const said = await countAnnouncements(page, 10_000);
    expect(said.length, said.join(' | ')).toBeLessThanOrEqual(3);
    expect(await share()).toBeGreaterThan(before);
  });
});
