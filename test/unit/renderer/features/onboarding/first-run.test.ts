import { expect, it } from 'vitest';
import { firstMissingStep } from '../../../../../renderer/features/onboarding/first-run.tsx';
import { settingsSchema } from '../../../../../shared/domain/settings.ts';

const viewOf = (settings: unknown) => ({ settings: settingsSchema.parse(settings) });
const baseUrl = 'https://api.example.com/v1';
const watch = [{ path: '/exports' }];

it('a desk begins with what it lacks, and a complete one does not begin at all', () => {
  expect(firstMissingStep(viewOf({}), { isSet: false })).toBe('service');
  expect(firstMissingStep(viewOf({ watch }), { isSet: true })).toBe('service');
  expect(firstMissingStep(viewOf({ baseUrl, watch }), { isSet: false })).toBe('service');
  expect(firstMissingStep(viewOf({ baseUrl }), { isSet: true })).toBe('folder');
  expect(firstMissingStep(viewOf({ baseUrl, watch }), { isSet: true })).toBeUndefined();
});
