import type { Locator } from '@playwright/test';

/** The texts that are cut by their own box, or by the row of the list. */
export const cutTexts = (texts: Locator): Promise<(string | null)[]> =>
  texts.evaluateAll((elements) => {
    if (elements.length === 0) return ['nothing'];
    return elements.flatMap((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const row = element.closest('[role=row], [role=option]')?.getBoundingClientRect();
      const isWhole =
        element.scrollWidth <= element.clientWidth &&
        element.scrollHeight <= element.clientHeight + 1 &&
        row !== undefined &&
        top >= row.top &&
        bottom <= row.bottom &&
        left >= row.left &&
        right <= row.right;
      return isWhole ? [] : [element.textContent];
    });
  });
