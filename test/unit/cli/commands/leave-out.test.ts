import { expect, test } from 'vitest';
import { leaveOut } from '../../../../electron/cli/commands/leave-out.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { createFakeAgent, createFakeDeps } from '../fake-deps.ts';

test.each([
  [true, 1, '1 clip is left out.\n'],
  [true, 3, '3 clips are left out.\n'],
  [
    true,
    0,
    'Nothing changed: there was nothing to leave out. For an incident, only failed clips that retry would skip are left out.\n',
  ],
  [false, 1, '1 clip counts as failed again.\n'],
  [false, 2, '2 clips count as failed again.\n'],
  [false, 0, 'Nothing changed: none of these clips was left out.\n'],
])('leaves out (%s) what it is told, of which %d changed', async (isLeftOut, changed, text) => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const leaveOutClips = () => Promise.resolve(ok(changed));
  expect(await leaveOut.run({ ids: ['a'], isLeftOut }, { ...deps, leaveOutClips })).toBe(0);
  expect(written.stdout).toBe(text);
});
