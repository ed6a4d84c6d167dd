import { z } from 'zod';
import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { keep, readKept, type TextStorage } from '../../stores/preferences.ts';

/** Which news come up at this desk; kept in the browser, never sent. What needs someone stays in the list of notices anyway. */
const choiceSchema = z.object({
  /** News that come up over the page. */
  toasts: z.enum(['all', 'problems', 'none']).catch('all'),
  /** Problems also come up over other programs while the page is not in front. */
  desktop: z.boolean().catch(false),
});
/** See `choiceSchema`. */
export type NotificationChoice = z.infer<typeof choiceSchema>;
type Level = Extract<AgentSignal, { kind: 'notice' }>['level'];

const STORAGE_KEY = 'notifications';

/** Reads what was chosen; a storage that refuses or holds something else counts as nothing chosen. */
export function readChoice(storage: TextStorage): NotificationChoice {
  return readKept(storage, STORAGE_KEY, choiceSchema, {});
}

/** Keeps what was chosen; false when the storage refuses. */
export function keepChoice(storage: TextStorage, choice: NotificationChoice): boolean {
  return keep(storage, STORAGE_KEY, choice);
}

/** Where news of a level come up. A page that nobody looks at tells problems on the desktop, when that was chosen. */
export function placesFor(
  { toasts, desktop }: NotificationChoice,
  level: Level,
  isInFront: boolean,
): { readonly toast: boolean; readonly desktop: boolean } {
  const isProblem = level !== 'info';
  return {
    toast: toasts === 'all' || (toasts === 'problems' && isProblem),
    desktop: desktop && isProblem && !isInFront,
  };
}
