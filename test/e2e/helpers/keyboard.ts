import { expect, type Locator, type Page } from '@playwright/test';

/** Most steps that anyone would take: the rail has six, a form some more. */
const MOST_STEPS = 9;

/** Goes to a control as a person without a mouse does: by Tab from the focused element, step by step. */
export async function tabTo(control: Locator): Promise<void> {
  const page = control.page();
  const passed: string[] = [];
  while (passed.length < MOST_STEPS) {
    await page.keyboard.press('Tab');
    if (await hasFocus(control)) return;
    passed.push(await focusedName(page));
  }
  expect(passed, `the way to ${String(control)}`).toEqual([]);
}

/** Goes to a control by Tab, and types into it. */
export async function tabAndType(control: Locator, text: string): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.type(text);
}

/** Goes to a control by Tab, and presses Enter. */
export async function tabAndPress(control: Locator): Promise<void> {
  await expect(control).toBeEnabled();
  await tabTo(control);
  await control.page().keyboard.press('Enter');
}

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluateAll((found) => found.some((element) => element === document.activeElement));

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    const name = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent.trim() ?? '';
    return `${activeElement?.tagName.toLowerCase()} ${name.slice(0, 40)}`;
  });
