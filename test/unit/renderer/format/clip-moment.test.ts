import { expect, it } from 'vitest';
import { formatClipMoment } from '../../../../renderer/format/clip-moment.ts';

it.each([
  [0, '0:00'],
  [3_999, '0:03'],
  [760_000, '12:40'],
  [3_723_000, '1:02:03'],
])('%d ms into a clip is %s', (atMs, text) => {
  expect(formatClipMoment(atMs)).toBe(text);
});
