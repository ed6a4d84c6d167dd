import { breaksSeenBy } from './desktop-break.ts';

/** What the specs of the key and of pictures must notice. */
export const keyBreaks = [
  ...breaksSeenBy('key.spec.ts', [
    [
      'electron/shell/key-store.ts',
      'await safeStorage.encryptStringAsync(key)',
      'Buffer.from(key)',
      'enters it once',
    ],
    [
      'electron/shell/key-store.ts',
      'if (written === undefined) return undefined;',
      'if (written !== undefined) return undefined;',
      'enters it once',
    ],
    [
      'electron/shell/confirm-call.ts',
      'if (!isGrave(request)) return ok(undefined);',
      'if (isGrave(request)) return ok(undefined);',
      'asked by the system',
    ],
    ['electron/shell/confirm-call.ts', 'answer === CARRY_OUT', 'answer >= CANCEL', 'asked by the system'],
    [
      'electron/shell/key-keeping.ts',
      "return { kind: 'memory', reason: 'no-password' };",
      "return store('basic_text', 'None', false);",
      'written nowhere',
    ],
  ]),
  ...breaksSeenBy('pictures.spec.ts', [
    ['electron/shell/start-app.ts', 'ports: { ...ports, thumbnails },', 'ports,', 'a clip whose export'],
    [
      'electron/shell/thumbnail-window.ts',
      'looks = { show: false,',
      'looks = { show: true,',
      'a clip whose export',
    ],
  ]),
];
