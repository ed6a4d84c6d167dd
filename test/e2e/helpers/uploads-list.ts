import type { Locator, Page } from '@playwright/test';

/** The list of the screen Uploads: incidents that open to their clips. `/uploads?open=true` shows them open. */
export const uploadsList = (page: Page): Locator =>
  page.getByRole('treegrid', { name: 'Incidents and clips' });

/** Its rows of exports and incidents. */
export const incidentRows = (page: Page): Locator => uploadsList(page).locator('[role=row][aria-level="1"]');

/**
 * The row of the incident that is called so, in that state, in the words of the list. An export that was just taken may
 * stand beside it for a moment.
 */
export const incidentRow = (page: Page, title: string, state: string): Locator =>
  // Upper and lower case count: of two clips one may be `sent`
  incidentRows(page)
    .filter({ hasText: title })
    .filter({ hasText: new RegExp(state) });

/** Its rows of clips. */
export const clipRows = (page: Page): Locator => uploadsList(page).locator('[role=row][aria-level="2"]');

/** Has every incident stand open, in a page that is at the screen Uploads. */
export const showClips = async (page: Page): Promise<void> => {
  await page.goto(`${page.url().replace(/#.*$/, '')}#/uploads?open=true`);
  await page.waitForURL(/open=true/);
};
