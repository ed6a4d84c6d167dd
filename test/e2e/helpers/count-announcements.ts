import type { Page } from '@playwright/test';

/** The announcements within this time, milliseconds: the texts of each live region that changed. */
export const countAnnouncements = (page: Page, forMs: number): Promise<readonly string[]> =>
  page.evaluate(async (waitMs) => {
    const regions = '[role="status"], [role="log"], [role="alert"], [aria-live]';
    const said: string[] = [];
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(regions);
        if (region !== null && region?.getAttribute('aria-live') !== 'off')
          said.push(region?.textContent ?? '');
      }
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    observer.disconnect();
    return said;
  }, forMs);
