import { expect, it } from 'vitest';
import { proxyUrlOf, proxyWay, proxyWays } from '../../../../../renderer/features/settings/proxy-way.ts';

it.each(proxyWays)('the choice %s is found again in what it writes', (way) => {
  expect(proxyWay(proxyUrlOf(way))).toBe(way);
});

it('an address stays one while it is typed', () => {
  expect(['', 'h', 'http://proxy.example.com'].map(proxyWay)).toEqual(['address', 'address', 'address']);
});
