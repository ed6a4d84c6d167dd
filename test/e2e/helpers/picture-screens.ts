import type { Page } from '@playwright/test';
import type { PictureDesk } from './picture-desk.ts';
import { clipRows } from './uploads-list.ts';

/** A screen of which a screenshot is taken: its address, and the steps before it. */
export interface PictureScreen {
  readonly name: string;
  readonly path: string;
  /** Brings it into the state of the screenshot; it is then shown in each colour scheme. */
  prepare(page: Page, desk: PictureDesk): Promise<void>;
}

/** Three weeks around the evening, and the incidents of the current match. */
const PERIODS = '/periods?from=2026-04-18&to=2026-05-10&kind=incident&fields=%5B%22severity%22%5D';

/** The screens, in the order of the rail. Uploads comes first: it shows uploads in progress. */
export const pictureScreens: readonly PictureScreen[] = [
  {
    name: 'uploads',
    path: '/uploads?open=true',
    async prepare(page) {
      const clips = clipRows(page);
      await clips.getByText('Failed').first().click();
      await page.getByRole('complementary', { name: 'Details' }).getByRole('heading').first().waitFor();
    },
  },
  {
    name: 'periods',
    path: PERIODS,
    async prepare(page) {
      await page.getByRole('grid', { name: 'Actions' }).getByRole('row').nth(3).click();
    },
  },
  { name: 'compose', path: '/compose', prepare: writeMessages },
  {
    name: 'users',
    path: '/users',
    async prepare(page) {
      await page.getByRole('grid', { name: 'Users of the team' }).getByRole('row').nth(4).click();
    },
  },
  {
    name: 'settings',
    path: '/settings',
    prepare: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  {
    name: 'health',
    path: '/health',
    prepare: (page) => page.getByRole('region', { name: 'Activity, newest first' }).waitFor(),
  },
  {
    name: 'handover',
    path: '/handover',
    prepare: (page) => page.getByRole('article', { name: 'Shift handover' }).waitFor(),
  },
];

/** One message that was sent, and one that is being written. */
async function writeMessages(page: Page, { simulator }: PictureDesk): Promise<void> {
  const form = page.getByRole('form', { name: 'Message' });
  await form.getByRole('combobox', { name: 'Channel ID' }).fill(simulator.team().channels[0]?.id ?? '');
  await form.getByLabel('Nickname').fill('Control room');
  await form.getByLabel('Text', { exact: true }).fill('Gate 4 is open again. Stewards back to their places.');
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Message sent.').waitFor();
  await form
    .getByLabel('Text', { exact: true })
    .fill(
      'Flare at gate 4, two clips are in the incident. Fire point 3 is staffed; keep the lane to the car park clear.',
    );
}
