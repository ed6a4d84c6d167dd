import type { Page } from '@playwright/test';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows } from './helpers/uploads-list.ts';

test('a page that is left while it signs in is signed in when it is opened again', async ({ desk }) => {
  const { page } = desk;
  let answered = 0;
  await page.route('**/session', async (route) => {
    answered += 1;
    if (answered > 1) return route.continue();
    // The console has answered, but nobody received it
    await route.fetch();
    return route.fulfill({ status: 503 });
  });
  await page.goto(desk.console.createLaunchUrl());
  await expect.poll(() => answered).toBeGreaterThan(0);
  await page.goto(`${desk.console.origin}/#/uploads`);
  await page.reload();
  await expect(page.getByRole('contentinfo')).toContainText('○ Service not contacted yet');
});

test('a second launch address opened in the same tab is let in at once', async ({ desk }) => {
  const { page } = desk;
  await keepStripTexts(page);
  await desk.open('/uploads');
  await expect(page.getByRole('contentinfo')).toContainText('○ Service not contacted yet');
  await page.goto(desk.console.createLaunchUrl());
  await expect(page.getByRole('contentinfo')).toContainText('○ Service not contacted yet');
  const texts = await stripTexts(page);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => /has not responded|not signed in/.test(text))).toEqual([]);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a browser that lost its session is told so, and keeps what it showed', async ({ desk }) => {
  const { page } = desk;
  // Screens are preloaded; any other would have to be loaded without a session
  const usersScreen = page.waitForResponse((response) => response.url().includes('users-screen'));
  await desk.open('/uploads?open=true');
  await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
  await expect(page.getByRole('contentinfo')).toContainText('● Online');
  await (await usersScreen).finished();
  // Its events still arrive: they are a single response that began while it was signed in
  await page.context().clearCookies();
  await desk.export('Gate 5', { 'cam2.mp4': await sampleClip() });
  await expect(page.getByRole('contentinfo')).toContainText('✕ This page is not signed in');
  await expect(page.getByRole('contentinfo')).not.toContainText('Online');
  await expect(clipRows(page).getByText('cam1.mp4')).toBeVisible();
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('main')).toContainText('This page is not signed in.');
  await expect(page.getByRole('main')).not.toContainText('The agent did not respond');
});

test(
  'a second page of one session, which never was signed in, is not said to be signed out',
  { tag: '@long' },
  async ({ desk }) => {
    await desk.open('/uploads');
    await expect(desk.page.getByRole('contentinfo')).toContainText('○ Service not contacted yet');
    const second = await desk.page.context().newPage();
    await second.goto(`${desk.console.origin}/#/uploads`);
    await expect(second.getByRole('contentinfo')).toContainText('✕ This page is not signed in.');
    await expect(second.getByRole('main')).toContainText('This page is not signed in.');
  },
);

test(
  'a page more than the console serves is told so, and goes on when another is closed',
  { tag: '@long' },
  async ({ desk, browser }) => {
    const { page } = desk;
    const others = await Promise.all(Array.from({ length: 4 }, () => browser.newContext()));
    for (const context of others) {
      const other = await context.newPage();
      await other.goto(desk.console.createLaunchUrl());
      await expect(other.getByRole('contentinfo')).toContainText('○ Service not contacted yet');
    }
    await desk.open('/uploads');
    await expect(page.getByRole('contentinfo')).toContainText(
      '✕ Too many pages are open. Close one of them.',
    );
    for (const context of others) await context.close();
    await expect(page.getByRole('contentinfo')).toContainText('○ Service not contacted yet');
  },
);

/** Keeps every text that the page's status strip shows, from the first on. */
async function keepStripTexts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const texts: string[] = [];
    Reflect.set(globalThis, 'stripTexts', texts);
    new MutationObserver(() => {
      const text = document.querySelector('footer [role=status]')?.textContent;
      if (text !== undefined && text !== texts.at(-1)) texts.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

const stripTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => Reflect.get(globalThis, 'stripTexts') as string[]);
