import { expect, it } from 'vitest';
import { isSameName } from '../../../../../renderer/features/users/is-same-name.ts';

it.each([
  ['Ada Lovelace', 'Ada Lovelace', true],
  [' Ada  Lovelace ', 'Ada Lovelace', true],
  ['Jose\u0301', 'José', true],
  ['ada lovelace', 'Ada Lovelace', false],
  ['Ada', 'Ada Lovelace', false],
  ['', ' ', false],
])('typing %j deletes %j: %s', (typed, name, isSame) => {
  expect(isSameName(typed, name)).toBe(isSame);
});
