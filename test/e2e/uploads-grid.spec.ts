import type { Locator } from '@playwright/test';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { cutTexts } from './helpers/cut-texts.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRow, incidentRows, uploadsList } from './helpers/uploads-list.ts';

test(
  'an operator who looks for something else keeps the details of the chosen incident',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await desk.open('/uploads?open=true');
    await expect(clipRows(page).getByText('Sent')).toBeVisible();
    await incidentRow(page, 'Gate 4', 'Sent').getByText('Gate 4').click();
    await page.getByLabel('Camera, file or incident').fill('nowhere');
    await expect(page.getByText('No clips match.')).toBeVisible();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByRole('heading', { name: 'Gate 4' })).toBeVisible();
    await expectNoAxeFindings(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
  },
);

/** 40 wide letters in a title, 24 in a camera name. */
const wideTitle = 'Armed man with a hammer at West Gate 100';
const wideCamera = 'South stand overview cam';

test('an operator reads whole titles, opens an incident, and commands several at once', async ({ desk }) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  desk.simulator.configure({ maxUploadSizeMb: 0.01 });
  const now = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
  // Only a page that is open is notified of failures
  await desk.open('/uploads');
  await desk.export(wideTitle, { [`${wideCamera}_${now}.mp4`]: await sampleClip() });
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip(), 'cam2.mp4': await sampleClip() });
  const list = uploadsList(page);
  await expect(incidentRows(page).getByText('Needs attention')).toHaveCount(2);
  await expect(clipRows(page)).toHaveCount(0);
  const isWhole = (text: string) => isReadWhole(list, text);
  expect(await isWhole(wideTitle)).toBe(true);
  expect(await isWhole(wideCamera)).toBe(true);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toHaveCount(0);
  await incidentRow(page, wideTitle, 'Needs attention').click();
  // The reason and what to do, without opening each clip
  const why = details.getByRole('region', { name: '1 clip failed' });
  await expect(why).toContainText(/Too large: .*Export the clip again in shorter pieces/);
  expect(await isWhole(wideTitle), 'beside the details').toBe(true);
  expect(await isWhole(wideCamera), 'beside the details').toBe(true);
  const reason = incidentRow(page, wideTitle, 'Needs attention').getByText(
    /^Too large: .* MB, the limit is .* MB$/,
  );
  expect(await isWithin(reason), 'the reason beside the details').toBe(true);
  await details.getByRole('button', { name: 'Close details' }).press('Enter');
  await expect(details).toHaveCount(0);
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await isWithin(reason), 'the reason in a small window').toBe(true);
  await page.evaluate(() => localStorage.setItem('preferences', '{"density":"comfortable"}'));
  await page.reload();
  expect(await isWithin(reason), 'the reason in a tall row').toBe(true);
  await page.evaluate(() => localStorage.setItem('preferences', '{}'));
  await page.reload();

  // Failures and notifications take no second line of the strip: less important parts give way
  const strip = page.getByRole('contentinfo');
  await expect(strip.getByRole('button', { name: /notification/ })).toBeVisible();
  await page.setViewportSize({ width: 800, height: 700 });
  await expect(strip.getByText('3 clips failed')).toBeInViewport();
  expect((await strip.boundingBox())?.height).toBeLessThan(36);
  await page.setViewportSize({ width: 1440, height: 900 });

  // By keyboard: select, open, mark
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(clipRows(page).first()).toBeVisible();
  await page.keyboard.press('x');
  await page.keyboard.press('End');
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: '2 selected' })).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByRole('radio', { name: /^Failed 3$/ })).toBeVisible();

  // The panel's width and the view are kept
  const edge = page.getByRole('separator', { name: 'Details panel width' });
  await edge.focus();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
  await expect(edge).toHaveAttribute('aria-valuenow', '372');
  await page.getByRole('button', { name: 'View: Found, newest first' }).click();
  const menu = page.getByRole('dialog', { name: 'View' });
  await menu.getByText('Camera', { exact: true }).click();
  await expectNoAxeFindings(page);
  await menu.getByLabel('Name for this view').fill('Night');
  await menu.getByRole('button', { name: 'Save view' }).click();
  await menu.getByRole('button', { name: 'Close' }).press('Enter');
  await page.reload();
  await expect(edge).toHaveAttribute('aria-valuenow', '372');
  await expect(list.getByRole('columnheader', { name: 'Camera' })).toHaveCount(0);
  await page.getByRole('button', { name: 'View: Found, newest first' }).click();
  await expect(menu.getByRole('button', { name: 'Night', exact: true })).toBeVisible();
});

