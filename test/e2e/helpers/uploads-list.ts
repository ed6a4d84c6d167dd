import type { Locator, Page } from '@playwright/test';

/** The list of the screen Uploads: incidents that open to their clips. `/uploads?open=true` shows them open. */
export const uploadsList = (page: Page): Locator =>
  page.getByRole('treegrid', { name: 'Incidents and clips' });

/** Its rows of exports and incidents. */
export const incidentRows = (page: Page): Locator => uploadsList(page).locator('[role=row][aria-level="1"]');

/** Its rows of clips. */
export const clipRows = (page: Page): Locator => uploadsList(page).locator('[role=row][aria-level="2"]');

/** Has every incident stand open, in a page that is at the screen Uploads. */
export const showClips = async (page: Page): Promise<void> => {
  await page.goto(`${page.url().replace(/#.*$/, '')}#/uploads?open=true`);
  await page.waitForURL(/open=true/);
};
