import type { Page } from '@playwright/test';

const controls = 'a[href], button, input, textarea, select, [role="grid"], [tabindex="0"]';

/**
 * Controls that stay out of sight, or under something else, when they get the keyboard focus, and those that only the
 * keyboard can bring into view.
 */
export function findUnreachable(page: Page): Promise<readonly string[]> {
  return page.evaluate((selector) => {
    const found: string[] = [];
    const isStuck = (element: Element | null): boolean =>
      element !== null &&
      ((element.scrollTop > 0 &&
        element.clientHeight > 1 &&
        getComputedStyle(element).overflowY === 'hidden') ||
        isStuck(element.parentElement));
    for (const control of document.querySelectorAll<HTMLElement>(selector)) {
      const isHidden = control.closest('[aria-hidden="true"], [inert], .visually-hidden') !== null;
      if (isHidden || control.tabIndex < 0 || control.matches(':disabled') || !control.checkVisibility())
        continue;
      control.focus();
      // A toolbar that is entered again gives the focus to the control that had it last
      if (document.activeElement !== control) control.focus();
      // If the native control is hidden, its label is checked instead
      const shown = control.closest('label') ?? control;
      const { left, top, width, height } = shown.getBoundingClientRect();
      const x = left + Math.min(width / 2, 40);
      const y = top + Math.min(height / 2, 20);
      const hit = document.elementFromPoint(x, y);
      const isReached = hit !== null && (shown.contains(hit) || hit.contains(shown));
      const name = control.getAttribute('aria-label') ?? shown.textContent.trim();
      if (!isReached || isStuck(control.parentElement))
        found.push(`${control.tagName.toLowerCase()} ${name} at ${Math.round(x)},${Math.round(y)}`);
    }
    return found;
  }, controls);
}
