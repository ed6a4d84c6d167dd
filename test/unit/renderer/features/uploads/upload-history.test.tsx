import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { UploadHistory } from '../../../../../renderer/features/uploads/upload-history.tsx';
import { fullTime } from '../../../../../renderer/ui/time-text.tsx';
import { showPart } from '../../show-part.tsx';

it.each([
  [{ newer: 99, leaving: 0 }, ': 99 newer incidents go first'],
  [{ newer: 100, leaving: 0 }, ': 100 or more newer incidents go first'],
  [{ newer: 100, leaving: 1 }, ': 1 incident whose files'],
  [{ newer: 0, leaving: 100 }, ': 100 or more incidents whose files'],
])(
  'a clip that waits for others %j claims to know no number beyond what is counted',
  async (before, said) => {
    await showPart(<UploadHistory of={{ kind: 'clip', clipId: 'c1' }} />, {
      'uploads.getHistory': () => ({ events: [], turn: { isMoved: false, ...before } }),
    });
    expect((await screen.findByText(/Waiting for its turn/)).textContent).toContain(said);
  },
);

it.each(['utc', 'local'] as const)('a deadline is told as this desk shows times: %s', async (times) => {
  const goneAt = '2026-05-01T19:30:05.000Z';
  localStorage.setItem('preferences', JSON.stringify({ times }));
  await showPart(<UploadHistory of={{ kind: 'clip', clipId: 'c1' }} />, {
    'uploads.getHistory': () => ({
      events: [],
      turn: { isMoved: false, newer: 0, leaving: 0, goneAt },
    }),
  });
  const shown = (await screen.findByText(/Goes first/)).textContent;
  expect(shown).toContain(`at ${fullTime(goneAt, times, 'en-GB')}.`);
});
