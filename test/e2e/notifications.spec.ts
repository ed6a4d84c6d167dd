import type { Page } from '@playwright/test';
import { expect, test, type Desk } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { incidentRows } from './helpers/uploads-list.ts';

// One after the other: they are alone in their project, and a second browser costs more than it saves
test.describe.configure({ mode: 'default' });

declare global {
  interface Window {
    told?: readonly string[];
  }
}

/** Makes every page believe that another program is in front, and keep the notifications that it shows. */
async function lookAway(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const told: string[] = [];
    document.hasFocus = () => false;
    Object.assign(window, {
      told,
      Notification: class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          told.push(title);
        }
      },
    });
  });
}

const told = (page: Page): Promise<readonly string[]> => page.evaluate(() => window.told ?? []);

/** Switches them on in the settings, as far as the browser allows. */
async function switchOn({ page, open }: Desk): Promise<void> {
  await open('/settings?part=notifications');
  await page.getByText('Show desktop notifications of warnings and failures').click();
}

/** Adds a clip that the service refuses. */
async function fail({ page, simulator, export: put }: Desk): Promise<void> {
  simulator.configure({ maxUploadSizeMb: 0.01 });
  await put('Corridor', { 'cam1.mp4': await sampleClip() });
  await expect(incidentRows(page).getByText('Needs attention')).toBeVisible();
  await expect(page.getByRole('button', { name: /^\d notifications?$/ })).toBeVisible();
}

test.describe('where the browser allows notifications', () => {
  test.use({ permissions: ['notifications', 'clipboard-read', 'clipboard-write'] });

  test('an operator in another program is told of a problem, once, and of nothing else', async ({ desk }) => {
    const { page } = desk;
    await lookAway(page);
    await switchOn(desk);
    await expect(
      page.getByRole('switch', { name: 'Show desktop notifications of warnings and failures' }),
    ).toBeChecked();
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await page.getByRole('link', { name: 'Uploads' }).click();
    await expect(incidentRows(page).getByText('✓Sent')).toBeVisible();
    await fail(desk);
    const failures = async () => (await told(page)).filter((text) => /the limit is/.test(text));
    await expect.poll(failures).toHaveLength(1);
    expect((await told(page)).filter((text) => text.includes('Gate 4'))).toEqual([]);
  });

  test('an operator who did not ask for them gets none', { tag: '@long' }, async ({ desk }) => {
    const { page } = desk;
    await lookAway(page);
    await desk.open('/uploads?open=true');
    await fail(desk);
    expect(await told(page)).toEqual([]);
  });
});

test.describe('where the browser refuses them', () => {
  test.use({ permissions: [] });

  test(
    'an operator learns it at the switch, and still finds every problem in the page',
    { tag: '@long' },
    async ({ desk }) => {
      const { page } = desk;
      await lookAway(page);
      await switchOn(desk);
      await expect(page.getByRole('status').getByText(/Notifications are not allowed/)).toBeVisible();
      await expect(
        page.getByRole('switch', { name: 'Show desktop notifications of warnings and failures' }),
      ).not.toBeChecked();
      await page.getByRole('link', { name: 'Uploads' }).click();
      await fail(desk);
      expect(await told(page)).toEqual([]);
      await page.getByRole('button', { name: /^\d notifications?$/ }).click();
      await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText('the limit is');
    },
  );
});

test('an operator goes from a notification to the clip that it is about, and is told what to do', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.open('/uploads');
  await fail(desk);
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByRole('button', { name: /^\d notifications?$/ }).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  const clip = list.getByRole('listitem').filter({ hasText: 'cam1.mp4' });
  await expect(clip).toContainText(/the limit is .*(?:UTC|GMT)/);
  await clip.getByRole('button', { name: /^Show: / }).click();
  await expect(list).toBeHidden();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'cam1.mp4' })).toBeVisible();
  await expect(page.locator('[role="row"][aria-selected="true"]')).toContainText('cam1.mp4');

  // The button that closed the details is gone: the list gets the focus
  await details.getByRole('button', { name: /^Close details/ }).click();
  await expect(page.getByRole('treegrid')).toBeFocused();
});
