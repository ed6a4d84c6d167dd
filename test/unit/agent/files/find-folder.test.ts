import { expect, it } from 'vitest';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createBrowseGate, throughGate } from '../../../../electron/agent/files/find-folder.ts';

const stopping = new AbortController();
const { signal } = new AbortController();
const never = () => new Promise<never>(() => undefined);
const open = () => createBrowseGate(createSystemClock(), stopping.signal, 20);

it('goes on elsewhere while a folder hangs, and names the one that does', async () => {
  const gate = open();
  const hung = await throughGate(gate, '/mnt/nas', signal, never);
  expect(hung).toMatchObject({ ok: false, error: { code: 'ROOT_HUNG' } });
  expect(hung.ok ? '' : hung.error.message).toContain('/mnt/nas');
  expect(await gate.run(async () => 'here')).toBe('here');
});

it('lets three hang and no more, so that the pool keeps threads for the rest', async () => {
  const gate = open();
  let begun = 0;
  const hang = () => {
    begun += 1;
    return never();
  };
  for (let turn = 0; turn < 5; turn++) await gate.run(hang).catch(() => undefined);
  expect(begun).toBe(3);
});

it('is free again when one of them answers after all', async () => {
  const gate = open();
  const late = Promise.withResolvers<undefined>();
  for (let turn = 0; turn < 3; turn++) await gate.run(() => late.promise).catch(() => undefined);
  await expect(gate.run(async () => 'here')).rejects.toThrow();
  late.resolve(undefined);
  await late.promise;
  await expect.poll(() => gate.run(async () => 'here').catch(() => 'hung')).toBe('here');
});
