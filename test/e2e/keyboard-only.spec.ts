import type { Page } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from './helpers/desk.ts';
import { tabAndPress, tabAndType, tabTo } from './helpers/keyboard.ts';
import { sampleClip } from './helpers/sample-clips.ts';

const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.describe('on a desk that was never set up', () => {
  test.use({ deskOptions: { isNew: true } });

  test(
    'an administrator goes through the whole first run without a mouse',
    { tag: '@long' },
    async ({ desk }) => {
      const { page, root, simulator } = desk;
      await desk.export('2026-05-01 Flare at gate 4', {
        'Gate 4 North_20260501_193005.mp4': await sampleClip(),
      });
      await desk.open('/uploads');
      await tabAndType(page.getByLabel('Service address'), simulator.baseUrl);
      await tabAndType(page.getByLabel('API key', { exact: true }), simulator.apiKey);
      await tabAndPress(button(page, 'Next'));

      await expect(step(page, 'Connection test')).toBeFocused();
      const lines = page.getByRole('list', { name: 'Connection test' }).getByRole('listitem');
      await expect(lines).toHaveCount(5);
      await tabAndPress(button(page, 'Next'));

      await expect(step(page, 'Watched folder')).toBeFocused();
      await tabAndType(page.getByLabel('Folder your video system exports to'), root);
      await tabAndPress(button(page, 'Watch this folder'));

      await expect(step(page, 'Preview an export')).toBeFocused();
      await expect(page.getByRole('button', { name: /Export folder/ })).toBeVisible();
      await tabTo(page.getByRole('button', { name: /Export folder/ }));
      for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      await expect(page.getByText(/^1 clip, /)).toBeVisible();
      // Edited by hand, so that nobody has to wait for half a minute
      const written = await readFile(desk.configPath, 'utf8');
      await writeFile(desk.configPath, written.replace('"settleSeconds": 30', '"settleSeconds": 0.3'));
      await tabAndPress(button(page, 'Finish'));
      await expect(page.getByRole('row', { name: /Sent .*Flare at gate 4 .*1 of 1 sent/ })).toBeVisible();
      expect(await simulator.objects()).toHaveLength(1);
    },
  );
});

test('an administrator creates a user without a mouse', { tag: '@long' }, async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/uploads');
  await tabTo(page.getByRole('link', { name: 'Users' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await tabAndPress(page.getByRole('button', { name: /Create user/ }));
  const form = page.getByRole('dialog', { name: 'Create a user' });
  await expect(form).toBeVisible();
  await tabAndType(form.getByLabel('First name'), 'Ada');
  await tabAndType(form.getByLabel('Last name'), 'Lovelace');
  await tabAndType(form.getByLabel('Phone number'), '+14155550100');
  await tabTo(form.getByRole('button', { name: 'Role' }));
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await tabTo(form.getByRole('checkbox', { name: 'Send an SMS invitation' }));
  await page.keyboard.press('Space');
  await tabAndPress(form.getByRole('button', { name: 'Create', exact: true }));

  const shown = page.getByRole('alertdialog', { name: 'Ada Lovelace was created' });
  await expect(shown).toBeVisible();
  await tabAndPress(shown.getByRole('button', { name: 'Close' }));
  await expect(shown).toBeHidden();
  await expect(page.getByRole('button', { name: /Create user/ })).toBeFocused();
  expect(simulator.team().users).toContainEqual(
    expect.objectContaining({ first_name: 'Ada', phone_number: '+14155550100' }),
  );
  expect(simulator.invitations()).toHaveLength(1);
});
