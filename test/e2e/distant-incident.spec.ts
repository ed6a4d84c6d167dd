import type { Locator, Page } from '@playwright/test';
import { join } from 'node:path';
import { DATABASE_FILE, openDb } from '../../electron/agent/store/open-db.ts';
import { createTables } from '../../electron/agent/store/tables.ts';
import { incidentRow } from '../helpers/queue-fixture.ts';
import { expect, test, type Desk } from './helpers/desk.ts';
import { giveDesktop } from './helpers/fake-desktop.ts';
import { uploadsList } from './helpers/uploads-list.ts';

const INCIDENTS = 5_000;
const idOf = (index: number): string => `incident-${String(index).padStart(4, '0')}`;

/** Adds incidents from one number to another, the highest being the newest; written as another process would. */
function addIncidents({ dataDir }: Desk, from: number, to: number): void {
  const opened = openDb(join(dataDir, DATABASE_FILE));
  if (!opened.ok) throw new Error(opened.error.message);
  const { incidents, write } = createTables(opened.value);
  write(() => {
    for (let index = from; index < to; index += 1) {
      const [id, title] = [idOf(index), `Incident ${index}`];
      incidents.insert(incidentRow({ id, title, exportPath: title, createdAt: index }));
      incidents.synced(id, 1, 1, '{}');
    }
  });
  opened.value.close();
}

const list = uploadsList;
const chosenRow = (page: Page): Locator => list(page).locator('[role=row][aria-selected=true]');

test('a notification or a link brings its incident into view among thousands, once', async ({ desk }) => {
  const { page } = desk;
  addIncidents(desk, 0, INCIDENTS);
  const desktop = await giveDesktop(desk);
  await desk.open('/uploads?search=9');
  await expect(list(page)).toContainText('Incident 4999');
  await desktop.tell({ kind: 'showIncident', incidentId: idOf(3) });
  await expect(chosenRow(page)).toContainText('Incident 3');
  await expect(chosenRow(page)).toBeInViewport();
  await expect(chosenRow(page)).toHaveAttribute('aria-rowindex', String(INCIDENTS - 3 + 1));

  // From there a person scrolls on their own, even when the list changes
  await list(page).evaluate((box) => box.scrollTo({ top: 0 }));
  await expect(list(page)).toContainText('Incident 4999');
  addIncidents(desk, INCIDENTS, INCIDENTS + 1);
  await page.keyboard.press('F5');
  await expect(list(page)).toContainText('Incident 5000');
  await expect(chosenRow(page)).not.toBeInViewport();

  // Asked for again, it scrolls into view again, and can be scrolled away again
  for (const _time of [1, 2]) {
    await desktop.tell({ kind: 'showIncident', incidentId: idOf(3) });
    await expect(chosenRow(page)).toBeInViewport();
    await list(page).evaluate((box) => box.scrollTo({ top: 0 }));
    await expect(list(page)).toContainText('Incident 5000');
    await expect(chosenRow(page)).not.toBeInViewport();
  }
  await list(page).getByText('Incident 4999').click();
  await expect(chosenRow(page)).toContainText('Incident 4999');
  await desktop.tell({ kind: 'showIncident', incidentId: idOf(2_500) });
  await expect(chosenRow(page)).toContainText('Incident 2500');
  await expect(chosenRow(page)).toBeInViewport();
});

test(
  'a key that leads to a row which is not loaded chooses it when it comes',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    addIncidents(desk, 0, INCIDENTS);
    await desk.open('/uploads');
    await expect(list(page)).toContainText('Incident 4999');
    await list(page).focus();
    await page.keyboard.press('End');
    await expect(chosenRow(page)).toHaveAttribute('aria-rowindex', String(INCIDENTS + 1));
    await expect(chosenRow(page)).toBeInViewport();
    await expect(page).toHaveURL(new RegExp(`incident=${idOf(0)}`));
    await page.keyboard.press('ArrowUp');
    await expect(page).toHaveURL(new RegExp(`incident=${idOf(1)}`));
  },
);
