import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ActivityPanel } from '../../../../../renderer/features/health/activity-panel.tsx';
import { showPart } from '../../show-part.tsx';

it.each(['activity', 'audit'] as const)(
  'a filter that finds nothing in %s says that only what is loaded was searched',
  async (view) => {
    await showPart(<ActivityPanel view={view} search="gate 9" />, {
      'health.activity': () => ({ entries: [], before: 400 }),
    });
    expect(await screen.findByText('No matching entries on this page')).toBeDefined();
    expect(screen.getByText('Only the entries loaded here were searched.')).toBeDefined();
  },
);
