import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok } from '../../../../shared/lib/result.ts';
import { carryOut, type Call } from '../../../../electron/agent/calls/call.ts';
import { runCalls } from '../../../helpers/run-calls.ts';

const failure: Failure = { code: 'NOT_FOUND', message: 'Gone.', advice: 'Look.', retryable: false };
const idle = new AbortController().signal;

function cancelling(handle: Call<'uploads.cancel'>['handle']) {
  const call: Call<'uploads.cancel'> = {
    handle,
    audit: { asked: () => ({ clips: 2 }), done: ({ changed }) => ({ changed }) },
    changes: ['uploads', 'health'],
  };
  const { run, announced, noted } = runCalls({ 'uploads.cancel': call });
  const cancel = () => run('uploads.cancel', { target: { kind: 'clips', clipIds: ['a', 'b'] } });
  return { cancel, announced, noted };
}

describe('a call that changes something', () => {
  it('is noted before it is carried out and afterwards, and is announced', async () => {
    const seen: number[] = [];
    const { cancel, announced, noted } = cancelling(() => {
      seen.push(noted.length, announced.length);
      return ok({ changed: 2 });
    });
    expect(await cancel()).toEqual(ok({ changed: 2 }));
    expect(seen).toEqual([1, 0]);
    expect(noted).toEqual([
      ['uploads.cancel', { state: 'asked', clips: 2 }],
      ['uploads.cancel', { state: 'done', of: 1, changed: 2 }],
    ]);
    expect(announced).toEqual(['uploads', 'health']);
  });

  it('that is refused is noted with its code, and nothing is announced', async () => {
    const { cancel, announced, noted } = cancelling(() => err(failure));
    expect(await cancel()).toEqual(err(failure));
    expect(noted.at(-1)).toEqual(['uploads.cancel', { state: 'refused', of: 1, code: 'NOT_FOUND' }]);
    expect(announced).toEqual([]);
  });

  it('that breaks is noted, and announced: a part of it may have been done', async () => {
    const { cancel, announced, noted } = cancelling(() => Promise.reject(new Error('broken')));
    await expect(cancel()).rejects.toThrow('broken');
    expect(noted.at(-1)).toEqual(['uploads.cancel', { state: 'broken', of: 1 }]);
    expect(announced).toEqual(['uploads', 'health']);
  });

  it('is not done where its audit row cannot be written', async () => {
    const seen: unknown[] = [];
    const call: Call<'users.remove'> = {
      handle: ({ userId }) => {
        seen.push(userId);
        return ok({ id: userId });
      },
      audit: { asked: ({ userId }) => ({ userId: String(userId) }) },
    };
    const effects = {
      announce: (subject: string) => void seen.push(subject),
      trail: {
        note: () => {
          throw new Error('disk full');
        },
      },
    };
    await expect(carryOut(effects, 'users.remove', call, { userId: 7 }, idle)).rejects.toThrow('disk full');
    expect(seen).toEqual([]);
  });
});

it('a call that only reads is neither noted nor announced', async () => {
  const { run, announced, noted } = runCalls<'users.get'>({
    'users.get': { handle: ({ userId }) => ok({ id: userId }) },
  });
  expect(await run('users.get', { userId: 7 })).toEqual(ok({ id: 7 }));
  expect([noted, announced]).toEqual([[], []]);
});
