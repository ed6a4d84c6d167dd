import { expect, it } from 'vitest';
import { runCli } from '../../../../electron/cli/run-cli.ts';
import { err } from '../../../../shared/lib/result.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

it('says that the trust is not in the chain if the queue cannot be written', async () => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const line = ['key', 'trust', 'https://api.example.com'];
  expect([await runCli(line, deps), written.stderr]).toEqual([0, '']);
  const proof = { ...deps.proof, note: async () => err(failure('DATA_FOLDER')) };
  expect(await runCli(line, { ...deps, proof })).not.toBe(0);
  expect(written.stdout).toContain('only to https://api.example.com');
  expect(written.stderr).toMatch(/not recorded in the chain.*again[^]*DATA_FOLDER happened/);
});