test('marked rows are unmarked when other rows are listed', { tag: '@long' }, async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/uploads');
  simulator.configure({ maxUploadSizeMb: 0.01 });
  await desk.export('Gate 3', { 'cam3.mp4': await sampleClip(3) });
  await expect(incidentRow(page, 'Gate 3', 'Needs attention')).toBeVisible();
  simulator.configure({ maxUploadSizeMb: -1 });
  simulator.setKeys([]);
  await desk.export('Gate 7', { 'cam7.mp4': await sampleClip(7) });
  const gate7 = incidentRow(page, 'Gate 7', 'Waiting');
  await gate7.click();
  await page.keyboard.press('x');
  const marked = page.getByRole('region', { name: '1 selected' });
  await expect(marked.getByRole('button', { name: 'Cancel upload' })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: '1 clip failed' }).click();
  await expect(gate7).toHaveCount(0);
  await expect(marked).toHaveCount(0);
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('an operator finds a camera, a setting and a clip with a long name in the palette', async ({ desk }) => {
  const { page } = desk;
  const camera = 'South stand overview camera above gate 12 and the away end';
  await desk.export('Pitch invasion', { [`${camera}_20260501_193005.mp4`]: await sampleClip() });
  await desk.open('/uploads');
  await expect(incidentRow(page, 'Pitch invasion', 'Sent')).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const find = async (words: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await palette.getByRole('searchbox').fill(words);
  };
  await find('away end');
  await expect(palette.getByRole('menuitem', { name: /Camera$/ })).toHaveText(`${camera}Camera`);
  await expect(palette.getByRole('menuitem', { name: /Pitch invasion$/ })).toBeVisible();
  expect(await palette.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await palette.getByRole('menuitem', { name: /Camera$/ }).click();
  await expect(page.getByLabel('Camera, file or incident')).toHaveValue(camera);
  await expect(clipRows(page)).toHaveCount(1);
  await find('simultaneous');
  await palette.getByRole('menuitem', { name: /^Simultaneous clips/ }).click();
  await expect(page.getByRole('tab', { name: 'Uploads', selected: true })).toBeVisible();
});

test('the address of a clip shows it in the list, or its incident where that is closed', async ({ desk }) => {
  const { page } = desk;
  const names = Array.from({ length: 30 }, (_, number) => `cam${number + 10}.mp4`);
  const files = await Promise.all(names.map(async (name) => [name, await sampleClip()] as const));
  await desk.export('Gate 1', Object.fromEntries(files));
  await desk.export('Gate 8', { 'cam1.mp4': await sampleClip() });
  await desk.open('/uploads?open=true&sort=title&order=ascending');
  await expect(page.getByRole('radio', { name: 'Sent 31' })).toBeVisible();
  await uploadsList(page).press('End');
  const chosen = uploadsList(page).getByRole('row', { selected: true });
  await expect(chosen).toHaveAttribute('aria-rowindex', '34');
  await expect(page).toHaveURL(/clip=.*incident=|incident=.*clip=/);
  await page.reload();
  await expect(chosen).toContainText('cam1.mp4');
  await expect(chosen).toBeInViewport({ ratio: 1 });

  const incident = /incident=([\w-]+)/.exec(page.url())?.[1];
  await page.goto(`${page.url()}&turned=${encodeURIComponent(JSON.stringify([incident]))}`);
  await page.reload();
  await expect(clipRows(page)).not.toHaveCount(0);
  await expect(incidentRow(page, 'Gate 8', 'Sent')).toBeInViewport({ ratio: 1 });
  await expect(clipRows(page).getByText('cam1.mp4')).toHaveCount(0);
});

test.describe('where the name of the zone is long', () => {
  // With permissions of its own it gets a page of its own
  test.use({ timezoneId: 'Pacific/Chatham', permissions: [] });

  test(
    'a time of another year and zone is read whole, and the picture of a tall row too',
    { tag: '@long' },
    async ({ desk }) => {
      const { page } = desk;
      await page.setViewportSize({ width: 1440, height: 900 });
      // The heading names the zone of the current half of the year, so one of the two rows names its own
      await desk.export(wideTitle, {
        [`${wideCamera}_20240115_193005.mp4`]: await sampleClip(),
        [`${wideCamera}_20240715_193005.mp4`]: await sampleClip(),
      });
      await desk.open('/uploads?open=true&sort=incidentAt&order=descending');
      await expect(clipRows(page)).toHaveCount(2);
      const list = uploadsList(page);
      await expect(list.getByText(/2024, \d\d:\d\d:\d\d\sGMT\+1[23]:45$/).first()).toBeVisible();
      await incidentRow(page, wideTitle, 'Sent').click();
      await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
      for (const density of ['compact', 'normal', 'comfortable']) {
        await page.evaluate((kept) => localStorage.setItem('preferences', kept), JSON.stringify({ density }));
        await page.reload();
        await expect(clipRows(page)).toHaveCount(2);
        for (const part of wholeParts) expect(await cutTexts(list.locator(part)), density).toEqual([]);
      }
      // Sent in another year, and viewed in both halves of the next
      await page.setViewportSize({ width: 1024, height: 700 });
      const sent = clipRows(page).locator('.dim > time');
      for (const month of [0, 6]) {
        await page.clock.setFixedTime(new Date(new Date().getFullYear() + 1, month, 15));
        await page.reload();
        await expect(sent).toHaveText([/20\d\d, /, /20\d\d, /]);
        expect(await cutTexts(sent), 'in a small window').toEqual([]);
      }
      const picture = clipRows(page).first().locator('[role=gridcell] > span[aria-hidden]').first();
      await expect(picture).toBeVisible();
      const [width, height, room] = await picture.evaluate((box) => [
        box.clientWidth,
        box.clientHeight,
        (box.parentElement?.clientWidth ?? 0) - 12,
      ]);
      expect([height, width]).toEqual([40, 71]);
      expect(width).toBeLessThanOrEqual(room ?? 0);
    },
  );
});

/** Heading, title, cameras, camera, time. */
const wholeParts = [
  '[role=columnheader] button > :first-child',
  'strong bdi',
  '.dim > bdi',
  '[role=gridcell] > bdi',
  '[role=gridcell] > time',
];

test(
  'a long English name is cut at its end where the page runs from right to left',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const title =
      'Pushing match near the north turnstiles and exit gate fourteen, seen from two cameras at once';
    await desk.open('/uploads?open=true');
    await page.evaluate(() => localStorage.setItem('preferences', '{"language":"ar-XB"}'));
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.reload();
    await desk.export(title, { 'cam1.mp4': await sampleClip() });
    // Until then its row may still be replaced
    await expect(incidentRow(page, title, 'Sent')).toBeVisible();
    const name = uploadsList(page).locator('strong bdi');
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    const [first = Number.NaN, left] = await Promise.all([
      name.evaluate(firstLetter),
      name.evaluate((element) => element.getBoundingClientRect().left),
    ]);
    expect(first - left).toBeGreaterThanOrEqual(0);

    desk.simulator.configure({ maxUploadSizeMb: 0.01 });
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip(), 'cam2.mp4': await sampleClip() });
    const reason = incidentRow(page, 'Gate 4', 'Needs attention').locator('[role=gridcell] > [dir=auto]');
    expect(await reason.evaluate(lineStarts), 'where an ellipsis follows').toEqual([0]);
  },
);

/** Whether nothing of the cell with that text is cut. */
const isReadWhole = (list: Locator, text: string): Promise<boolean> =>
  list
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => {
      const box = element.closest('[role=gridcell]');
      const parts = box === null ? [] : [box, ...box.querySelectorAll('*')];
      return parts.every((part) => part.scrollWidth <= part.clientWidth || part.clientWidth === 0);
    });

/** Whether no line of a text is outside its parent element. */
const isWithin = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const box = element.parentElement?.getBoundingClientRect();
    const lines = [...element.getClientRects()];
    return lines.every(
      ({ right, bottom }) => box !== undefined && right <= box.right && bottom <= box.bottom + 1,
    );
  });

/** Distances of the lines of a text from its own left edge, whole pixels. */
function lineStarts(element: Element): number[] {
  const { left } = element.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(element.firstElementChild ?? element);
  return [...new Set([...range.getClientRects()].map((line) => Math.round(line.left - left)))];
}

/** Position of an element's first letter, pixels from the left of the page. */
function firstLetter(element: Element): number {
  const range = document.createRange();
  range.setStart(element.firstChild ?? element, 0);
  range.setEnd(element.firstChild ?? element, 1);
  return range.getBoundingClientRect().left;
}
