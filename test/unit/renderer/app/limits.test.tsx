import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Transfer } from '../../../../renderer/app/speed.tsx';
import { healthOf } from '../../../helpers/desk-tools.ts';
import { showPart } from '../show-part.tsx';

const until = '2026-05-06T18:00:00.000Z';
const answers = { 'uploads.liftLimits': ({ isLifted }: { readonly isLifted: boolean }) => ({ isLifted }) };

it('a limit says until when it counts, and one click lifts it', async () => {
  const health = healthOf({ line: { limit: 2_000_000, until } });
  const { user, asked } = await showPart(<Transfer health={health} />, answers);
  expect(screen.getByText(/^until$/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Lift the upload limits for an hour' }));
  expect(asked('uploads.liftLimits')).toEqual([{ isLifted: true }]);
});

it('a pause by the schedule is lifted in the same way, and lifted limits are restored', async () => {
  const paused = healthOf({ line: { limit: 'pause', until } });
  await showPart(<Transfer health={paused} />);
  expect(screen.getByText(/Paused by the schedule/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Lift the upload limits for an hour' })).toBeDefined();
  const lifted = healthOf({ line: { limit: 'full', until, isLifted: true } });
  const { user, asked } = await showPart(<Transfer health={lifted} />, answers);
  expect(screen.getByText(/^Limits lifted until/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Restore the upload limits' }));
  expect(asked('uploads.liftLimits')).toEqual([{ isLifted: false }]);
});

it.each([
  ['a policy sets the limit', { limit: 2_000_000, isManaged: true }],
  ['nothing limits the line', { limit: 'full' }],
] as const)('nothing is offered where %s', async (_what, line) => {
  const { services } = await showPart(<Transfer health={healthOf({ line })} />);
  expect(screen.queryByRole('button', { name: /upload limits/ })).toBeNull();
  expect(services.commands.run('uploads.liftLimits')).toBe(false);
});
