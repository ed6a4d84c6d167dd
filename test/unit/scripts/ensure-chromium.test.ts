import { afterEach, describe, expect, test, vi } from 'vitest';
import { findChromium, findTestChromium } from '../../../scripts/ensure-chromium.ts';

const SHELL = '/usr/lib/chromium/chromium-headless-shell';

afterEach(() => void vi.unstubAllEnvs());

describe('the Chromium for tests', () => {
  test('is the headless shell when it is there, and any other one when it is not', () => {
    vi.stubEnv('CHROMIUM_PATH', undefined);
    const both = (path: string): boolean => [SHELL, '/usr/bin/chromium'].includes(path);
    expect(findTestChromium(both)).toBe(SHELL);
    expect(findTestChromium((path) => path === '/usr/bin/chromium')).toBe('/usr/bin/chromium');
    expect(findTestChromium(() => false)).toBeUndefined();
  });

  test('is the one that the variable names', () => {
    vi.stubEnv('CHROMIUM_PATH', '/opt/chromium');
    expect(findTestChromium(() => true)).toBe('/opt/chromium');
  });
});

test('pictures and measurements are taken with a whole Chromium', () => {
  vi.stubEnv('CHROMIUM_PATH', undefined);
  expect(findChromium(() => true)).toBe('/usr/bin/chromium');
  expect(findChromium((path) => path === SHELL)).toBeUndefined();
});
