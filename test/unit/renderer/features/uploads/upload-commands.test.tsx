import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { UploadButtons } from '../../../../../renderer/features/uploads/upload-commands.tsx';
import {
  clipRowSchema,
  incidentRowSchema,
  type ClipRowView,
} from '../../../../../shared/domain/upload-view.ts';
import { showPart } from '../../show-part.tsx';

const at = '2026-05-01T19:30:05.000Z';
const incident = incidentRowSchema.parse({
  id: 'gate-4',
  title: 'Gate 4',
  folder: '/exports/Gate 4',
  state: 'waiting',
  createdAt: at,
  uploaded: 0,
  failed: 0,
  leftOut: 0,
  pending: 2,
  sizeBytes: 2,
});

const clip = (id: string, state: ClipRowView['state']): ClipRowView =>
  clipRowSchema.parse({
    id,
    incidentId: 'gate-4',
    file: `${id}.mp4`,
    state,
    sizeBytes: 1,
    bytesSent: 0,
    attempts: 0,
  });

describe('an undone pause', () => {
  it('leaves clips of the incident paused that were so before', async () => {
    const page = { total: 1, counts: counts(), rows: [clip('held-before', 'paused')] };
    const { user, services, asked } = await showPart(<UploadButtons incidents={[incident]} />, {
      'uploads.listClips': () => page,
      'uploads.pause': () => ({ changed: 1 }),
      'uploads.resume': () => ({ changed: 2 }),
      'health.summary': () => summary(false),
    });
    await user.click(screen.getByRole('button', { name: /^Pause/ }));
    const whole = { kind: 'incident', incidentId: 'gate-4' };
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(1));
    services.notices.getState().toasts[0]?.undo?.();
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(2));
    expect(asked('uploads.resume')).toEqual([{ target: whole }]);
    expect(asked('uploads.pause')).toEqual([
      { target: whole },
      { target: { kind: 'clips', clipIds: ['held-before'] } },
    ]);
  });

  it('is not offered where too many were paused before to name them', async () => {
    const page = { total: 201, counts: counts(), rows: [clip('held-before', 'paused')] };
    const { user, services } = await showPart(<UploadButtons incidents={[incident]} />, {
      'uploads.listClips': () => page,
      'uploads.pause': () => ({ changed: 1 }),
    });
    await user.click(screen.getByRole('button', { name: /^Pause/ }));
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(1));
    expect(services.notices.getState().toasts[0]?.undo).toBeUndefined();
  });

  it('is not about chosen clips that were paused before', async () => {
    const { user, services, asked } = await showPart(
      <UploadButtons clips={[clip('a', 'waiting'), clip('b', 'paused')]} />,
      {
        'uploads.pause': () => ({ changed: 1 }),
        'uploads.resume': () => ({ changed: 1 }),
        'health.summary': () => summary(false),
      },
    );
    await user.click(screen.getByRole('button', { name: /^Pause/ }));
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(1));
    services.notices.getState().toasts[0]?.undo?.();
    await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(2));
    expect(asked('uploads.resume')).toEqual([{ target: { kind: 'clips', clipIds: ['a'] } }]);
  });
});

it('a clip that is resumed while all uploads are paused is not said to be sent', async () => {
  const { user, services } = await showPart(<UploadButtons clips={[clip('a', 'paused')]} />, {
    'uploads.resume': () => ({ changed: 0 }),
    'health.summary': () => summary(true),
  });
  await user.click(screen.getByRole('button', { name: /^Resume/ }));
  await waitFor(() => expect(services.notices.getState().toasts).toHaveLength(1));
  expect(services.notices.getState().toasts[0]?.text).toMatch(/^All uploads are still paused\./);
});

const summary = (isPaused: boolean) => ({
  isPaused,
  waiting: { clips: 1, paused: 1, bytes: 1 },
  failed: [],
  refused: 0,
  exports: { count: 0 },
});
const counts = () => ({ waiting: 1, uploading: 0, paused: 1, uploaded: 0, failed: 0, leftOut: 0 });

it.each([
  ['an incident', { incidents: [incident] }, 'Cancel the upload of Gate 4?', /^2 clips/],
  ['a clip', { clips: [clip('a', 'waiting')] }, 'Cancel the upload of a.mp4?', /^1 clip /],
  [
    'several',
    { incidents: [incident], clips: [clip('b', 'paused'), clip('c', 'uploaded')] },
    'Cancel upload?',
    /^3 clips/,
  ],
])('the question before %s is cancelled says what is meant', async (_what, chosen, title, count) => {
  const { user } = await showPart(<UploadButtons {...chosen} />);
  await user.click(screen.getByRole('button', { name: 'Cancel upload' }));
  const question = within(await screen.findByRole('alertdialog', { name: title }));
  expect(question.getByText(count)).toBeDefined();
});
