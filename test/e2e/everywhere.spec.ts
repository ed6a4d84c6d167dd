import type { Locator, Page } from '@playwright/test';
import { expectNoAxeFindings, expectNoContrastFindings } from './helpers/axe.ts';
import { countAnnouncements } from './helpers/count-announcements.ts';
import { expect, test, type Desk } from './helpers/desk.ts';
import { findEnglish } from './helpers/find-english.ts';
import { findUnreachable } from './helpers/find-unreachable.ts';
import { sampleClip, samplePicture } from './helpers/sample-clips.ts';
import { clipRows, incidentRow, uploadsList } from './helpers/uploads-list.ts';

const screens = ['uploads', 'periods', 'compose', 'users', 'settings', 'health', 'handover'] as const;
type ScreenName = (typeof screens)[number];
const gridNames: Partial<Record<ScreenName, string>> = {
  uploads: 'Incidents and clips',
  periods: 'Actions',
  users: 'Users',
};

/** Adds a clip that was sent and one that failed, so that no screen is empty. */
async function fill({ page, simulator, export: put }: Desk): Promise<void> {
  await put('Gate 4', {
    'Gate 4 North_20260501_193005.mp4': await sampleClip(),
    'Gate 4 North_20260501_193005.jpg': await samplePicture(),
  });
  const clips = clipRows(page);
  await expect(clips.getByText('Sent')).toBeVisible();
  simulator.configure({ maxUploadSizeMb: 0.01 });
  await put('Concourse', { 'cam2.mp4': await sampleClip() });
  await expect(clips.getByText('Failed')).toBeVisible();
}

/** Opens a filled desk with these preferences. */
async function openFilled(desk: Desk, preferences: object): Promise<void> {
  const { page } = desk;
  await desk.open('/uploads?open=true');
  await fill(desk);
  await page.evaluate((kept) => localStorage.setItem('preferences', kept), JSON.stringify(preferences));
  await page.reload();
}

/** Shows a screen, and selects its first row by keyboard if it has rows. */
async function show({ page, console: { origin } }: Desk, screen: ScreenName): Promise<void> {
  await page.goto(`${origin}/#/${screen}${screen === 'uploads' ? '?open=true' : ''}`);
  if (gridNames[screen] !== undefined) {
    await expect(gridOf(page, screen).getByRole('row').nth(1)).toBeVisible();
    await gridOf(page, screen).press('ArrowDown');
  }
  await expectShown(page, screen);
}

const gridOf = (page: Page, screen: ScreenName): Locator =>
  page.getByRole(screen === 'uploads' ? 'treegrid' : 'grid').last();

/** Expects the selected row and its details, or the contents of a screen without rows. */
async function expectShown(page: Page, screen: ScreenName): Promise<void> {
  if (gridNames[screen] === undefined)
    return expect(
      page.getByRole('main').getByRole('button').or(page.getByRole('article')).first(),
    ).toBeVisible();
  await expect(gridOf(page, screen).getByRole('row').nth(1)).toBeVisible();
  // Its position is not final while more of a list arrives
  await expect(gridOf(page, screen).getByRole('row', { selected: true })).toBeVisible();
  return expect(page.getByRole('complementary').getByRole('heading').first()).toBeVisible();
}

for (const { how, forcedColors, isLong } of [
  { how: 'dark and light', forcedColors: null, isLong: false },
  { how: 'dark and light in forced colours', forcedColors: 'active', isLong: true },
] as const)
  for (const some of [screens.slice(0, 3), screens.slice(3)])
    test(`${some.join(', ')}: accessible on ${how}`, isLong ? { tag: '@long' } : {}, async ({ desk }) => {
      const { page } = desk;
      await openFilled(desk, { theme: 'system' });
      for (const screen of some)
        await test.step(screen, async () => {
          await page.emulateMedia({ colorScheme: 'dark', forcedColors });
          await show(desk, screen);
          await expectNoAxeFindings(page);
          await page.emulateMedia({ colorScheme: 'light', forcedColors });
          await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
          await expectNoContrastFindings(page);
        });
    });

