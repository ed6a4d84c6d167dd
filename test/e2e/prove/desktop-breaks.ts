import { breaksSeenBy } from './desktop-break.ts';
import { dialogBreaks } from './dialog-breaks.ts';
import { logBreaks } from './log-breaks.ts';
import { policyBreaks } from './policy-breaks.ts';
import { questionBreaks } from './question-breaks.ts';
import { updateBreaks } from './update-breaks.ts';
import { windowBreaks } from './window-breaks.ts';

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
  ...policyBreaks,
  ...windowBreaks,
  ...dialogBreaks,
  ...questionBreaks,
  ...logBreaks,
  ...updateBreaks,
];
