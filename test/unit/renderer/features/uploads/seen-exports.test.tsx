import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { SeenInspector } from '../../../../../renderer/features/uploads/seen-exports.tsx';
import type { Failure, FailureCode } from '../../../../../shared/domain/failure.ts';
import { showPart } from '../../show-part.tsx';

const failing = (code: FailureCode): { readonly failure: Failure } => ({
  failure: { code, message: 'What happened.', advice: 'What to do.', retryable: false },
});

async function show(code: FailureCode): Promise<void> {
  await showPart(<SeenInspector exportId="root/export" change={() => undefined} />, {
    'uploads.getExport': () => failing(code),
    'uploads.incidentOfExport': () => ({}),
  });
}

describe('the details of an export that waits', () => {
  it('say that it left the list when the agent does not know it any more', async () => {
    await show('NOT_FOUND');
    await screen.findByText('No longer waiting');
  });

  it('say why they cannot be read, and not that it left', async () => {
    await show('DISK_ERROR');
    await screen.findByText('What happened.');
    expect(screen.queryByText('No longer waiting')).toBeNull();
  });
});
