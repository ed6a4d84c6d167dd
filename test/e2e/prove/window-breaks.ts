import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of the window’s place and of the start at sign-in must notice. */
export const windowBreaks = [
  ...breaksSeenBy('window-place.spec.ts', [
    [
      'electron/desktop/start-app.ts',
      '  stops.defer(place.settle);\n',
      '',
      'an operator moves the window, quits at once, and finds it where it was',
    ],
    [
      'electron/desktop/window/main-window.ts',
      "if (isMaximised) window.once('show', () => window.maximize());",
      '',
      'an operator maximises the window; the next start does too, and knows its size before',
    ],
    [
      'electron/desktop/window/open-window.ts',
      "      window.on('close', () => {\n        resting?.abort();\n        keep(window);",
      "      window.on('close', () => {\n        resting?.abort();",
      'a window that is brought back from the tray is where it was closed',
    ],
    [
      'electron/desktop/window/open-window.ts',
      'return shownWidth >= GRASP.width && ',
      'return ',
      'a window that was left on a screen which is gone comes back on the one that is there',
    ],
    [
      'electron/desktop/json-file.ts',
      'if (value === undefined) await keepAside();',
      '',
      'a file of the window’s place that nobody understands is kept aside, and the window opens',
    ],
  ]),
  ...breaksSeenBy('test/unit/desktop/window/open-window.test.ts', [
    [
      'electron/desktop/window/open-window.ts',
      'return shownWidth >= GRASP.width && ',
      'return ',
      'when that screen is gone, in the middle',
      'to the right of it, in the middle',
    ],
    [
      'electron/desktop/window/open-window.ts',
      ' && y + GRASP.height <= area.y + area.height',
      '',
      'below the screen, in the middle',
    ],
    [
      'electron/desktop/window/open-window.ts',
      'const height = Math.min(Math.max(left.height, LEAST_SIZE.height), home.height);',
      'const height = Math.max(left.height, LEAST_SIZE.height);',
      'larger than the screen, as large',
    ],
  ]),
  ...breaksSeenBy('signing-in.spec.ts', [
    [
      'electron/desktop/choice-store.ts',
      'await replaceFile(file, entry, { rights: ENTRY_RIGHTS });',
      "await replaceFile(file, entry.replace(' \"--hidden\"', ''));",
      'an operator has the app started at sign-in: no window comes up, clips go out, and the tray has it',
    ],
    [
      'electron/desktop/window/main-window.ts',
      'if (isWanted) window.show();',
      'window.show();',
      'an operator has the app started at sign-in: no window comes up, clips go out, and the tray has it',
    ],
    [
      'electron/desktop/choice-store.ts',
      'await rm(file, { force: true });',
      '',
      'an operator switches it off again, and the desktop starts nothing',
    ],
    [
      'electron/desktop/desktop-commands.ts',
      'return err(choiceNotKept);',
      'return ok(choice.get());',
      'an operator whose account cannot keep the entry reads what to do, and the switch stays off',
    ],
    [
      'electron/desktop/choice-store.ts',
      'let startAtLogin = await loginItem.isOn();',
      'let startAtLogin = (await loginItem.isOn()) || (await stored.read()) !== undefined;',
      'an entry that was taken away outside of the app shows as off at the next start',
    ],
    [
      'renderer/features/settings/desktop-part.tsx',
      "onDone: (next) => void queries.setQueryData(desktopKey('choice.get', {}), next),",
      "onDone: () => void queries.setQueryData(desktopKey('choice.get', {}), choice),",
      'an operator has the app started at sign-in: no window comes up, clips go out, and the tray has it',
    ],
  ]),
];
