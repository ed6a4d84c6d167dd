import type { Locator, Page } from '@playwright/test';

/**
 * The list of the screen Uploads: incidents that expand to show their clips. `/uploads?open=true` shows them expanded.
 */
export const uploadsList = (page: Page): Locator =>
  page.getByRole('treegrid', { name: 'Incidents and clips' });

/** Its rows of exports and incidents. */
export const incidentRows = (page: Page): Locator => uploadsList(page).locator('[role=row][aria-level="1"]');

/**
 * The row of the incident with this title and state, in the words of the list. The row of the export may briefly be
 * shown with it.
 */
export const incidentRow = (page: Page, title: string, state: string): Locator =>
  // Case matters: one of two clips may be `sent`
  incidentRows(page)
    .filter({ hasText: title })
    .filter({ hasText: new RegExp(state) });

/** Its rows of clips. */
export const clipRows = (page: Page): Locator => uploadsList(page).locator('[role=row][aria-level="2"]');

/** Expands every incident, in a page that shows the screen Uploads. */
export const showClips = async (page: Page): Promise<void> => {
  await page.goto(`${page.url().replace(/#.*$/, '')}#/uploads?open=true`);
  await page.waitForURL(/open=true/);
};
