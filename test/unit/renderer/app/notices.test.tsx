import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { followSignals } from '../../../../renderer/app/follow-signals.ts';
import { NoticeList, ToastRegion } from '../../../../renderer/app/notices.tsx';
import type { AgentSignal } from '../../../../shared/ipc/events.ts';
import { showPart } from '../show-part.tsx';

const failed = (file: string, clipId: string): AgentSignal => ({
  kind: 'notice',
  level: 'failure',
  code: 'FILE_EMPTY',
  message: `Empty file: ${file}. Export it again.`,
  incidentId: 'gate-4',
  clipId,
});

/** The notices of a page that receives these signals. */
async function hear(...signals: readonly AgentSignal[]) {
  const part = await showPart(
    <>
      <ToastRegion />
      <NoticeList />
    </>,
  );
  const { services } = part;
  const onSignal = (listener: (signal: AgentSignal) => void) => {
    for (const signal of signals) listener(signal);
    return () => undefined;
  };
  act(() => followSignals({ ...services, bridge: { ...services.bridge, onSignal } })());
  const openList = async () => {
    await part.user.click(screen.getByRole('button', { name: /notifications?$/ }));
    return within(await screen.findByRole('dialog', { name: 'Notifications' }));
  };
  return { ...part, openList, wanted: () => services.arrivals.getState().wanted };
}

it('a notice about a clip shows it, from the toast and from the list, which makes way', async () => {
  const { user, openList, wanted } = await hear(failed('a.mp4', 'a'), failed('b.mp4', 'b'));
  const toasts = within(screen.getByRole('log'));
  await user.click(toasts.getByRole('button', { name: 'Show: Empty file: a.mp4. Export it again.' }));
  expect(wanted()).toEqual({ kind: 'incident', incidentId: 'gate-4', clipId: 'a' });
  const list = await openList();
  await user.click(list.getByRole('button', { name: 'Show: Empty file: b.mp4. Export it again.' }));
  expect(wanted()).toEqual({ kind: 'incident', incidentId: 'gate-4', clipId: 'b' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a notice about nothing that can be shown has no button for it', async () => {
  const { openList } = await hear({
    kind: 'notice',
    level: 'warning',
    code: 'ROOT_OFFLINE',
    message: 'Away.',
  });
  expect((await openList()).queryByRole('button', { name: /^Show/ })).toBeNull();
});

it('each notice is dismissed under its own name and shows its zone; after the last the keyboard is not lost', async () => {
  const { user, openList } = await hear(failed('a.mp4', 'a'), failed('b.mp4', 'b'));
  const list = await openList();
  for (const time of document.querySelectorAll('dialog time, [role="dialog"] time'))
    expect(time.textContent).toMatch(/\d\d:\d\d.(?:UTC|GMT|BST)/);
  await user.click(list.getByRole('button', { name: /^Dismiss: Empty file: a/ }));
  await user.click(list.getByRole('button', { name: /^Dismiss: Empty file: b/ }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('No notifications'));
});
