import { expect, it } from 'vitest';
import { firstMissingStep, isSimulated } from '../../../../../renderer/features/onboarding/missing-setup.ts';
import { settingsSchema } from '../../../../../shared/domain/settings.ts';

const viewOf = (baseUrl: string, watch: readonly { readonly path: string }[]) => {
  const settings = settingsSchema.parse({ baseUrl: baseUrl === '' ? 'x' : baseUrl, watch });
  return { settings: { ...settings, baseUrl } };
};
const url = 'https://api.example.com/v1';
const watched = [{ path: '/exports' }];

it('a desk begins with what it lacks, and a complete one does not begin at all', () => {
  expect(firstMissingStep(viewOf('', watched), { isSet: true })).toBe('service');
  expect(firstMissingStep(viewOf(url, watched), { isSet: false })).toBe('service');
  expect(firstMissingStep(viewOf(url, []), { isSet: true })).toBe('folder');
  expect(firstMissingStep(viewOf(url, watched), { isSet: true })).toBeUndefined();
});

it('only an address of this machine is the simulated service', () => {
  expect(isSimulated(viewOf('http://127.0.0.1:8080/v1', []))).toBe(true);
  expect(isSimulated(viewOf('http://[::1]:8080/v1', []))).toBe(true);
  expect(isSimulated(viewOf('https://127.0.0.1.example.com/v1', []))).toBe(false);
  expect(isSimulated(viewOf('', []))).toBe(false);
});
