import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { SeenInspector } from '../../../../../renderer/features/uploads/seen-exports.tsx';
import type { Failure, FailureCode } from '../../../../../shared/domain/failure.ts';
import { showPart } from '../../show-part.tsx';

const failing = (code: FailureCode): { readonly failure: Failure } => ({
  failure: { code, message: 'What happened.', advice: 'What to do.', retryable: false },
});

const notThere: Failure = { code: 'NOT_FOUND', message: 'None.', advice: 'None.', retryable: false };

const seenExport = (facts: { readonly rootAsked?: string }) => ({
  id: 'root/export',
  name: 'export',
  folder: '/srv/exports/export',
  state: 'held' as const,
  since: '2026-05-01T19:30:05.000Z',
  facts: { files: 1, sizeBytes: 1, concerned: 1, named: [], ...facts },
  message: 'What happened.',
  advice: 'What to do.',
});

async function show(code: FailureCode): Promise<void> {
  await showPart(<SeenInspector exportId="root/export" change={() => undefined} />, {
    'uploads.getExport': () => failing(code),
    'uploads.incidentOfExport': () => ({}),
  });
}

describe('the details of an export that waits', () => {
  it('take the answer whether a watched folder on another disk holds the same evidence', async () => {
    const folder = '/srv/exports';
    const { user, services, asked } = await showPart(
      <SeenInspector exportId="root/export" change={() => undefined} />,
      {
        'uploads.getExport': () => seenExport({ rootAsked: folder }),
        'uploads.answerRoot': () => ({ answered: true }),
        'settings.get': () => ({ failure: notThere }),
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Same evidence: do not send again' }));
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Different evidence: send it' }));
    await waitFor(() => expect(asked('uploads.answerRoot')).toHaveLength(2));
    expect(asked('uploads.answerRoot')).toEqual([
      { folder, answer: 'adopt' },
      { folder, answer: 'send' },
    ]);
  });

  it('say that an answer came too late to count', async () => {
    const { user, services } = await showPart(
      <SeenInspector exportId="root/export" change={() => undefined} />,
      {
        'uploads.getExport': () => seenExport({ rootAsked: '/srv/exports' }),
        'uploads.answerRoot': () => ({ answered: false }),
        'settings.get': () => ({ failure: notThere }),
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Different evidence: send it' }));
    await waitFor(() =>
      expect(services.notices.getState().toasts.map(({ text }) => text)).toEqual([
        'Not saved: this folder no longer waits for an answer.',
      ]),
    );
  });

  it('ask nothing about a watched folder that is what it was', async () => {
    await showPart(<SeenInspector exportId="root/export" change={() => undefined} />, {
      'uploads.getExport': () => seenExport({}),
      'settings.get': () => ({ failure: notThere }),
    });
    await screen.findByText('What happened.');
    expect(screen.queryByRole('button', { name: /evidence/ })).toBeNull();
  });

  it('say that it left the list when the agent does not know it any more', async () => {
    await show('NOT_FOUND');
    await screen.findByText('No longer listed');
  });

  it('say why they cannot be read, and not that it left', async () => {
    await show('DISK_ERROR');
    await screen.findByText('What happened.');
    expect(screen.queryByText('No longer listed')).toBeNull();
  });
});
