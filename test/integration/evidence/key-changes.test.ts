import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { verifyPack } from '../../../electron/agent/evidence/custody/verify-pack.ts';
import type { SigningKeyStore } from '../../../electron/agent/ports.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { openPackDesk } from '../../helpers/pack-desk.ts';
import { checkers } from './checkers.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS, hookTimeout: BENCH_TIMEOUT_MS });

const other = { id: '22222222', title: 'Ramp', clips: { 'ramp.mp4': 'third clip' } };

test('a key that signed its replacement vouches for packs of the new one, and no other key does', async () => {
  const later = await openPackDesk();
  try {
    later.addIncident(other);
    const old = await later.keys.current();
    await later.keys.renew();
    const [pack] = await later.pack([other.id]);
    const folder = pack?.folder ?? '';
    expect(pack?.key).not.toBe(old.fingerprint);
    const trusting = (trusted: readonly string[]) => verifyPack({ folder, trusted, copies: [] });
    expect(await trusting([old.fingerprint])).toMatchObject({ differences: [] });
    expect((await trusting(['a'.repeat(64)])).differences).toEqual([
      expect.stringContaining('is not signed with a trusted key'),
    ]);
  } finally {
    await later.close();
  }
});

/** A key store like an account's: it can be locked, and be reset with everything in it. */
function accountStore() {
  const failure: Failure = { code: 'KEY_STORE', message: 'Locked.', advice: 'Unlock it.', retryable: true };
  const state: { key?: string | undefined; isLocked: boolean; isFull?: boolean } = { isLocked: false };
  const store: SigningKeyStore = {
    async load() {
      if (state.isLocked) throw new FailureError(failure);
      return state.key;
    },
    async store(key) {
      if (state.isFull === true) return err(failure);
      state.key = key;
      return ok(undefined);
    },
    keptIn: async () => 'keyStore',
  };
  return { store, state };
}

test('a key vouches for its replacement even if an earlier renewal failed', async () => {
  const { store, state } = accountStore();
  const retried = await openPackDesk({}, store);
  try {
    retried.addIncident(other);
    const old = await retried.keys.current();
    state.isFull = true;
    expect(await retried.keys.renew()).toMatchObject({ ok: false });
    const failed = retried.tables.deskKeys.all().at(-1)?.fingerprint ?? '';
    state.isFull = false;
    expect(await retried.keys.renew()).toMatchObject({ ok: true });
    await retried.keys.renew();
    const [pack] = await retried.pack([other.id]);
    const folder = pack?.folder ?? '';
    const trusting = (trusted: string) => verifyPack({ folder, trusted: [trusted], copies: [] });
    expect(await trusting(old.fingerprint)).toMatchObject({ differences: [] });
    expect((await trusting(failed)).differences).toEqual([
      expect.stringContaining('is not signed with a trusted key'),
    ]);
  } finally {
    await retried.close();
  }
});

test('while the key store is locked no pack and no other key is made, and the same key signs afterwards', async () => {
  const { store, state } = accountStore();
  const locked = await openPackDesk({}, store);
  try {
    locked.addIncident(other);
    const { fingerprint } = await locked.keys.current();
    state.isLocked = true;
    const place = join(locked.dir, 'packs');
    await expect(locked.pack([other.id], place)).rejects.toThrow('KEY_STORE');
    expect(await readdir(place)).toEqual([]);
    expect(await locked.keys.renew()).toMatchObject({ ok: false, error: { code: 'KEY_STORE' } });
    state.isLocked = false;
    expect(await locked.pack([other.id], place)).toMatchObject([{ key: fingerprint }]);
    expect(locked.lostKeys).toEqual([]);
  } finally {
    await locked.close();
  }
});

test('for an invalid key in the key store, the advice does not name the data directory', async () => {
  const { store, state } = accountStore();
  state.key = 'no key';
  const damaged = await openPackDesk({}, store);
  const renewed = await damaged.keys.renew();
  await damaged.close();
  const advice: unknown = expect.stringContaining('Restore desk-key.json beside the settings file');
  expect(renewed).toMatchObject({ error: { code: 'KEY_STORE', advice } });
});

test('after the key store was reset the new key is told, and no checker takes it for the old one', async () => {
  const { store, state } = accountStore();
  const reset = await openPackDesk({}, store);
  try {
    reset.addIncident(other);
    const old = await reset.keys.current();
    delete state.key;
    const [pack] = await reset.pack([other.id]);
    expect(reset.lostKeys).toEqual([old.fingerprint]);
    expect(reset.tables.audit.newest(10).map(({ action }) => action)).toContain('key.lost');
    const places = { pack: pack?.folder ?? '', copies: join(reset.dir, 'copies'), other: '' };
    await reset.copies(other, places.copies);
    for (const [name, check] of Object.entries(checkers)) {
      expect(await check(places, old.fingerprint), name).toMatchObject({
        code: 1,
        said: expect.stringMatching(/is not signed with (?:a trusted|the) key/),
      });
      expect(await check(places, pack?.key ?? ''), name).toMatchObject({ code: 0 });
    }
  } finally {
    await reset.close();
  }
});
