import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { OriginNote } from '../../../../../renderer/features/uploads/explanation.tsx';
import { showPart } from '../../show-part.tsx';

it('says in words where values come from, and leaves what it does not know as it is', async () => {
  await showPart(
    <OriginNote
      origins={[
        { field: 'cameraName', source: 'file-name', confidence: 'low', note: 'a guess' },
        { field: 'startedAt', source: 'media', confidence: 'high' },
        { field: 'lens', source: 'radar', confidence: 'high' },
      ]}
    />,
  );
  expect(screen.getByText('Camera')).toBeDefined();
  expect(screen.getByText('from the file name · low confidence · a guess')).toBeDefined();
  expect(screen.getByText('Start')).toBeDefined();
  expect(screen.getByText('from the file metadata')).toBeDefined();
  expect(screen.getByText('lens')).toBeDefined();
  expect(screen.getByText('radar')).toBeDefined();
});
