import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { UploadInspector } from '../../../../../renderer/features/uploads/upload-inspector.tsx';
import { incidentDetailSchema } from '../../../../../shared/domain/upload-view.ts';
import { showPart } from '../../show-part.tsx';

const at = '2026-05-01T19:30:05.000Z';
const row = {
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
};
const detail = (more: object) =>
  incidentDetailSchema.parse({
    row: { ...row, ...more },
    updatedAt: at,
    isSynced: false,
    folderGone: false,
    origins: [],
  });

it('an incident that is edited is sent what a person changed, and not what the desk learnt meanwhile', async () => {
  let incident = detail({});
  const { user, services, asked } = await showPart(
    <UploadInspector clipId={undefined} incidentId="gate-4" />,
    {
      'uploads.getIncident': () => incident,
      'incidents.edit': () => ({ version: 2 }),
    },
  );
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText('Description'), 'Two men');
  incident = detail({ title: 'Gate 4, north', incidentAt: at });
  await services.queries.invalidateQueries();
  await waitFor(() => expect(document.body.textContent).toContain('Gate 4, north'));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(asked('incidents.edit')).toHaveLength(1));
  expect(asked('incidents.edit')).toEqual([{ incidentId: 'gate-4', changes: { description: 'Two men' } }]);
});
