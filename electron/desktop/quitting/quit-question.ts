import { formatBytes } from '../../../shared/lib/bytes.ts';
import type { Progress } from '../../agent/index.ts';
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
export function quitQuestion(stake: Stake): Question | undefined {
  const message = messageOf(stake);
  if (message === undefined) return undefined;
  const { left, losesChanges } = stake;
  const details = [losesChanges ? changesDetail : undefined, left && leftDetail(left)];
  return {
    kind: 'question',
    message,
    detail: details.filter((detail) => detail !== undefined).join('\n\n'),
    buttons: ['Keep working', 'Quit'],
    usual: KEEP_WORKING,
    cancel: KEEP_WORKING,
  };
}

function messageOf({ left, losesChanges }: Stake): string | undefined {
  if (left === undefined) return losesChanges ? 'Quit and lose the changes of the settings?' : undefined;
  const unsent = `Quit with ${clipsText(left)} not sent yet`;
  return losesChanges ? `${unsent}, and lose the changes of the settings?` : `${unsent}?`;
}

const changesDetail =
  'What was changed on the screen Settings is not saved. Keep working to save it; quitting throws it away.';

const leftDetail = ({ bytes }: Left): string =>
  `${bytes === 0 ? '' : `${formatBytes(bytes)} are left. `}No clip is lost: they go on at the next start. Until then the control room does not get them, and new exports are not noticed.`;

/** Shown while the pieces on the line are let arrive. */
export const finishing: Question = {
  kind: 'question',
  message: 'Ending…',
  detail:
    'The pieces that are on the line are let arrive, for some seconds. Those that do not are sent again at the next start.',
  buttons: ['Quit now'],
  usual: 0,
  cancel: 0,
};

const clipsText = ({ clips }: Left): string => (clips === 1 ? '1 clip' : `${clips} clips`);

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
