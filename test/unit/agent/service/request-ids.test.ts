import { describe, expect, it } from 'vitest';
import { readRequestIds } from '../../../../electron/agent/service/request-ids.ts';

describe('request ids of an answer', () => {
  it('are those of known names, in one order, whatever else there is', () => {
    const headers = { 'cf-ray': '8c-LHR', 'x-request-id': 'r 1', etag: 'e', 'x-amz-id-2': 'a/b+c=' };
    expect(readRequestIds(headers)).toEqual([
      { name: 'x-request-id', value: 'r 1' },
      { name: 'x-amz-id-2', value: 'a/b+c=' },
      { name: 'cf-ray', value: '8c-LHR' },
    ]);
  });

  it.each([
    ['is empty', ''],
    ['is longer than 200 characters', 'x'.repeat(201)],
    ['has control characters', 'a\nb'],
    ['has letters beyond ASCII', 'ä'],
    ['came twice', ['a', 'b']],
    ['repeats the key', 'req-s3cret-key'],
    ['is a signed address', 'https://s3.example/x?X-Amz-Signature=abc'],
  ])('leave out what %s', (_, value) => {
    expect(readRequestIds({ 'x-request-id': value }, ['s3cret-key'])).toEqual([]);
  });
});
