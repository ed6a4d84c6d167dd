import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Frozen } from '../../../../renderer/app/status-strip.tsx';
import { showPart } from '../show-part.tsx';

it('paused updates are resumed where they are said to be paused, and the keyboard stays there', async () => {
  const { user, services } = await showPart(<Frozen />);
  services.commands.register({ id: 'view.freeze', isEnabled: true, run: services.freeze.toggle });
  act(services.freeze.toggle);
  expect(screen.getByText(/^Live updates paused/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Resume live updates' }));
  expect(services.freeze.getState().isFrozen).toBe(false);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Live updates resumed')));
});
