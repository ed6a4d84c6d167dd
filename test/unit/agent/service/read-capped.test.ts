import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readCapped } from '../../../../electron/agent/service/read-capped.ts';

describe('readCapped', () => {
  it('reads a body up to its limit whole', async () => {
    const body = await readCapped(Readable.from([Buffer.from('abc'), Buffer.from('def')]), 6);
    expect(body).toEqual({ bytes: Buffer.from('abcdef'), isWhole: true });
  });

  it('cuts an endless body and destroys its stream', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1024, 'x');
      })(),
    );
    const body = await readCapped(endless, 10_000);
    expect(body.bytes.length).toBe(10_000);
    expect(body.isWhole).toBe(false);
    expect(endless.destroyed).toBe(true);
  });

  it('keeps what came before a body broke off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('abc');
        await Promise.resolve();
        throw new Error('reset');
      })(),
    );
    expect(await readCapped(broken, 10)).toEqual({ bytes: Buffer.from('abc'), isWhole: false });
  });
});
