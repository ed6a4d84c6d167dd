import type { Page } from '@playwright/test';

/** Elements without words of the app: names, ids, times, keys, and texts of the agent or the service. */
const DATA = 'bdi, time, code, kbd, option, .ltr, [lang]:not(html), [dir="auto"], :has(> [dir="auto"])';

/**
 * Texts of the current page that did not come through the pseudo-locale: visible ones, labels and placeholders. Texts
 * without letters, and those inside `alsoData`, are data.
 */
export function findEnglish(page: Page, alsoData: readonly string[] = []): Promise<readonly string[]> {
  return page.evaluate(
    (data) => {
      // A part of a text that is in an element of its own has no brackets, but no plain vowels either
      const isPart = (text: string): boolean => /[áéíóú]/i.test(text) && !/[aeiou]/i.test(text);
      const isForeign = (text: string): boolean =>
        /\[[^\]]*~\]/.test(text) || isPart(text) || !/\p{L}{2}/u.test(text);
      const found = new Set<string>();
      const nameOf = (element: Element): string =>
        `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const parent = node.parentElement;
        const text = node.textContent?.trim() ?? '';
        if (parent === null || parent.closest(data) !== null || !parent.checkVisibility()) continue;
        if (!isForeign(text) && !isForeign(parent.textContent)) found.add(`${text} (${nameOf(parent)})`);
      }
      for (const attribute of [
        'aria-label',
        'placeholder',
        'title',
        'alt',
        'aria-valuetext',
        'aria-roledescription',
      ])
        for (const element of document.body.querySelectorAll(`[${attribute}]`)) {
          const text = element.getAttribute(attribute) ?? '';
          if (element.closest(data) === null && element.checkVisibility() && !isForeign(text))
            found.add(`${attribute}=${text} (${nameOf(element)})`);
        }
      return [...found];
    },
    [DATA, ...alsoData].join(', '),
  );
}
