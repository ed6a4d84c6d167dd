import { expect, it } from 'vitest';
import { maskPersonal } from '../../../../electron/agent/log/mask-personal.ts';

it.each([
  ['{"phone":"+14155550123"}', '{"phone":"[phone]"}'],
  ['call +44 7700 900-123 now', 'call [phone] now'],
  ['from ada.lovelace+x@mail.example.co.uk.', 'from [mail].'],
  ['2026-05-01T19:30:05+0100 20260501', '2026-05-01T19:30:05+0100 20260501'],
  ['sha 9f2c41aa0815 size 12345678', 'sha 9f2c41aa0815 size 12345678'],
])('%s becomes %s', (text, masked) => {
  expect(maskPersonal(text)).toBe(masked);
});