test('every part of Settings is accessible, in forced colours too', { tag: '@long' }, async ({ desk }) => {
  const { page } = desk;
  await desk.open('/uploads?open=true');
  await fill(desk);
  await desk.open('/settings');
  for (const part of await page.getByRole('tab').all())
    await test.step((await part.textContent()) ?? '', async () => {
      await part.click();
      await expect(part).toHaveAttribute('aria-selected', 'true');
      await expectNoAxeFindings(page);
      await page.emulateMedia({ forcedColors: 'active' });
      await expectNoContrastFindings(page);
      await page.emulateMedia({ forcedColors: null });
    });
});

test('every word of every screen can be translated', async ({ desk }) => {
  await openFilled(desk, { language: 'en-XA' });
  for (const screen of screens)
    await test.step(screen, async () => {
      await show(desk, screen);
      const found = await findEnglish(desk.page);
      expect(found.filter((text) => !isNoWord(text))).toEqual([]);
    });
});

/** An image type, and texts of the component library in languages that it knows. */
const isNoWord = (text: string): boolean =>
  /^(png|aria-label=Show suggestions|aria-roledescription=Number field) /.test(text);

test(
  'every screen turns from right to left, and what reads from left to right does not',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await openFilled(desk, { language: 'ar-XB', theme: 'light' });
    for (const screen of screens)
      await test.step(screen, async () => {
        await show(desk, screen);
        await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
        const rail = await page.getByRole('navigation', { name: 'Screens' }).boundingBox();
        expect(rail?.x).toBeGreaterThan(1000);
        expect(await pageOverflow(page)).toEqual([0, 0]);
        const turned = await page
          .locator('.ltr')
          .evaluateAll((all) => all.filter((each) => getComputedStyle(each).direction !== 'ltr').length);
        expect(turned).toBe(0);
        expect(await page.locator('.ltr').count()).toBeGreaterThan(0);
      });
  },
);

/** How much larger the page is than its window: the page itself never scrolls, its parts do. */
const pageOverflow = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });

/** As at 200 and 400 % zoom. */
const small = { width: 1024, height: 700 };
const zoomed = { width: 720, height: 410 };
const narrow = { width: 320, height: 640 };

for (const { name, viewport, preferences, tag } of [
  { name: '200 and 400 % zoom', viewport: zoomed, preferences: {}, tag: [] },
  { name: 'a text size of 150 %', viewport: small, preferences: { textSize: 150 }, tag: '@long' },
])
  test(`at ${name} everything on every screen can be reached`, { tag }, async ({ desk }) => {
    const { page } = desk;
    await openFilled(desk, preferences);
    for (const screen of screens)
      await test.step(screen, async () => {
        await page.setViewportSize(viewport);
        await show(desk, screen);
        expect(await findBroken(page)).toEqual([]);
        expect(await pageOverflow(page)).toEqual([0, 0]);
        expect(await findUnreachable(page)).toEqual([]);
        if (gridNames[screen] !== undefined) {
          const grid = gridOf(page, screen);
          await grid.scrollIntoViewIfNeeded();
          expect((await grid.boundingBox())?.height).toBeGreaterThan(100);
        }
        if (viewport !== zoomed) return;
        // Everything can be read without scrolling in both directions
        await page.setViewportSize(narrow);
        await expectShown(page, screen);
        expect(await pageOverflow(page)).toEqual([0, 0]);
        expect(await findWide(page)).toEqual([]);
        expect(await findUnreachable(page)).toEqual([]);
      });
  });

/** Names of screens that are broken in the middle of a word. */
const findBroken = (page: Page): Promise<readonly string[]> =>
  page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link')
    .locator('span:first-of-type')
    .evaluateAll((names) =>
      names.flatMap((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
          ? (name.textContent ?? '')
          : [];
      }),
    );

/** Elements that have to be scrolled sideways and are not tables, in which rows and columns have a meaning. */
const findWide = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main, main *, aside, aside *, footer, header, nav')]
      .filter(
        (element) =>
          element.closest(
            '[role="grid"], [role="treegrid"], table, pre, input, textarea, .visually-hidden',
          ) === null,
      )
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .filter((element) => ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX))
      .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis')
      .map(
        (element) =>
          `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.slice(0, 40)}`,
      ),
  );

