import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../shared/lib/result.ts';
import type { DesktopOrders } from '../../../electron/desktop/desktop-ports.ts';
import { createServeOrder } from '../../../electron/desktop/serve-orders.ts';

const gone = { code: 'FILE_GONE', message: 'Gone.', advice: 'None.', retryable: false } as const;

function createDesk() {
  const given: unknown[] = [];
  const errors: unknown[] = [];
  const silent = (): void => undefined;
  const orders: Partial<DesktopOrders> = {
    async chooseFolder() {
      return ok({ path: '/exports', mtimeMs: 1 });
    },
    async revealClip(input) {
      given.push(input);
      return err(gone);
    },
    async openHelp() {
      throw new Error('at /home/jo/secret');
    },
    async 'update.install'() {
      return ok('nonsense') as never;
    },
  };
  const serve = createServeOrder(orders as DesktopOrders, {
    debug: silent,
    info: silent,
    warn: silent,
    error: (...line) => void errors.push(line),
  });
  return { serve, given, errors };
}

describe('orders of the page', () => {
  it('are answered with what the contract says, and no more', async () => {
    const { serve } = createDesk();
    expect(await serve({ call: 'chooseFolder', input: {} })).toEqual(ok({ path: '/exports' }));
  });

  it('answer failures as they are', async () => {
    const { serve, given } = createDesk();
    expect(await serve({ call: 'revealClip', input: { clipId: 'c1' } })).toEqual(err(gone));
    expect(given).toEqual([{ clipId: 'c1' }]);
  });

  it.each([
    ['a path for a clip', { call: 'revealClip', input: { clipId: 'c1', path: '/etc/passwd' } }],
    ['no input', { call: 'revealClip', input: null }],
    ['an address for the help', { call: 'openHelp', input: { page: 'https://evil/' } }],
    ['an empty name', { call: 'saveText', input: { name: '', text: '' } }],
  ])('are not carried out with %s', async (_, request) => {
    const { serve, given } = createDesk();
    expect(await serve(request)).toMatchObject({ ok: false, error: { code: 'CALL_INPUT' } });
    expect(given).toEqual([]);
  });

  it.each([
    ['a name of every object', { call: 'constructor', input: {} }],
    ['a call of the agent', { call: 'users.list', input: {} }],
    ['no name', { input: {} }],
    ['more than a request', { call: 'chooseFolder', input: {}, isConfirmed: true }],
    ['nothing', undefined],
  ])('are unknown for %s', async (_, request) => {
    const { serve } = createDesk();
    expect(await serve(request)).toMatchObject({ ok: false, error: { code: 'CALL_UNKNOWN' } });
  });

  it.each([
    ['throws', { call: 'openHelp', input: { page: 'readme' } }],
    ['answers nonsense', { call: 'update.install', input: {} }],
  ])('tell nothing of a handler that %s; the log has it', async (_, request) => {
    const { serve, errors } = createDesk();
    const reply = await serve(request);
    expect(reply).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
    expect(JSON.stringify(reply)).not.toContain('secret');
    expect(errors).toHaveLength(1);
  });
});
