import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPermissionGranted, permissions } from '../../../../electron/desktop/security/permission-policy.ts';

const OWN = 'app://desk';

describe('what a page may be allowed', () => {
  it.each(Object.keys(permissions))('%s: only copying to the clipboard', (permission) => {
    expect(isPermissionGranted(permission, OWN)).toBe(permission === 'clipboard-sanitized-write');
  });

  it('is decided for every permission that Electron names', () => {
    const types = readFileSync('node_modules/electron/electron.d.ts', 'utf8');
    const [, union = ''] =
      /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+),/.exec(
        types,
      ) ?? [];
    const named = [...union.matchAll(/'([^']+)'/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(Object.keys(permissions).toSorted()).toEqual(named.toSorted());
  });

  it.each(['', 'a-permission-of-next-year', 'toString', '__proto__'])(
    'is not what nobody knows: "%s"',
    (permission) => expect(isPermissionGranted(permission, OWN)).toBe(false),
  );

  it.each(['', 'null', 'app://', 'app://other', 'app://desk.evil', 'https://desk', 'APP://DESK', 'file://'])(
    'is nothing for a page of "%s"',
    (origin) => expect(isPermissionGranted('clipboard-sanitized-write', origin)).toBe(false),
  );

  it('takes the origin with and without the slash that Chromium writes', () => {
    expect(isPermissionGranted('clipboard-sanitized-write', `${OWN}/`)).toBe(true);
  });
});
