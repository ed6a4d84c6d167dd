import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CommandPalette } from '../../../../renderer/app/palette.tsx';
import { showPart, type Answers } from '../show-part.tsx';

const failure = { code: 'NETWORK', message: 'No connection.', advice: 'Wait.', retryable: true } as const;
const counts = {
  waiting: 0,
  uploading: 0,
  paused: 0,
  uploaded: 0,
  failed: 0,
  leftOut: 0,
  held: 0,
  arriving: 0,
  aside: 0,
};
const none = { total: 0, counts, rows: [] };
const team = { users: [], page: 1, perPage: 100, totalPages: 1, responseCount: 0, totalCount: 0 };
const all: Answers = {
  'uploads.list': () => none,
  'users.list': () => team,
  'periods.list': () => ({ periods: [] }),
};

async function search(answers: Answers) {
  const { user, services } = await showPart(<CommandPalette />, answers);
  act(() => void services.commands.run('app.palette'));
  await user.type(await screen.findByRole('searchbox'), 'zzqq');
}

it('says that nothing matches only after it has looked', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof none>();
  await search({ ...all, 'uploads.list': () => promise });
  expect(await screen.findByText('Loading')).toBeDefined();
  expect(screen.queryByText('No matches.')).toBeNull();
  resolve(none);
  expect(await screen.findByText('No matches.')).toBeDefined();
});

it('says what could not be searched', async () => {
  await search({ ...all, 'periods.list': () => ({ failure }) });
  expect(await screen.findByText('Could not search everything: No connection.')).toBeDefined();
});
