import { expect, test } from 'vitest';
import {
  checkBaseUrl,
  isLoopbackHost,
  parseKey,
} from '../../../../../electron/agent/core/settings/check-connection.ts';

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
  ['https://', 'is missing the host name'],
  ['https:///v1', 'is missing the host'],
  ['https://exa mple.com', 'a space'],
  ['https://example.com:99999', 'not a valid address'],
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

test.each([
  ['abcd1234', 'abcd1234'],
  ['  abcd1234\r\n', 'abcd1234'],
  ['\ufeffabcd1234\n', 'abcd1234'],
  ['sk_live_51HxYz-._~+/=', 'sk_live_51HxYz-._~+/='],
  ['k'.repeat(511) + '1', 'k'.repeat(511) + '1'],
  ['monkey-token-holder-42', 'monkey-token-holder-42'],
])('takes %j', (text, key) => {
  expect(parseKey(text)).toEqual({ ok: true, value: key });
});

test.each([
  ['', 'empty'],
  [' \n ', 'empty'],
  ['short12', '8 to 512 characters, but has 7'],
  ['k1'.repeat(257), '8 to 512 characters, but has 514'],
  ['abcd 12345', 'contains spaces or tabs'],
  ['abcd\t12345', 'contains spaces or tabs'],
  ['abcd1234\nx-evil: 1', 'more than one line'],
  ['abcd1234\rx', 'more than one line'],
  ['abcd\u00001234', 'printable ASCII'],
  ['schlüssel123', 'printable ASCII'],
  ['"abcd1234"', 'quotation mark'],
  ["'abcd1234'", 'quotation mark'],
  ['Bearer abcd1234', '"Bearer"'],
  ['your-key-here', 'placeholder'],
  ['YOUR_API_KEY', 'placeholder'],
  ['<your-api-key>', 'placeholder'],
  ['{{API_KEY}}', 'placeholder'],
  ['${API_KEY}', 'placeholder'],
  ['insert-api-key-here', 'placeholder'],
  ['changeme', 'placeholder'],
  ['xxxxxxxxxxxx', 'placeholder'],
  ['********', 'placeholder'],
  ['api-key', 'placeholder'],
])('input F8, checklist 21: refuses %j and never repeats it', (text, reason) => {
  const parsed = parseKey(text);
  expect(parsed.ok).toBe(false);
  if (parsed.ok) return;
  expect(parsed.error.code).toBe('KEY_FORMAT');
  expect(parsed.error.message).toContain(reason);
  expect(JSON.stringify(parsed.error)).not.toContain('1234');
});
