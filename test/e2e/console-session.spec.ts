import { expect, test } from './helpers/desk.ts';

test('a page that is left while it signs in is signed in when it is opened again', async ({ desk }) => {
  const { page } = desk;
  let answered = 0;
  await page.route('**/session', async (route) => {
    answered += 1;
    if (answered > 1) return route.continue();
    // The console answered, and nobody was there any more
    await route.fetch();
    return route.fulfill({ status: 503 });
  });
  await page.goto(desk.console.createLaunchUrl());
  await expect.poll(() => answered).toBeGreaterThan(0);
  await page.goto(`${desk.console.origin}/#/uploads`);
  await page.reload();
  await expect(page.getByRole('contentinfo')).toContainText('Online');
});
