import { expect, it } from 'vitest';
import { createCaller } from '../../../../shared/ipc/caller.ts';
import type { CallRequest } from '../../../../shared/ipc/envelope.ts';

const noAnswer = {
  ok: false,
  error: { code: 'CALL_FAULT', message: 'The agent did not respond.', mayHaveHappened: true },
};

function callOver(answer: (request: CallRequest) => unknown) {
  return createCaller(async (request) => answer(request)).call('users.get', { userId: 7 });
}

it('a call is sent by its name with its input, and brings the value that the agent checked', async () => {
  const sent: CallRequest[] = [];
  const reply = await callOver((request) => {
    sent.push(request);
    return { ok: true, value: { id: 7, firstName: 'Ada' }, more: 1 };
  });
  expect(sent).toEqual([{ call: 'users.get', input: { userId: 7 } }]);
  expect(reply).toEqual({ ok: true, value: { id: 7, firstName: 'Ada' } });
});

it('a refusal comes as the failure that it is', async () => {
  const error = { code: 'NOT_FOUND', message: 'Gone.', advice: 'Look.', retryable: false };
  expect(await callOver(() => ({ ok: false, error }))).toEqual({ ok: false, error });
});

it.each<[string, () => unknown]>([
  [
    'a transport that fails',
    () => {
      throw new Error('the window was closed');
    },
  ],
  ['nothing', () => undefined],
  ['a page', () => '<html>'],
  ['a reply without its mark', () => ({ value: { id: 7 } })],
  ['a failure of another shape', () => ({ ok: false, error: { code: 'NOPE', message: 'x' } })],
])('%s is a failure, never a rejection', async (_, answer) => {
  expect(await callOver(answer)).toMatchObject(noAnswer);
});
