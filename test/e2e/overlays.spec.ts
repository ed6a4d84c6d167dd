import type { Locator, Page } from '@playwright/test';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows } from './helpers/uploads-list.ts';

/** Opens something, checks its accessibility automatically, and closes it with Escape. */
async function lookAt(page: Page, open: () => Promise<void>, role: 'listbox' | 'dialog' | 'alertdialog') {
  await open();
  await expect(page.getByRole(role).last()).toBeVisible();
  await expectNoAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0);
}

/** Shows the suggestions of a combo box for the typed text, and leaves it by keyboard. */
async function lookAtSuggestions(page: Page, box: Locator, typed: string): Promise<void> {
  await box.fill(typed);
  if (typed === '') await box.press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectNoAxeFindings(page);
  await expectFreeOnLeaving(page);
}

async function expectFreeOnLeaving(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveCount(1);
  expect(await page.locator('[aria-hidden="true"] :focus, [aria-hidden="true"]:focus').count()).toBe(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test(
  'what opens over a list or in a form is accessible while it is open',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    await desk.open('/uploads?open=true');
    simulator.configure({ maxUploadSizeMb: 0.01 });
    await desk.export('Concourse', { 'cam2.mp4': await sampleClip() });
    await expect(clipRows(page).getByText('Failed')).toBeVisible();
    await lookAt(page, () => page.getByRole('button', { name: /notifications?$/ }).click(), 'dialog');
    await lookAt(page, () => page.getByRole('button', { name: 'Add folder' }).click(), 'dialog');
    await page.getByRole('link', { name: 'Users' }).click();
    const users = page.getByRole('grid', { name: 'Users of the team' });
    await users.getByRole('row').nth(2).click();
    await lookAt(page, () => page.getByRole('button', { name: 'Create user' }).click(), 'dialog');
    await lookAt(page, () => page.getByRole('button', { name: 'Delete' }).click(), 'alertdialog');
    await page.getByRole('link', { name: 'Periods' }).click();
    await expect(page.getByRole('grid', { name: 'Actions' })).toBeVisible();
    await lookAt(page, () => page.getByRole('button', { name: /Sort by$/ }).click(), 'listbox');
    const field = page.getByRole('combobox', { name: 'Add a form field' });
    await field.fill('severity');
    await field.press('Enter');
    await expect(page.getByRole('columnheader', { name: 'severity' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove severity' }).click();
    await lookAtSuggestions(page, field, 'sev');

    await desk.open('/compose');
    const channel = page.getByRole('combobox', { name: 'Channel ID' });
    await channel.fill(simulator.team().channels[0]?.id ?? '');
    await lookAtSuggestions(page, page.getByRole('combobox', { name: 'Send as' }), '');
    await lookAt(page, () => page.getByRole('button', { name: /Type$/ }).click(), 'listbox');
    await desk.open('/settings?part=display');
    await lookAt(page, () => page.getByRole('button', { name: /Theme$/ }).click(), 'listbox');
  },
);
