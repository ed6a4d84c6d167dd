import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of the key and of thumbnails must notice. */
export const keyBreaks = [
  ...breaksSeenBy('key.spec.ts', [
    [
      'electron/desktop/keys/key-store.ts',
      'await safeStorage.encryptStringAsync(key)',
      'Buffer.from(key)',
      'enters it once',
    ],
    [
      'electron/desktop/keys/key-store.ts',
      'if (written === undefined) return undefined;',
      'if (written !== undefined) return undefined;',
      'enters it once',
    ],
    [
      'electron/desktop/security/agent-calls.ts',
      'if (!needsFacts(request)) return ok(undefined);',
      'if (needsFacts(request)) return ok(undefined);',
      'asked by the system',
    ],
    [
      'electron/desktop/security/agent-calls.ts',
      'answer === CARRY_OUT',
      'answer >= CANCEL',
      'asked by the system',
    ],
    [
      'electron/desktop/keys/key-keeping.ts',
      "return { kind: 'memory', reason: 'no-password' };",
      "return store('basic_text', 'None', false);",
      'written nowhere',
    ],
  ]),
  ...breaksSeenBy('pictures.spec.ts', [
    [
      'electron/desktop/start-app.ts',
      '      thumbnails,\n      printPdf',
      '      printPdf',
      'a clip whose export',
    ],
    [
      'electron/desktop/window/thumbnail-window.ts',
      'looks = { show: false,',
      'looks = { show: true,',
      'a clip whose export',
    ],
  ]),
  ...breaksSeenBy('custody.spec.ts', [
    [
      'electron/desktop/start-app.ts',
      '      printPdf: createReportPrinter(hidden),\n',
      '',
      'a custody pack has its report',
    ],
  ]),
];
