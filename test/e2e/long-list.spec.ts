import type { Locator, Page } from '@playwright/test';
import { pageSizes } from '../bench/pages/page-sizes.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows } from './helpers/uploads-list.ts';

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Users of the team' });

/**
 * Room around the row under the cursor within the visible part below the header, pixels from its top and to its end.
 */
const roomAroundCursor = (page: Page): Promise<readonly [above: number, below: number]> =>
  grid(page).evaluate((box) => {
    const id = box.getAttribute('aria-activedescendant') ?? '';
    const row = document.querySelector(`[id="${id}"]`)?.getBoundingClientRect();
    const head = box.querySelector('[role="columnheader"]')?.getBoundingClientRect();
    const end = box.getBoundingClientRect().top + box.clientHeight;
    if (row === undefined || head === undefined) throw new Error('There is no such row');
    return [Math.round(row.top - head.bottom), Math.round(end - row.bottom)];
  });

test('going through a long list by keyboard, one always sees where one is', async ({ desk }) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 600 });
  await desk.open('/users');
  await grid(page).focus();
  const keys = [...Array.from({ length: 25 }, () => 'ArrowDown'), 'End', 'ArrowUp', 'PageUp', 'Home'];
  for (const key of keys) {
    await page.keyboard.press(key);
    const [above, below] = await roomAroundCursor(page);
    expect(Math.min(above, below), `after ${key}`).toBeGreaterThanOrEqual(0);
  }
});

test(
  'whoever comes back to a long list finds it scrolled and chosen as it was left',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await page.setViewportSize({ width: 1440, height: 400 });
    await desk.open('/users');
    const rail = page.getByRole('navigation', { name: 'Screens' });
    const topOf = (): Promise<number> => grid(page).evaluate((box) => box.scrollTop);
    const leave = async (): Promise<void> => {
      await rail.getByRole('link', { name: 'Health' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
      await rail.getByRole('link', { name: 'Users' }).click();
      await expect(grid(page)).toBeVisible();
    };
    // Wait for the whole list: rows that still arrive move the others
    await expect(page.getByText(/^229 users$/)).toBeVisible();
    await grid(page).getByRole('row').nth(3).click();
    const chosen = grid(page).getByRole('row', { selected: true });
    const name = await chosen.textContent();
    // A row was selected further up, and the list scrolled down since
    await grid(page).evaluate((box) => box.scrollTo({ top: 1400 }));
    await leave();
    expect(await topOf()).toBe(1400);
    await expect(chosen).toHaveText(name ?? '');
    // The keyboard continues from the selected row
    const index = Number(await chosen.getAttribute('aria-rowindex'));
    await grid(page).press('ArrowDown');
    await expect(chosen).toHaveAttribute('aria-rowindex', String(index + 1));
    expect(Math.min(...(await roomAroundCursor(page)))).toBeGreaterThanOrEqual(0);
  },
);

test('rows are read in their order, however far the list was scrolled', async ({ desk }) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 400 });
  await desk.open('/users');
  await expect(grid(page).getByRole('row').nth(2)).toBeVisible();
  for (const top of [30, 1700, 900, 905, 0, 2400])
    await test.step(`${top} px`, async () => {
      await grid(page).evaluate((box, to) => box.scrollTo({ top: to }), top);
      const shown = grid(page).getByRole('row');
      await expect
        .poll(async () => {
          const indexes = await shown.evaluateAll((rows) => rows.map((row) => Number(row.ariaRowIndex)));
          const first = Math.floor(top / 28) + 2;
          const inOrder = indexes.every((index, at) => at === 0 || index > (indexes[at - 1] ?? 0));
          return inOrder && indexes.includes(first) && indexes.includes(first + 5);
        })
        .toBe(true);
      const ids = await shown.evaluateAll((rows) => rows.map(({ id }) => id).filter((id) => id !== ''));
      expect(new Set(ids).size).toBe(ids.length);
    });
});

/** Compressed, kB: over a slow line the console opens in seconds. */
const MOST_PAGE_KB = 520;

test('the built pages are no larger than they may be', () => {
  const { all, apart } = pageSizes('dist/renderer');
  expect(all).toBeGreaterThan(100);
  expect(all + apart).toBeLessThanOrEqual(MOST_PAGE_KB);
});

test('the first call of a page is for the rows that its address names', async ({ desk }) => {
  const { page } = desk;
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await desk.open('/uploads?open=true&order=ascending');
  await expect(clipRows(page)).toHaveCount(1);
  const address = page.url();
  // A page that is still open would continue to send requests
  await page.goto('about:blank');
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/call')) calls.push(request.postData() ?? '');
  });
  await page.goto(address);
  await expect(clipRows(page)).toHaveCount(1);
  expect(calls[0]).toContain('"uploads.list"');
  expect(new Set(calls.filter((call) => call.includes('"uploads.list"'))).size).toBe(1);
});
