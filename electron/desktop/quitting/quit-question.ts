import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import type { Progress } from '../../agent/index.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { Question } from '../window/native-dialogs.ts';
import type { CurrentPage } from '../security/ipc-gateway.ts';

/** What quitting now would leave for the next start. */
export interface Left {
  readonly clips: number;
  readonly bytes: number;
}

/** What is still to be sent, paused clips included; undefined when nothing is. */
export function whatIsLeft(progress: Progress): Left | undefined {
  const { clips, clipsUploaded, clipsFailed, bytesTotal, bytesUploaded, bytesInFlight, settling } = progress;
  const left = {
    clips: Math.max(0, clips - clipsUploaded - clipsFailed) + settling,
    bytes: Math.max(0, bytesTotal - bytesUploaded - bytesInFlight),
  };
  return left.clips === 0 ? undefined : left;
}

/** Index of the answer that keeps the app working. */
export const KEEP_WORKING = 0;

/** What quitting now would mean. */
export interface Stake {
  readonly left: Left | undefined;
  /** Unsaved changes to the settings would be lost. */
  readonly losesChanges: boolean;
}

/** The one question asked before the app quits; undefined when there is nothing to ask about. */
export function quitQuestion({ left, losesChanges }: Stake, say: Say): Question | undefined {
  if (left === undefined && !losesChanges) return undefined;
  const details = [losesChanges ? say('quit.changesText') : undefined, left && leftDetail(left, say)];
  return {
    kind: 'question',
    message: messageOf({ left, losesChanges }, say),
    detail: details.filter((detail) => detail !== undefined).join('\n\n'),
    buttons: [say('quit.keepWorking'), say('quit.quit')],
    usual: KEEP_WORKING,
    cancel: KEEP_WORKING,
  };
}

function messageOf({ left, losesChanges }: Stake, say: Say): string {
  if (left === undefined) return say('quit.changes');
  return say(losesChanges ? 'quit.unsentChanges' : 'quit.unsent', { count: left.clips });
}

const leftDetail = ({ bytes }: Left, say: Say): string =>
  bytes === 0 ? say('quit.leftText') : say('quit.leftBytesText', { size: formatBytes(bytes) });

/** Shown while the parts that are being sent arrive. */
export const finishing = (say: Say): Question => ({
  kind: 'question',
  message: say('quit.ending'),
  detail: say('quit.endingText'),
  buttons: [say('quit.quitNow')],
  usual: 0,
  cancel: 0,
});

/** Whether the page has unsaved changes to the settings. */
interface UnsavedChanges {
  /** Called with what the current page reports. */
  readonly set: (hasChanges: boolean) => void;
  readonly any: () => boolean;
}

/**
 * Keeps what the page reported for as long as that page lives: one that crashed or was reloaded has lost its changes.
 */
export function createUnsavedChanges(page: Pick<CurrentPage, 'gone'>): UnsavedChanges {
  let holder: AbortSignal | undefined;
  return {
    set(hasChanges) {
      holder = hasChanges ? page.gone() : undefined;
    },
    any: () => holder?.aborted === false,
  };
}
