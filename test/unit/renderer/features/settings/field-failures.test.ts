import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../../../shared/domain/failure.ts';
import {
  failureOf,
  isManaged,
  settingPath,
} from '../../../../../renderer/features/settings/field-failures.ts';

const failure: Failure = {
  code: 'CALL_INPUT',
  message: '',
  advice: '',
  retryable: false,
  fields: [
    { name: 'change.watch.1.settleSeconds', text: 'too small' },
    { name: 'upload.concurrentFiles', text: 'is 99' },
  ],
};

describe('what was said about a setting', () => {
  it.each([
    ['change.watch.0.path', 'watch[0].path'],
    ['watch[12].timeZone', 'watch[12].timeZone'],
    ['change.upload.hosts.3', 'upload.hosts[3]'],
    ['baseUrl', 'baseUrl'],
  ])('%s is found at %s', (name, path) => {
    expect(settingPath(name)).toBe(path);
  });

  it('stands at its field, however the refusal spells it, and at no other', () => {
    expect(failureOf(failure, 'watch[1].settleSeconds')).toBe('too small');
    expect(failureOf(failure, 'upload.concurrentFiles')).toBe('is 99');
    expect(failureOf(failure, 'watch[0].settleSeconds')).toBeUndefined();
    expect(failureOf(undefined, 'baseUrl')).toBeUndefined();
  });
});

describe('a managed setting', () => {
  it('is locked by itself and with its group, but not by a name that only begins like it', () => {
    expect(isManaged(['upload'], 'upload.hosts')).toBe(true);
    expect(isManaged(['watch'], 'watch[0].path')).toBe(true);
    expect(isManaged(['users.updateMethod'], 'users.updateMethod')).toBe(true);
    expect(isManaged(['upload.hosts'], 'upload.concurrentFiles')).toBe(false);
    expect(isManaged(['base'], 'baseUrl')).toBe(false);
  });
});
