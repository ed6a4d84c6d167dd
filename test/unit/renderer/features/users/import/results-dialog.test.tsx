import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ResultsDialog } from '../../../../../../renderer/features/users/import/results-dialog.tsx';
import { showPart } from '../../../show-part.tsx';

const row = {
  number: 2,
  name: 'Ada L',
  login: '+14155550100',
  role: '',
  user: undefined,
  problems: [],
  doubts: [],
};

async function showResults(temporaryPassword?: string) {
  const close = vi.fn<() => void>();
  const output = {
    user: { id: 'u1', firstName: 'Ada' },
    wasExisting: false,
    keptFields: [],
    ...(temporaryPassword !== undefined && { temporaryPassword }),
  };
  const outcomes = [{ kind: 'done', item: row, output }] as const;
  const part = await showPart(<ResultsDialog rows={[row]} outcomes={outcomes} close={close} />);
  return { ...part, close, press: (name: string) => part.user.click(screen.getByRole('button', { name })) };
}

it('passwords that nobody saw are not lost with one press', async () => {
  const { close, press } = await showResults('aB3dE6gH9kLm');
  await press('Close');
  expect(close).not.toHaveBeenCalled();
  await press('Go back');
  await press('Close');
  const question = within(screen.getByRole('alertdialog', { name: 'Close without the passwords?' }));
  expect(question.getByText(/have not been shown or saved/)).toBeDefined();
  await press('Close without them');
  expect(close).toHaveBeenCalledOnce();
});

it('what was shown, or has no password, is closed at once', async () => {
  const shown = await showResults('aB3dE6gH9kLm');
  await shown.user.click(screen.getByText(/^Show temporary passwords/));
  await shown.press('Close');
  expect(shown.close).toHaveBeenCalledOnce();
});

it('a result without passwords is closed at once', async () => {
  const { close, press } = await showResults();
  await press('Close');
  expect(close).toHaveBeenCalledOnce();
});
