import { expect, type Page } from '@playwright/test';

/** Answers the question that the console asks before a serious action, in the tab that the page links to. */
export async function answerQuestion(page: Page, message: string, button: string): Promise<void> {
  // The action's own dialog may have the same name, and is there until this one has gone
  const dialog = page.getByRole('alertdialog', { name: message }).filter({ hasText: 'separate tab' });
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: 'Open the confirmation' }).click();
  const tab = await opened;
  await expect(tab.getByRole('heading', { name: message })).toBeVisible();
  await tab.getByRole('button', { name: button }).click();
  await expect(tab.getByText('You can close this tab.')).toBeVisible();
  await tab.close();
  await expect(dialog).toBeHidden();
}
