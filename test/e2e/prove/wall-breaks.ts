import { breaksSeenBy } from './desktop-break.ts';

/**
 * Mistakes that the specs of the walls must notice. Where one wall is behind another, the break removes the inner one.
 */
export const wallBreaks = [
  ...breaksSeenBy('walls.spec.ts', [
    [
      'electron/desktop/security/guards.ts',
      "{ action: 'deny' }",
      "{ action: 'allow' }",
      'a page cannot be led elsewhere',
    ],
    [
      'electron/desktop/security/guards.ts',
      'return isMainFrame && isOwnAddress(url);',
      'return isMainFrame;',
      'a page cannot be led elsewhere',
    ],
    [
      'electron/desktop/security/guards.ts',
      'return granted.has(permission) && isOwnOrigin(origin);',
      'return isOwnOrigin(origin);',
      'a page gets nothing from elsewhere',
    ],
    [
      'electron/console/page-files.ts',
      '  "require-trusted-types-for \'script\'",\n',
      '',
      'a script that finds its way into the page',
    ],
    [
      'electron/desktop/security/ipc-gateway.ts',
      'isOwnWindow && isMainFrame',
      'isMainFrame',
      'a message that is not from the window',
    ],
    [
      'electron/desktop/security/dangerous-switches.ts',
      "  'disable-web-security',\n",
      '',
      'the app refuses to start with its walls',
    ],
  ]),
];
