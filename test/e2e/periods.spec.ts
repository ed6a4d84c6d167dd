import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import type { ServiceAction, Simulator } from '../simulator/index.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { cutTexts } from './helpers/cut-texts.ts';
import { expect, test, type Desk } from './helpers/desk.ts';

/** The current period and its actions: the simulated season has exactly one such period. */
function now({ simulator }: { readonly simulator: Simulator }) {
  const time = new Date().toISOString();
  const period = simulator.team().periods.find((each) => each.start_date <= time && each.end_date > time);
  if (period === undefined) throw new Error('Nothing goes on');
  const actions = simulator.team().actions.filter(({ listed }) => listed.periodId === period.id);
  return { period, actions };
}

const actionsGrid = ({ page }: Desk) => page.getByRole('grid', { name: 'Actions' });
const periodList = ({ page }: Desk) => page.getByRole('listbox', { name: 'Periods' });
const details = ({ page }: Desk) => page.getByRole('complementary', { name: 'Details' });
/** Expects this many rows below the header. */
const expectRows = (desk: Desk, count: number) =>
  expect(actionsGrid(desk)).toHaveAttribute('aria-rowcount', String(count + 1));

async function useLight({ page }: Desk): Promise<void> {
  await page.evaluate(() => localStorage.setItem('preferences', JSON.stringify({ theme: 'light' })));
  await page.reload();
}

test('a supervisor sees what goes on now and reads one action whole', async ({ desk }) => {
  const { period, actions } = now(desk);
  const newest = actions.toSorted((one, other) =>
    other.listed.createdTime.localeCompare(one.listed.createdTime),
  )[0];
  await desk.open('/periods');
  await expect(periodList(desk).getByRole('option', { selected: true })).toContainText('Now');
  await expect(desk.page.getByRole('heading', { name: period.name })).toBeVisible();
  await expect(desk.page.getByRole('list', { name: 'Markers' })).toContainText(/● Second half .* now/);
  await expectRows(desk, actions.length);
  await expectNoAxeFindings(desk.page);
  await actionsGrid(desk).getByRole('row').nth(1).click();
  await expect(details(desk)).toContainText(String(newest?.listed.actionId));
  await expect(details(desk).locator('time').first()).toContainText(/GMT.*UTC/);
  await expect(desk.page).toHaveURL(new RegExp(`period=${period.id}.*action=`));
});

test('the chosen action reads as well on a light screen', { tag: '@long' }, async ({ desk }) => {
  await desk.open('/periods?action=1&fields=["severity"]');
  await useLight(desk);
  await expect(details(desk).getByRole('heading').first()).toBeVisible();
  await expect(actionsGrid(desk)).toBeVisible();
  await expectNoAxeFindings(desk.page);
});

test(
  'an operator narrows the actions down, and a shared address shows the same',
  { tag: '@long' },
  async ({ desk }) => {
    const { actions } = now(desk);
    const { page } = desk;
    const closed = actions.filter(
      ({ listed }) => listed.classification === 'Incident' && listed.status === 'closed',
    );
    await desk.open('/periods');
    await page.getByRole('radio', { name: /^Incidents/ }).click();
    await page.getByRole('radio', { name: /closed/ }).click();
    await expectRows(desk, closed.length);
    await actionsGrid(desk).getByRole('columnheader', { name: 'Closed' }).getByRole('button').click();
    const first = actionsGrid(desk).getByRole('row').nth(1);
    const address = page.url();
    const shown = await first.textContent();
    await page.goto('about:blank');
    await page.goto(address);
    await expectRows(desk, closed.length);
    await expect(first).toHaveText(shown ?? '');
    await expect(page.getByRole('radio', { name: /closed/ })).toBeChecked();
    await page.getByRole('searchbox').fill('no such words anywhere');
    await expect(page.getByText('No actions match.')).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectRows(desk, actions.length);
  },
);

