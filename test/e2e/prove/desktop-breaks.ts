import { dialogBreaks } from './dialog-breaks.ts';
import { keyBreaks } from './key-breaks.ts';
import { leavingBreaks } from './leaving-breaks.ts';
import { logBreaks } from './log-breaks.ts';
import { policyBreaks } from './policy-breaks.ts';
import { questionBreaks } from './question-breaks.ts';
import { sendingBreaks } from './sending-breaks.ts';
import { tellingBreaks } from './telling-breaks.ts';
import { updateBreaks } from './update-breaks.ts';
import { wallBreaks } from './wall-breaks.ts';
import { windowBreaks } from './window-breaks.ts';

/** Mistakes that the specs of the desktop app must notice. */
export const desktopBreaks = [
  ...sendingBreaks,
  ...tellingBreaks,
  ...leavingBreaks,
  ...keyBreaks,
  ...policyBreaks,
  ...wallBreaks,
  ...windowBreaks,
  ...dialogBreaks,
  ...questionBreaks,
  ...logBreaks,
  ...updateBreaks,
];
