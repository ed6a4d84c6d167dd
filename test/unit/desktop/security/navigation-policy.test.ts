import { describe, expect, it } from 'vitest';
import { isNavigationAllowed } from '../../../../electron/desktop/security/navigation-policy.ts';

const table: readonly (readonly [string, boolean])[] = [
  ['app://desk/', true],
  ['app://desk/index.html', true],
  ['app://desk/#/uploads', true],
  ['app://desk', false],
  ['app://desk.evil/', false],
  ['app://deskevil/', false],
  ['app://other/', false],
  ['app://desk@other/', false],
  ['app://user@desk/', false],
  ['app://user:word@desk/', false],
  ['app://desk:80/', false],
  ['app:desk/', false],
  ['app:///desk/', false],
  ['APP://desk/', false],
  ['App://Desk/', false],
  [' app://desk/', false],
  ['https://app.evil/', false],
  ['https://app/', false],
  ['https://desk/', false],
  ['http://127.0.0.1:4747/', false],
  ['file:///etc/passwd', false],
  ['data:text/html,<p>x', false],
  ['javascript:alert(1)', false],
  ['blob:app://desk/1c4a', false],
  ['filesystem:app://desk/x', false],
  ['view-source:app://desk/', false],
  ['devtools://devtools/bundled/inspector.html', false],
  ['vms-export-agent://incident/x', false],
  ['about:blank', false],
  ['about:srcdoc', false],
  ['', false],
];

describe('where a window may go', () => {
  it.each(table)('%s: %s', (url, isAllowed) => {
    expect(isNavigationAllowed({ url, isMainFrame: true })).toBe(isAllowed);
  });

  it('lets no other frame go anywhere, not even to a page of ours', () => {
    for (const [url] of table) expect(isNavigationAllowed({ url, isMainFrame: false }), url).toBe(false);
  });
});
