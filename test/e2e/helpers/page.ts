import { test as base, type Browser, type Page } from '@playwright/test';

/** A page that successive tests use. */
interface KeptPage {
  readonly page: Page;
  /** True once something irreversible was called. */
  readonly isChanged: () => boolean;
}

/**
 * Tests of a worker share a page: opening one costs more than loading the app into it, and the app is compiled only
 * once. Each test finds it as if it were new. A test that changes it permanently, closes it or has permissions of its
 * own does not share it.
 */
export const test = base.extend<{ page: Page }, { kept: { page: KeptPage | undefined } }>({
  kept: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const kept: { page: KeptPage | undefined } = { page: undefined };
      await use(kept);
      await kept.page?.page.context().close();
    },
    { scope: 'worker' },
  ],
  page: async ({ browser, kept, permissions, viewport, colorScheme }, use) => {
    const isOwn = permissions !== undefined;
    const used = (isOwn ? undefined : kept.page) ?? (await openPage(browser));
    const { page, isChanged } = used;
    await use(page);
    if (!isOwn) kept.page = undefined;
    if (isOwn || isChanged() || page.isClosed()) return page.context().close();
    // A remaining page may call a server that has ended, and the next test would get the error
    if (page.url() !== 'about:blank') await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.context().clearCookies();
    if (viewport !== null) await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme, reducedMotion: null, forcedColors: null });
    await page.mouse.move(0, 0);
    kept.page = used;
    return undefined;
  },
});

async function openPage(browser: Browser): Promise<KeptPage> {
  const page = await (await browser.newContext()).newPage();
  let isChanged = false;
  for (const [owner, name] of [
    [page, 'addInitScript'],
    [page, 'exposeFunction'],
    [page.clock, 'install'],
    [page.context(), 'grantPermissions'],
  ] as const) {
    const call: unknown = Reflect.get(owner, name);
    if (typeof call !== 'function') throw new Error(`Playwright has no ${name} any more.`);
    Reflect.set(owner, name, (...args: readonly unknown[]): unknown => {
      isChanged = true;
      return Reflect.apply(call, owner, args);
    });
  }
  return { page, isChanged: () => isChanged };
}
