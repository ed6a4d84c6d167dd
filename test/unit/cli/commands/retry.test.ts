import { expect, test } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import { retry } from '../../../../electron/cli/commands/retry.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

test.each([
  [1, 0, 0, '1 clip will be retried.\n'],
  [3, 0, 0, '3 clips will be retried.\n'],
  [0, 0, 1, '1 incident will be retried.\n'],
  [3, 0, 2, '3 clips and 2 incidents will be retried.\n'],
  [
    0,
    2,
    0,
    'Nothing to retry.\n2 clips were skipped: they were cancelled, they are too large, or their files are missing. To retry one, use its own ID, as shown by status.\n',
  ],
])('says %d clips retried, %d skipped and %d incidents', async (retried, skipped, incidents, text) => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const retryClips = () => Promise.resolve(ok({ retried, skipped, incidents }));
  expect(await retry.run({ target: { kind: 'all' } }, { ...deps, retryClips })).toBe(0);
  expect(written.stdout).toBe(text);
});

test.each([
  ['NOT_FOUND', 2],
  ['DATA_IN_USE', 13],
] as const)('ends with the exit code of %s', async (code, exit) => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const retryClips = () => Promise.resolve(err(failure(code)));
  expect(await retry.run({ target: { kind: 'id', id: 'x' } }, { ...deps, retryClips })).toBe(exit);
  expect(written.stderr).toContain(code);
});
