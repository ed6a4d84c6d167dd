import { breaksSeenBy } from './desktop-break.ts';

/** What the specs of the walls must notice. Where two walls stand behind one another, the break takes the inner one. */
export const wallBreaks = [
  ...breaksSeenBy('walls.spec.ts', [
    [
      'electron/shell/guard-contents.ts',
      "{ action: 'deny' }",
      "{ action: 'allow' }",
      'a page cannot be led elsewhere',
    ],
    [
      'electron/shell/navigation-policy.ts',
      'return isMainFrame && isOwnAddress(url);',
      'return isMainFrame;',
      'a page cannot be led elsewhere',
    ],
    [
      'electron/shell/permission-policy.ts',
      'return granted.has(permission) && isOwnOrigin(origin);',
      'return isOwnOrigin(origin);',
      'a page gets nothing from elsewhere',
    ],
    [
      'electron/console/security-headers.ts',
      '  "require-trusted-types-for \'script\'",\n',
      '',
      'a script that finds its way into the page',
    ],
    [
      'electron/shell/ipc-sender.ts',
      'isOwnWindow && isMainFrame',
      'isMainFrame',
      'a message that is not from the window',
    ],
    [
      'electron/shell/dangerous-switches.ts',
      "  'disable-web-security',\n",
      '',
      'the app refuses to start with its walls',
    ],
  ]),
];
