import { expect, it } from 'vitest';
import { curveOf } from '../../../../renderer/app/speed.tsx';

it.each([
  ['nothing before the first second', [], ''],
  ['the latest second at the end, the fastest on top', [5, 10, 0], 'M297 64L297 32L298 0L299 64V64'],
  ['a line that stands still on the ground', [0, 0], 'M298 64L298 64L299 64V64'],
])('draws %s', (_what, history, path) => expect(curveOf(history)).toBe(path));