test.describe('with bytes on their way', () => {
  const slow = { multipartThresholdBytes: 5_242_880, partSizeBytes: 5_242_880, concurrentFiles: 1 };
  test.use({ deskOptions: { settings: { upload: { ...slow, maxBytesPerSecond: 200_000 } } } });

  test('in forced colours what is chosen, in focus and under way can be seen', async ({ desk }) => {
    const { page } = desk;
    await page.emulateMedia({ forcedColors: 'active' });
    await desk.open('/uploads?open=true');
    await desk.export('Concourse', { 'cam1.mp4': await sampleClip(7_000_000) });
    const grid = uploadsList(page);
    await expect(clipRows(page).getByText('Uploading')).toBeVisible();
    await expect(grid.getByRole('row')).toHaveCount(3); // Briefly the export is shown above its incident
    for (const key of ['ArrowDown', 'ArrowDown']) await grid.press(key);
    const row = grid.getByRole('row', { selected: true });
    await expect(row).toHaveCSS('background-color', await systemColor(page, 'Highlight'));
    await expect(row).toHaveCSS('outline-style', 'solid');
    const onHighlight = await systemColor(page, 'HighlightText');
    await expect(row).toHaveCSS('outline-color', onHighlight);
    const parts = row.locator('[role="gridcell"], [role="gridcell"] *');
    const colors = await parts.evaluateAll((all) => all.map((each) => getComputedStyle(each).color));
    expect(new Set(colors)).toEqual(new Set([onHighlight]));
    const done = row.getByRole('progressbar').locator('*');
    await expect(done).toHaveCSS('background-color', onHighlight);
    const primary = page.getByRole('button', { name: 'Add folder' });
    await expect(primary).toHaveCSS('background-color', await systemColor(page, 'LinkText'));
    await expect(primary).toHaveCSS('color', await systemColor(page, 'Canvas'));
    // Otherwise the text gets a background of its own colour
    await expect(primary).toHaveCSS('forced-color-adjust', 'none');
  });

  test('the strip keeps to one line, and nothing moves when rows are selected', async ({ desk }) => {
    const { page, simulator } = desk;
    await page.setViewportSize(small);
    await desk.open('/uploads?open=true');
    simulator.configure({ maxUploadSizeMb: 0.01 });
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await expect(clipRows(page).getByText('Failed')).toBeVisible();
    simulator.configure({ maxUploadSizeMb: -1 });
    await desk.export('Ramp', { 'ramp.jpg': Buffer.from('x') });
    await desk.export('Concourse', { 'cam2.mp4': await sampleClip(7_000_000) });
    const strip = page.getByRole('contentinfo', { name: 'Status' });
    for (const part of [/1 export needs attention/, /1 clip failed/, /of 200/, /1 active/])
      await expect(strip).toContainText(part);
    expect((await strip.boundingBox())?.height).toBeLessThan(36);
    const top = async () => (await uploadsList(page).boundingBox())?.y;
    const before = await top();
    for (const title of ['Concourse', 'Gate 4']) {
      await incidentRow(page, title, '').getByText(title).first().click();
      await page.keyboard.press('x');
    }
    await expect(page.getByRole('region', { name: '2 selected' })).toContainText(/Move to the front/);
    expect(await top()).toBe(before);
  });

  test('a screen reader is not told of every tick, and nothing moves by itself', async ({ desk }) => {
    const { page } = desk;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await desk.open('/uploads?open=true');
    await desk.export('Concourse', { 'cam1.mp4': await sampleClip(7_000_000) });
    const bar = clipRows(page).getByRole('progressbar');
    await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]/);
    const before = await bar.getAttribute('aria-valuenow');
    expect(await countAnnouncements(page, 3000)).toEqual([]);
    expect(await bar.getAttribute('aria-valuenow')).not.toBe(before);
    expect(await page.evaluate(movingMs)).toEqual([]);
  });
});

/** Durations of the current animations, milliseconds; those that end before the next frame move nothing. */
const movingMs = (): readonly number[] =>
  document
    .getAnimations()
    .map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0))
    .filter((endMs) => endMs > 1);

/** A system colour as it is here. */
const systemColor = (page: Page, name: string): Promise<string> =>
  page.evaluate((color) => {
    const probe = document.createElement('div');
    probe.style.setProperty('forced-color-adjust', 'none');
    probe.style.setProperty('color', color);
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }, name);
