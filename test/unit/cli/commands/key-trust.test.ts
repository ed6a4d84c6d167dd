import { expect, it } from 'vitest';
import { runCli } from '../../../../electron/cli/run-cli.ts';
import { err } from '../../../../shared/lib/result.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

const origin = 'https://api.example.com';

async function trustWhile(code: 'NOT_FOUND' | 'DATA_FOLDER') {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const proof = { ...deps.proof, note: async () => err(failure(code)) };
  return { exit: await runCli(['key', 'trust', origin], { ...deps, proof }), written };
}

it('trusts a service before there is a queue, and says nothing of it', async () => {
  const { exit, written } = await trustWhile('NOT_FOUND');
  expect([exit, written.stderr]).toEqual([0, '']);
});

it('says that the trust is not in the chain if the queue cannot be written', async () => {
  const { exit, written } = await trustWhile('DATA_FOLDER');
  expect(exit).not.toBe(0);
  expect(written.stdout).toContain(`only to ${origin}`);
  expect(written.stderr).toMatch(/not recorded in the chain.*again[^]*DATA_FOLDER happened/);
});