test(
  'an operator asks for form fields and sees where they are missing',
  { tag: '@long' },
  async ({ desk }) => {
    const { actions } = now(desk);
    const { page, simulator } = desk;
    const lacking = (name: string) => actions.filter(({ form }: ServiceAction) => !Object.hasOwn(form, name));
    await desk.open('/periods');
    const entry = page.getByRole('combobox', { name: 'Add a form field' });
    await entry.fill('severity');
    await entry.press('Enter');
    const chosen = page.getByRole('grid', { name: 'Form fields' });
    await expect(chosen).toContainText(`severity${lacking('severity').length} of ${actions.length} missing`);
    await expect(actionsGrid(desk).getByRole('columnheader', { name: 'severity' })).toBeVisible();
    await expect(actionsGrid(desk).getByText('missing').first()).toBeVisible();
    await entry.fill('sevrity');
    await entry.press('Enter');
    await expect(chosen).toContainText('sevrity! not on any action');
    expect(simulator.requests.of('getActions').at(-1)?.query['form_fields']).toBe('["severity","sevrity"]');
    await expectNoAxeFindings(page);
    await page.reload();
    await expect(chosen.getByRole('row')).toHaveCount(2);
    await chosen.getByRole('button', { name: 'Remove sevrity' }).click();
    await chosen.getByRole('button', { name: 'Remove severity' }).click();
    await expect(actionsGrid(desk).getByRole('columnheader', { name: 'severity' })).toHaveCount(0);
    // Names that some action really had are offered again; mistyped ones are not
    await entry.fill('sev');
    await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')).toHaveText([
      'severity',
    ]);
    await entry.press('ArrowDown');
    await entry.press('Enter');
    await expect(chosen).toContainText('severity');
  },
);

test('an operator saves what is listed as CSV, in its order and without formulas', async ({ desk }) => {
  const { period, actions } = now(desk);
  await desk.open(`/periods?fields=["Kostenstelle"]&kind=request&sort=createdAt&order=ascending`);
  const requests = actions
    .filter(({ listed }) => listed.classification === 'Request')
    .toSorted((one, other) => one.listed.createdTime.localeCompare(other.listed.createdTime));
  await expectRows(desk, requests.length);
  const [download] = await Promise.all([
    desk.page.waitForEvent('download'),
    desk.page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^actions-Kingsbridge-v-Northvale.*\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  const { data } = Papa.parse<Record<string, string>>(text.replace('\uFEFF', ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect(data.map((row) => row['Action ID'])).toEqual(requests.map(({ listed }) => String(listed.actionId)));
  expect(data.every((row) => row['Period ID'] === String(period.id))).toBe(true);
  const expected = requests.map(({ form }) => (form['Kostenstelle'] ?? []).join('; '));
  expect(data.map((row) => row['Form: Kostenstelle'])).toEqual(
    expected.map((value) => (/^[=+]/.test(value) ? `'${value}` : value)),
  );
  await expect(desk.page.getByText(`${requests.length} actions exported.`)).toBeVisible();
});

test(
  'actions of which a page could not be read are called incomplete, on the screen and in CSV',
  { tag: '@long' },
  async ({ desk }) => {
    const { page, simulator } = desk;
    const { actions } = now(desk);
    simulator.configure({ actionsPaging: 'pages', actionsPerPage: 20 });
    const action = { kind: 'answer', status: 500, body: {} } as const;
    simulator.faults.add({ match: { call: 'getActions' }, skip: 1, action });
    await desk.open('/periods');
    await expectRows(desk, 20);
    const said = 'Incomplete: 20 actions were loaded, but the service has more.';
    const banner = page.getByRole('status').filter({ hasText: said });
    await expect(banner).toContainText('500');
    await expectNoAxeFindings(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trimEnd()).toMatch(new RegExp(`"?${said}"?$`));
    simulator.faults.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectRows(desk, actions.length);
    await expect(banner).toHaveCount(0);
  },
);

test('an operator looks for a period by its days, by keyboard alone', { tag: '@long' }, async ({ desk }) => {
  const { page, simulator } = desk;
  await desk.open('/uploads');
  await page.keyboard.press('Control+2');
  await expect(periodList(desk)).toBeVisible();
  const past = simulator.team().periods[20];
  const [year = '', month = '', day = ''] = (past?.start_date ?? '').slice(0, 10).split('-');
  const typeDay = async (label: string): Promise<void> => {
    const field = page.getByRole('group', { name: label });
    // In the order of this browser's region
    await field.getByRole('spinbutton', { name: /day/ }).focus();
    await page.keyboard.type(`${day}${month}${year}`);
  };
  // Days are in this browser's zone until UTC is chosen
  await expect(page.getByRole('group', { name: 'From (local)' })).toBeVisible();
  await page.keyboard.press('t');
  await typeDay('From (UTC)');
  await typeDay('To (UTC)');
  await expect(periodList(desk).getByRole('option')).toHaveCount(1);
  await expect(periodList(desk).getByRole('option')).toContainText(past?.name ?? '');
  expect(simulator.requests.of('getPeriods').at(-1)?.query).toEqual({
    start_date: `${year}-${month}-${day}T00:00:00.000Z`,
    end_date: `${year}-${month}-${day}T23:59:59.999Z`,
  });
  // From the last segment past "All dates" to the list
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: past?.name ?? '' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Created Sort by' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Status' }).waitFor();
  await expectNoAxeFindings(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sort=status/);
  await actionsGrid(desk).focus();
  await page.keyboard.press('ArrowDown');
  await expect(details(desk).getByRole('button', { name: 'Copy as text' })).toBeVisible();
  await expect(page).toHaveURL(/action=/);
});

test('a range that ends before it begins says so at its field and asks nothing; the actions of one period never stand under the name of another', async ({
  desk,
}) => {
  await desk.open('/periods?from=2026-11-20&to=2026-11-10');
  await expect(desk.page.getByText('The end date is before the start date.')).toBeVisible();
  await expectNoAxeFindings(desk.page);
  expect(desk.simulator.requests.of('getPeriods')).toHaveLength(0);
  await desk.page.getByRole('button', { name: 'All dates' }).click();
  await expect(periodList(desk).getByRole('option', { selected: true })).toContainText('Now');

  const { page, simulator } = desk;
  await expectRows(desk, now(desk).actions.length);
  const hold = simulator.faults.hold({ call: 'getActions' });
  await periodList(desk).getByRole('option').nth(1).click();
  await expect(page.getByText('Loading')).toBeVisible();
  await expect(actionsGrid(desk)).toHaveCount(0);
  hold.release();
  await expect(actionsGrid(desk)).toBeVisible();
});

test(
  'a desk that comes back to the page sees what changed meanwhile; without a connection it keeps the list, and says how old it is',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const { actions } = now(desk);
    await desk.open('/periods?order=ascending');
    await expectRows(desk, actions.length);
    const [first] = actions;
    if (first !== undefined) Object.assign(first.listed, { status: 'handed over' });
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await expect(actionsGrid(desk).getByText('handed over')).toBeVisible();

    await expectRows(desk, actions.length);
    await desk.simulator.goOffline('service');
    await page.keyboard.press('F5');
    const banner = page.getByRole('status').filter({ hasText: /^! Last updated/ });
    await expect(banner).toBeVisible();
    await expect(banner.locator('[lang=en]')).not.toBeEmpty();
    await expectRows(desk, actions.length);
    await expectNoAxeFindings(page);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Could not load the periods' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Could not load the actions' })).toBeVisible();
    await expectNoAxeFindings(page);
    await desk.simulator.goOnline('service');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expectRows(desk, actions.length);
  },
);

