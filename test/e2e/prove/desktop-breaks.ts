import { breaksSeenBy } from './desktop-break.ts';

/** What the specs of the desktop app must notice. */
export const desktopBreaks = [
  ...breaksSeenBy('leaving.spec.ts', [
    [
      'electron/shell/close-window.ts',
      'event.preventDefault();',
      '',
      'an operator closes the window, and the app goes on in the tray',
    ],
  ]),
];
