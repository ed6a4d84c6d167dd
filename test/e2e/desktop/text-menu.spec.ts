import type { Locator } from '@playwright/test';
import type { MenuLine } from '../../electron-double/control.ts';
import { sampleClip } from '../helpers/sample-clips.ts';
import { expect, test, type Started } from './desktop.ts';
import { incidentRow } from '../helpers/uploads-list.ts';

/** The labels of a menu's items, with disabled ones in brackets. */
const wordsOf = (menu: readonly MenuLine[] | undefined): readonly string[] =>
  (menu ?? []).map(({ label, isEnabled }) => (isEnabled ? label : `(${label})`));

/** Right-clicks near the beginning of a text, and waits for the menu. */
async function menuAt({ app }: Started, place: Locator): Promise<readonly string[]> {
  const before = (await app.system.contextMenus()).length;
  await place.click({ button: 'right', position: { x: 12, y: 8 } });
  await expect.poll(async () => (await app.system.contextMenus()).length).toBe(before + 1);
  return wordsOf((await app.system.contextMenus()).at(-1));
}

test('an operator finds cut, copy and paste at a field, as far as they can be done', async ({ standing }) => {
  const { page } = standing;
  await page.getByRole('link', { name: 'Users' }).click();
  // Not the previous screen's
  const field = page.getByRole('searchbox', { name: /^Name, phone/ });
  await field.fill('Concourse steward');
  await page.keyboard.press('End');
  expect(await menuAt(standing, field)).toEqual(['(Cut)', '(Copy)', 'Paste', 'Select all']);
  await field.selectText();
  expect(await menuAt(standing, field)).toEqual(['Cut', 'Copy', 'Paste', 'Select all']);
});

test(
  'an operator copies a text that cannot be changed, and gets no menu where there is none',
  { tag: '@long' },
  async ({ desktop }) => {
    const started = await desktop.start();
    const { app, page } = started;
    await desktop.export('Corridor', { 'cam1.mp4': await sampleClip() });
    // Until it has settled, the row is that of an export
    await incidentRow(page, 'Corridor', 'Sent').getByText('Corridor').click({ timeout: 20_000 });
    const title = page.getByRole('complementary', { name: 'Details' }).getByText('Corridor').first();
    await title.selectText();
    expect(await menuAt(started, title)).toEqual(['Copy']);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await page
      .getByRole('navigation')
      .first()
      .click({ button: 'right', position: { x: 4, y: 4 } });
    // Clicks are reported in order: the click on a place without text comes before the one on a text
    await title.selectText();
    await menuAt(started, title);
    expect((await app.system.contextMenus()).map(wordsOf)).toEqual([['Copy'], ['Copy']]);
  },
);

test('menus and tray speak the language of the page', { tag: '@long' }, async ({ desktop }) => {
  const started = await desktop.start();
  const { page } = started;
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('preferences') ?? '{}') as object;
    localStorage.setItem('preferences', JSON.stringify({ ...kept, language: 'en-XA' }));
  });
  await page.reload();
  await page.getByRole('link', { name: /Úšérš/ }).click();
  const field = page.getByRole('searchbox').first();
  await expect.poll(() => menuAt(started, field)).toContain('[Pášté~~]');
  await expect.poll(async () => wordsOf((await started.app.system.tray())?.menu)).toContain('[Qúít~~]');
});
