import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../../electron/cli/run-cli.ts';
import { err, ok } from '../../../../shared/lib/result.ts';
import { createFakeAgent, createFakeDeps } from '../fake-deps.ts';

describe('root', () => {
  it.each([
    ['--adopt', 'adopt', 'Exports that were sent before will not be sent again.'],
    ['--send', 'send', 'All exports will be sent as new.'],
  ])('%s answers the question about the folder', async (option, answer, said) => {
    const { deps, folder, written } = await createFakeDeps(createFakeAgent().agent);
    const answers: unknown[] = [];
    const asked = {
      ...deps,
      answerStoredRoot: async (...given: readonly unknown[]) => {
        answers.push(given.slice(1));
        return ok(undefined);
      },
    };
    expect(await runCli(['root', 'exports', option], asked)).toBe(0);
    expect(answers).toEqual([[join(folder, 'exports'), answer]]);
    expect(written.stdout).toContain(said);
  });

  it('says when no question is open', async () => {
    const { deps } = await createFakeDeps(createFakeAgent().agent);
    const failure = { code: 'NOT_FOUND', message: 'No question.', advice: '', retryable: false } as const;
    const none = { ...deps, answerStoredRoot: async () => err(failure) };
    expect(await runCli(['root', 'exports', '--adopt'], none)).toBe(2);
  });

  it.each([[[]], [['exports']], [['exports', '--adopt', '--send']], [['a', 'b', '--adopt']]])(
    'refuses %j',
    async (line) => {
      const { deps } = await createFakeDeps(createFakeAgent().agent);
      expect(await runCli(['root', ...line], deps)).toBe(2);
    },
  );
});