test.describe('where the name of the zone is long', () => {
  // With permissions of its own it gets a page of its own
  test.use({ timezoneId: 'Pacific/Chatham', permissions: [] });

  test('no time of users, periods and actions is cut to another zone', { tag: '@long' }, async ({ desk }) => {
    const { page } = desk;
    await page.setViewportSize({ width: 1440, height: 900 });
    await desk.open('/users');
    for (const density of ['compact', 'normal', 'comfortable']) {
      await page.evaluate((kept) => localStorage.setItem('preferences', kept), JSON.stringify({ density }));
      await page.goto(`${desk.console.origin}/#/users?sort=updated`);
      await page.reload();
      const users = page.getByRole('grid').locator('time');
      await expect(users.filter({ hasText: /20\d\d, \S+\sGMT\+1[23]:45$/ }).first()).toBeVisible();
      expect(await cutTexts(users), density).toEqual([]);
      await page.goto(`${desk.console.origin}/#/periods?action=1`);
      await expect(details(desk)).toContainText(/GMT\+1[23]:45/);
      expect(await cutTexts(actionsGrid(desk).locator('time')), density).toEqual([]);
      expect(await cutTexts(periodList(desk).getByText(/GMT/)), density).toEqual([]);
    }
  });
});

test.describe('a team that has nothing yet', () => {
  test.use({ deskOptions: { simulator: { team: 'empty' } } });

  test('is told that there are no periods', async ({ desk }) => {
    await desk.open('/periods');
    await expect(desk.page.getByText('Your team has no periods in the service yet.')).toBeVisible();
    await expectNoAxeFindings(desk.page);
  });
});
