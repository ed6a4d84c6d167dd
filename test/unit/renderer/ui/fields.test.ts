import { expect, it } from 'vitest';
import { asSentence } from '../../../../renderer/ui/fields.tsx';

it.each([
  ['is missing the host name', 'Missing the host name.'],
  ['must be a time of day such as 19:00', 'Must be a time of day such as 19:00.'],
  ['/nowhere does not exist.', '/nowhere does not exist.'],
  ['Enter a title.', 'Enter a title.'],
])('at a field "%s" is read as a sentence', (text, shown) => {
  expect(asSentence(text)).toBe(shown);
});
