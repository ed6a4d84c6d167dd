import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import type { Progress } from '../../agent/index.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { Question } from '../window/native-dialogs.ts';
import type { CurrentPage } from '../security/ipc-gateway.ts';

/** What an end of the app would leave for the next start. */
export interface Left {
  readonly clips: number;
  readonly bytes: number;
}

/** What is left to be sent; undefined when nothing is. What a person paused is left as well. */
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

/** What an end of the app now would mean. */
export interface Stake {
  readonly left: Left | undefined;
  /** Changes of the settings are not saved and would be lost. */
  readonly losesChanges: boolean;
}

/** Asked before the app ends, in one question; undefined when there is nothing to ask about. */
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

/** Shown while the pieces on the line are let arrive. */
export const finishing = (say: Say): Question => ({
  kind: 'question',
  message: say('quit.ending'),
  detail: say('quit.endingText'),
  buttons: [say('quit.quitNow')],
  usual: 0,
  cancel: 0,
});

/** Whether the page has changes of the settings that are not saved. */
interface UnsavedChanges {
  /** What the page that is in the window now says. */
  readonly set: (hasChanges: boolean) => void;
  readonly any: () => boolean;
}

/** Keeps what the page said for as long as that page lives: one that crashed or was loaded again has lost its changes. */
export function createUnsavedChanges(page: Pick<CurrentPage, 'gone'>): UnsavedChanges {
  let holder: AbortSignal | undefined;
  return {
    set(hasChanges) {
      holder = hasChanges ? page.gone() : undefined;
    },
    any: () => holder?.aborted === false,
  };
}
