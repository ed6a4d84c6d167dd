import { expect, it } from 'vitest';
import { securityHeaders } from '../../../electron/console/security-headers.ts';

it('checklist 12: sets the policy of every answer, to the letter', () => {
  expect(securityHeaders).toEqual({
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; " +
      "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "object-src 'none'; require-trusted-types-for 'script'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), ' +
      'local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), ' +
      'serial=(), usb=(), xr-spatial-tracking=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});
