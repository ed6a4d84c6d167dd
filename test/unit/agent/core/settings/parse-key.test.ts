import { expect, test } from 'vitest';
import { parseKey } from '../../../../../electron/agent/core/settings/parse-key.ts';

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
  ['short12', '7 characters'],
  ['k1'.repeat(257), '514 characters'],
  ['abcd 12345', 'white space'],
  ['abcd\t12345', 'white space'],
  ['abcd1234\nx-evil: 1', 'more than one line'],
  ['abcd1234\rx', 'more than one line'],
  ['abcd\u00001234', 'printable ASCII'],
  ['schlüssel123', 'printable ASCII'],
  ['"abcd1234"', 'quotation marks'],
  ["'abcd1234'", 'quotation marks'],
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
])('input F8: refuses %j and never repeats it', (text, reason) => {
  const parsed = parseKey(text);
  expect(parsed.ok).toBe(false);
  if (parsed.ok) return;
  expect(parsed.error.code).toBe('KEY_FORMAT');
  expect(parsed.error.message).toContain(reason);
  expect(JSON.stringify(parsed.error)).not.toContain('1234');
});
