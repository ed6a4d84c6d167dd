import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../../../shared/domain/failure.ts';
import { failureInList, failureOf } from '../../../../../renderer/features/settings/field-failures.ts';

const failure: Failure = {
  code: 'CALL_INPUT',
  message: '',
  advice: '',
  retryable: false,
  fields: [
    { name: 'change.watch.1.settleSeconds', text: 'too small' },
    { name: 'upload.concurrentFiles', text: 'is 99' },
    { name: 'change.proxy.bypass.2', text: 'is no host' },
  ],
};

describe('what was said about a setting', () => {
  it('stands at its field, however the refusal spells it, and at no other', () => {
    expect(failureOf(failure, 'watch[1].settleSeconds')).toBe('too small');
    expect(failureOf(failure, 'upload.concurrentFiles')).toBe('is 99');
    expect(failureOf(failure, 'watch[0].settleSeconds')).toBeUndefined();
    expect(failureOf(undefined, 'baseUrl')).toBeUndefined();
  });

  it('stands at the list when it is about one of its entries', () => {
    expect(failureInList(failure, 'proxy.bypass')).toBe('is no host');
    expect(failureInList(failure, 'upload.hosts')).toBeUndefined();
  });
});
