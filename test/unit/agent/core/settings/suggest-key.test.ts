import { expect, test } from 'vitest';
import { editDistance, suggestKey } from '../../../../../electron/agent/core/settings/suggest-key.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['statsu', 'status', 1],
  ['ca', 'abc', 3],
])('counts %j to %j as %d edits', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

const keys = ['baseUrl', 'apiKeyFile', 'auth', 'watch', 'upload', 'concurrentParts', 'concurrentFiles'];

test.each([
  ['concurentParts', 'concurrentParts'],
  ['base_url', 'baseUrl'],
  ['BASEURL', 'baseUrl'],
  ['uplaod', 'upload'],
  ['apiKey', 'apiKeyFile'],
  ['watchFolders', 'watch'],
  ['colour', undefined],
  ['', undefined],
  ['a'.repeat(1000), undefined],
])('suggests for %j: %j', (word, key) => {
  expect(suggestKey(word, keys)).toBe(key);
});
