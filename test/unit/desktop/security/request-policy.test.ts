import { describe, expect, it } from 'vitest';
import { isRequestAllowed } from '../../../../electron/desktop/security/request-policy.ts';

/** Address, installed, in development. */
const table: readonly (readonly [string, boolean, boolean])[] = [
  ['app://desk/assets/index-12345678.js', true, true],
  ['blob:app://desk/7d3c2a4e', true, true],
  ['devtools://devtools/bundled/devtools_app.html', false, true],
  ['devtools://evil/', false, false],
  ['app://other/x.js', false, false],
  ['blob:app://other/7d3c2a4e', false, false],
  ['blob:https://evil/7d3c2a4e', false, false],
  ['blob:null/7d3c2a4e', false, false],
  ['file:///etc/passwd', false, false],
  ['data:text/plain,x', false, false],
  ['javascript:alert(1)', false, false],
  ['ftp://evil/x', false, false],
  ['http://127.0.0.1:4747/', false, false],
  ['https://evil/', false, false],
  ['ws://127.0.0.1/', false, false],
  ['wss://evil/', false, false],
  ['chrome-extension://abc/x.js', false, false],
  ['chrome://gpu/', false, false],
  ['vms-export-agent://incident/x', false, false],
  ['', false, false],
];

describe('what a window may load', () => {
  it.each(table)('%s: installed %s, in development %s', (url, installed, development) => {
    expect(isRequestAllowed(url, true)).toBe(installed);
    expect(isRequestAllowed(url, false)).toBe(development);
  });
});
