import { expect, test } from 'vitest';
import { checkBaseUrl, isLoopbackHost } from '../../../../../electron/agent/core/settings/check-base-url.ts';

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com/v1///', 'https://api.example.com/v1'],
  ['https://API.example.com:8443/team%20a/v1', 'https://API.example.com:8443/team%20a/v1'],
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['http://127.9.9.9', 'http://127.9.9.9'],
  ['http://localhost:1234', 'http://localhost:1234'],
  ['http://[::1]:1234/v1', 'http://[::1]:1234/v1'],
])('takes %s', (typed, used) => {
  expect(checkBaseUrl(typed)).toEqual({ ok: true, value: used });
});

test.each([
  ['', 'is empty'],
  ['   ', 'is empty'],
  ['https://api.example.com/v1 ', 'a space'],
  [' https://api.example.com', 'a space'],
  ['https://api.example.com/\nx', 'control character'],
  ['https:\\\\api.example.com', 'backslash'],
  ['http://api.example.com', 'http://'],
  ['http://127.0.0.1.example.com', 'http://'],
  ['http://localhost.example.com', 'http://'],
  ['http://10.0.0.1', 'http://'],
  ['ftp://api.example.com', 'does not begin'],
  ['api.example.com', 'does not begin'],
  ['https://', 'does not begin'],
  ['https:///v1', 'does not begin'],
  ['https://exa mple.com', 'a space'],
  ['https://example.com:99999', 'not an address'],
  ['https://user:s3cretpw@example.com', 'user name or password'],
  ['https://@example.com', 'user name or password'],
  ['https://example.com?key=s3cretpw', 'a query'],
  ['https://example.com/v1?', 'a query'],
  ['https://example.com/#x', 'a fragment'],
  [`https://example.com/${'a'.repeat(3000)}`, 'longer than'],
])('input F7: refuses %s', (typed, reason) => {
  const checked = checkBaseUrl(typed);
  expect(checked.ok).toBe(false);
  if (checked.ok) return;
  expect(checked.error.code).toBe('CONFIG_URL');
  expect(checked.error.message).toContain(reason);
  expect(JSON.stringify(checked.error)).not.toContain('s3cretpw');
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['128.0.0.1', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
])('knows whether %s is this machine', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});
